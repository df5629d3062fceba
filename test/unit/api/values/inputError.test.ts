import {
	EntryError,
	InputError,
	inParameter,
	parsedIn,
} from '../../../../nodes/api/values/inputError';

it('an input error has its own name, and is permanent unless it says otherwise', () => {
	const error = new InputError('No value', 'Enter it.');
	expect(error).toMatchObject({ name: 'InputError', message: 'No value', isPassing: false });
	expect(new InputError('Not yet', 'Wait.', 'waitLonger', true)).toMatchObject({
		...{ description: 'Wait.', remedy: 'waitLonger', isPassing: true },
	});
});

it('the error of an entry gets the name of its parameter, and keeps its advice', async () => {
	const entry = new EntryError('Totl', 'is not a field.', 'Use its ID.');
	expect(entry).toMatchObject({ message: "'Totl' is not a field.", description: 'Use its ID.' });
	const fail = () => {
		throw entry;
	};
	const expected = {
		message: "'Totl' in 'Only Fields' is not a field.",
		description: 'Use its ID.',
	};
	await expect(inParameter('Only Fields', async () => fail())).rejects.toMatchObject(expected);
	expect(() => parsedIn('Only Fields', fail)).toThrow(expect.objectContaining(expected));
});
