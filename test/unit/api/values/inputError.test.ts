import { InputError } from '../../../../nodes/api/values/inputError';

it('an input error has its own name, and is permanent unless it says otherwise', () => {
	const error = new InputError('No value');
	expect(error).toMatchObject({ name: 'InputError', message: 'No value', isPassing: false });
	expect(new InputError('Not yet', 'Wait.', 'waitLonger', true)).toMatchObject({
		...{ description: 'Wait.', remedy: 'waitLonger', isPassing: true },
	});
});
