import { InputError } from '../../../../nodes/api/values/inputError';

it('an error of the input has a name of its own, and fails for good unless it says otherwise', () => {
	const error = new InputError('No value');
	expect(error).toMatchObject({ name: 'InputError', message: 'No value', isPassing: false });
	expect(new InputError('Not yet', 'Wait.', 'waitLonger', true)).toMatchObject({
		...{ description: 'Wait.', remedy: 'waitLonger', isPassing: true },
	});
});
