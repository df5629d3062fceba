import fc from 'fast-check';
import { FieldIndex, scopeOf } from '../../../../nodes/api/sheet/fieldIndex';
import { keyWithId } from '../../../../nodes/api/sheet/fields';
import { nearestNames } from '../../../../nodes/api/sheet/nearNames';
import type { Field } from '../../../../nodes/api/sheet/fields';
import { InputError } from '../../../../nodes/api/values/inputError';
import { thrown } from '../thrown';
import { runs } from '../../../amount';

const findField = (list: readonly Field[], key: string, subtableId?: string) =>
	new FieldIndex({ fields: list }).require(key, scopeOf(subtableId));

const fields: Field[] = [
	{ fieldId: '1000001', name: 'Order Number' },
	{ fieldId: '1000002', name: 'Customer' },
	{ fieldId: '1000003', name: 'City' },
	{ fieldId: '1000005', name: 'Note' },
	{ fieldId: '1000006', name: 'Note' },
	{ fieldId: '1000007', name: '1000003' },
	{ fieldId: '1000008', name: '42' },
	{ fieldId: '1000021', name: 'Quantity', subtableId: '5' },
	{ fieldId: '1000022', name: 'City', subtableId: '5' },
];

const refusal = (key: string, subtableId?: string) =>
	thrown(InputError, () => findField(fields, key, subtableId)).message;

describe('a field', () => {
	it('a field is searched in the record or the subtable that the key belongs to', () => {
		expect(findField(fields, 'City').fieldId).toBe('1000003');
		expect(findField(fields, 'City', '5').fieldId).toBe('1000022');
		expect(refusal('Colour', '6')).toBe("'Colour' is not a field of subtable 6.");
	});

	it.each([
		{
			key: 'Quantity',
			subtableId: undefined,
			help: "'Quantity' is not a field of the sheet. The subtable 5 has this field: its rows are under '_subtable_5'",
		},
		{
			key: '1000021',
			subtableId: undefined,
			help: "'1000021' is not a field of the sheet. The subtable 5 has this field: its rows are under '_subtable_5'",
		},
		{
			key: 'Quantity',
			subtableId: '6',
			help: "'Quantity' is not a field of subtable 6. The subtable 5 has this field: its rows are under '_subtable_5'",
		},
		{
			key: 'Customer',
			subtableId: '5',
			help: "'Customer' is not a field of subtable 5. The sheet itself has this field, outside of its subtables",
		},
	])(
		'the key $key of a field in another place is rejected, and the error names the place',
		({ key, subtableId, help }) => {
			expect(refusal(key, subtableId)).toBe(help);
		},
	);

	it('a name that fields of several subtables have is rejected, and the error names all of them', () => {
		const photo = (fieldId: string, subtableId: string) => ({ fieldId, name: 'Photo', subtableId });
		const list = [...fields, photo('1000031', '6'), photo('1000032', '7'), photo('1000033', '7')];
		expect(thrown(InputError, () => findField(list, 'Photo')).message).toBe(
			"'Photo' is not a field of the sheet. The subtables 6 and 7 have this field: their rows are under '_subtable_6' and '_subtable_7'",
		);
	});

	it('the error for an unknown name suggests all equally similar names, otherwise three', () => {
		const lines = ['Line 1', 'Line 2', 'Line 3', 'Line 4', 'Line 5'];
		expect(nearestNames(['City', ...lines], 'Line')).toEqual(lines);
		const names = ['Customer', 'Customer Name', 'Customer Names', 'Customer Number', 'City'];
		expect(nearestNames(names, 'Customr')).toHaveLength(3);
	});

	it.each([
		['customer', "Did you mean 'Customer'?"],
		['Number', "Did you mean 'Order Number'?"],
		['Customer Name', "Did you mean 'Customer'?"],
		[
			'Price',
			"Its fields are 'Order Number', 'Customer', 'City', 'Note', '1000003 (1000007)', '42 (1000008)'",
		],
		['constructor', 'Its fields are'],
	])('the unknown name %j is rejected with advice', (key, help) => {
		expect(refusal(key)).toContain(help);
	});
});

describe('a name with the id behind it', () => {
	const rates: Field[] = [
		{ fieldId: '1000001', name: 'Rate (2024)' },
		{ fieldId: '1000002', name: 'Rate' },
		{ fieldId: '2024', name: 'Year' },
		{ fieldId: '512', name: 'Rate (1000002)' },
	];

	it.each([
		['a name to the letter is a name', 'Rate (2024)', '1000001'],
		['the id finds the field whatever the name says', 'Price once (1000002)', '1000002'],
		['a short id is known by the list', 'Calendar Year (2024)', '2024'],
		['an id that is not listed is taken, as a list may be partial', 'Price (1000077)', '1000077'],
	])('a name followed by an ID finds %s: %j', (_, key, fieldId) => {
		expect(findField(rates, key).fieldId).toBe(fieldId);
	});

	it.each(['Rate (2025)', 'Rate (2025) in EUR'])(
		'a name followed by an ID is unknown: %j',
		(key) => {
			expect(() => findField(rates, key)).toThrow(`'${key}' is not a field`);
		},
	);

	it('a key with an ID finds its field, whatever the fields are called, even after a rename', () => {
		const name = fc.oneof(
			fc.constantFrom('Rate', 'Rate (2024)', 'A (1)', 'A (1) (2)', '1', '2024', ' ', '()', 'A"]'),
			fc.string({ maxLength: 8 }),
		);
		const longId = fc.nat(99).map((number) => `10000${number}`);
		const fieldId = fc.oneof(fc.constantFrom('1', '2', '512', '2024'), longId);
		// Lists call a field without a name by its id.
		const anyField = fc
			.record({ fieldId, name })
			.map((field): Field => (field.name === '' ? { ...field, name: field.fieldId } : field));
		const lists = fc.uniqueArray(anyField, {
			minLength: 1,
			maxLength: 6,
			selector: (field) => field.fieldId,
		});
		fc.assert(
			fc.property(lists, name, (list, renamed) => {
				for (const field of list) {
					const key = keyWithId(field, list);
					expect(findField(list, key)).toBe(field);
					expect(findField([], key).fieldId).toBe(field.fieldId);
					const after = list.map((candidate) =>
						candidate === field ? { ...candidate, name: renamed } : candidate,
					);
					if (after.every((candidate) => candidate.name !== key)) {
						expect(findField(after, key).fieldId).toBe(field.fieldId);
					}
				}
			}),
			{ numRuns: runs(300) },
		);
	});
});

it('names with a single typing error are suggested', () => {
	const letters = fc.constantFrom(...'abcdefghij');
	const names = fc.string({ unit: letters, minLength: 3, maxLength: 12 });
	const rest = ['ZZZZZZZZZZZZZZZZZZ', 'y'.repeat(100_000)];
	fc.assert(
		fc.property(names, fc.nat(), letters, (name, number, letter) => {
			const place = number % name.length;
			const [before, after] = [name.slice(0, place), name.slice(place)];
			const edited = [
				...[before + letter + after, before + after.slice(1)],
				...[before + letter + after.slice(1), ` ${name.toUpperCase()} `],
			];
			for (const text of edited) expect(nearestNames([...rest, name], text)).toEqual([name]);
		}),
	);
});
