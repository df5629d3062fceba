import { FieldIndex, scopeOf } from '../../../../nodes/api/sheet/fieldIndex';
import type { Field } from '../../../../nodes/api/sheet/fields';
import { nearestNames } from '../../../../nodes/api/sheet/nearNames';
import { InputError } from '../../../../nodes/api/values/inputError';
import { thrown } from '../thrown';

const fields: Field[] = [
	{ fieldId: '1000001', name: 'Rate (2024)' },
	{ fieldId: '1000002', name: '1000003' },
	{ fieldId: '1000003', name: 'City' },
	{ fieldId: '1000004', name: '42' },
	{ fieldId: '1000005', name: '', readName: '2' },
	{ fieldId: '1000006', name: 'Tax', readName: 'Tax3' },
	{ fieldId: '2024', name: 'Year' },
	{ fieldId: '1000007', name: 'Note', readName: 'Note' },
	{ fieldId: '1000008', name: 'Note', readName: 'Note2' },
	{ fieldId: '1000021', name: 'Note', subtableId: '2000001' },
];

const findField = (list: readonly Field[], key: string, subtableId?: string) =>
	new FieldIndex({ fields: list }).require(key, scopeOf(subtableId));
const errorFor = (list: readonly Field[], key: string, subtableId?: string) =>
	thrown(InputError, () => findField(list, key, subtableId));

/** Fields with the names `<word> A`, `<word> B` and so on, all equally similar to another text. */
const lettered = (word: string, count: number): Field[] =>
	[...'ABCDEFGHIJKMN']
		.slice(0, count)
		.map((letter, index) => ({ fieldId: String(1000001 + index), name: `${word} ${letter}` }));

it.each([
	{ key: '1000003', by: 'an ID, although another field has it as its name', fieldId: '1000003' },
	{ key: ' 2024 ', by: 'an ID with white space around it', fieldId: '2024' },
	{ key: 'Rate (2024)', by: 'a name that ends with the ID of another field', fieldId: '1000001' },
	{ key: '42', by: 'a name that is a number', fieldId: '1000004' },
	{ key: 'Tax', by: 'its name in the list of fields', fieldId: '1000006' },
	{ key: 'Tax3', by: 'its key in reads', fieldId: '1000006' },
	{ key: '2', by: 'its key in reads although it has no name', fieldId: '1000005' },
	{
		key: 'Untitled (1000005)',
		by: 'the text that stands for its missing name',
		fieldId: '1000005',
	},
	{ key: 'Note2', by: 'a key in reads where names are double', fieldId: '1000008' },
	{ key: 'Calendar year (2024)', by: 'a short ID after any text', fieldId: '2024' },
])('the key "$key" finds a field by $by', ({ key, fieldId }) => {
	expect(findField(fields, key).fieldId).toBe(fieldId);
});

it.each([
	{ key: '77', list: fields },
	{ key: ' 77 ', list: fields },
	{ key: '1000077', list: fields },
	{ key: 'Any name (1000077)', list: fields },
	{ key: 'Any name (77)', list: [] },
])('an unlisted ID is accepted, because lists can be incomplete: "$key"', ({ key, list }) => {
	const fieldId = key.replace(/\D/g, '');
	expect(findField(list, key, '2000001')).toEqual({
		fieldId,
		name: fieldId,
		subtableId: '2000001',
	});
});

it('a name of several fields is rejected, and the error has their IDs', () => {
	expect(errorFor(fields, 'Note').message).toBe(
		"'Note' is the name of 2 fields (1000007, 1000008)",
	);
	expect(findField(fields, 'Note', '2000001').fieldId).toBe('1000021');
});

const fromRecords = [{ fieldId: '1000001', name: 'City' }];
const fromSchema = [{ fieldId: '1000001', name: 'City', required: false }];

it.each([
	{
		key: '_rating',
		source: 'records',
		list: fromRecords,
		advice: /^Keys that begin with _ are added when records are read/,
	},
	{
		key: 'rating_',
		source: 'records',
		list: fromRecords,
		advice: /come from the first records of the sheet.*use its ID\.$/,
	},
	{
		key: 'Rating',
		source: 'the schema',
		list: fromSchema,
		advice: /^Use the exact name of the field, or its ID\.$/,
	},
	{
		key: 'Rating',
		source: 'the schema and records',
		list: [...fromSchema, { fieldId: '1000002', name: 'Zip' }],
		advice: /^Use the exact name of the field, or its ID\.$/,
	},
])('the error for the key $key gives advice if fields are known from $source', (example) => {
	expect(errorFor(example.list, example.key).description).toMatch(example.advice);
});

it('the error for a name advises the ID if no fields are known', () => {
	const { message, description } = errorFor([], 'City');
	expect(message).toBe("'City' is not a field of the sheet.");
	expect(description).toBe('No field of the sheet is known by its name: use its ID.');
});

it.each([
	{ count: 3, end: "'Line B' or 'Line C'?" },
	{ count: 10, end: "'Line I' or 'Line J'?" },
	{ count: 12, end: "'Line I' or 'Line J' or 2 more?" },
])('the error for an unknown name suggests at most ten of $count similar names', (example) => {
	const { message } = errorFor(lettered('Line', example.count), 'Lines');
	expect(message).toContain(" Did you mean 'Line A' or 'Line B' or ");
	expect(message.slice(-example.end.length)).toBe(example.end);
});

it.each([
	{ count: 2, end: " Its fields are 'Field A', 'Field B'" },
	{ count: 10, end: ", 'Field I', 'Field J'" },
	{ count: 13, end: ", 'Field I', 'Field J' and 3 more" },
])('the error for an unknown name lists at most ten of $count fields', ({ count, end }) => {
	const { message } = errorFor(lettered('Field', count), 'Price');
	expect(message).toContain("'Price' is not a field of the sheet. Its fields are 'Field A', ");
	expect(message.slice(-end.length)).toBe(end);
});

it.each([
	{ text: 'Token', name: 'Total' },
	{ text: 'City', name: 'Cost' },
	{ text: 'x', name: 'City' },
])('the name $name is not suggested for $text, which has few letters in common', (example) => {
	expect(nearestNames([example.name], example.text)).toEqual([]);
});

it('similar names are found despite white space around the text, and whatever their letter case is', () => {
	const spaces = ' '.repeat(20);
	expect(nearestNames(['City', 'Total'], `${spaces}CITY${spaces}`)).toEqual(['City']);
	expect(nearestNames(['TOTAL', 'CITY'], 'total')).toEqual(['TOTAL']);
});

it('a name that goes on for long is found by its beginning', () => {
	const name = 'Do you agree to the terms and conditions of our delivery service?';
	const longName = `${name} ${'0123456789'.repeat(100)}`;
	expect(nearestNames(['Delivery', longName], name)).toEqual([longName]);
});
