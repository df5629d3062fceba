import fc from 'fast-check';

import type { JsonObject, JsonValue } from '../../../../nodes/api/json/orderedJson';
import { isEmpty, noChanges, type FieldValue } from '../../../../nodes/api/write/recordContent';
import { differingChanges } from '../../../../nodes/api/write/sameValue';

const field = '1000001';

/** Whether a field that holds `stored` need not be written; and whether its type was asked for. */
async function isSame(stored: JsonValue | undefined, given: FieldValue, type?: string) {
	const record: JsonObject = new Map(stored === undefined ? [] : [[field, stored]]);
	const changes = { ...noChanges(), fields: new Map([[field, given]]) };
	let asked = false;
	const differing = await differingChanges(record, changes, async () => {
		asked = true;
		return new Map([[field, type]]);
	});
	return { same: isEmpty(differing), asked };
}

it.each<[string, JsonValue, FieldValue, string | undefined]>([
	['to the letter', 'Acme', 'Acme', undefined],
	['as a number of JavaScript', '12.5', 12.5, undefined],
	['empty', '', '', undefined],
	['empty, as a selection', '', [], undefined],
	['empty, shown as a list', [], '', undefined],
	['as a selection in another order', ['b', 'a'], ['a', 'b'], undefined],
	['as the only choice', ['a'], 'a', undefined],
	['as the only choice, shown without a list', 'a', ['a'], 'multipleSelection'],
	['as a number in other digits', '12.50', '12.5', 'number'],
	['as a number with separators', '1,234.50', 1234.5, 'number'],
	['as a moment without its seconds', '2026/01/31 10:00', '2026/01/31 10:00:00', 'dateTime'],
	['as a switch', 'Yes', true, 'checkbox'],
])('a value is already there %s', async (_, stored, given, type) => {
	expect((await isSame(stored, given, type)).same).toBe(true);
});

describe('a value is to be written', () => {
	it.each<[string, JsonValue | undefined, FieldValue, string | undefined]>([
		['which is another', 'Acme', 'acme', undefined],
		['into a text of digits', '0612', '612', 'text'],
		['into a text of digits of a field whose type nobody knows', '0612', '612', undefined],
		['into a field that is not shown', undefined, '', undefined],
		['over a mask', '****', '****', undefined],
		['with separators that may mean something else', '1234', '1,234', 'number'],
		['into a number that holds a text', 'abc', 'ABC', 'number'],
		['into a date that holds a text', 'Monday', 'monday', 'date'],
		['as a list into a text', 'a', ['a'], 'text'],
		['with a choice more', ['a'], ['a', 'b'], undefined],
		['with a choice twice', ['a', 'b'], ['a', 'a'], undefined],
		['as the text of choices', ['a', 'b'], 'a,b', 'multipleSelection'],
		['as a switch into a text', 'Yes', 'true', 'text'],
		['which is emptied', ['a'], [], undefined],
	])('%s', async (_, stored, given, type) => {
		expect((await isSame(stored, given, type)).same).toBe(false);
	});

	it('whenever it is neither the same text nor of a type that has other spellings', async () => {
		const texts = fc.oneof(
			fc.string(),
			fc.constantFrom('1', '01', '1.0', 'Yes', 'true', '2026/01/31', '2026/01/31 00:00:00'),
		);
		const types = fc.constantFrom(undefined, 'text', 'link', 'singleSelection', 'email', 'user');
		await fc.assert(
			fc.asyncProperty(texts, texts, types, async (stored, given, type) => {
				const { same } = await isSame(stored, given, type);
				expect(same).toBe(stored === given && !/^\*+$/.test(stored));
			}),
		);
	});
});

it.each<[JsonValue, FieldValue]>([
	['Acme', 'Acme'],
	['Acme', 'Bolt'],
	[['a'], ['a', 'b']],
])('types are not asked for when they do not decide: %j, %j', async (stored, given) => {
	expect((await isSame(stored, given)).asked).toBe(false);
});

describe('rows', () => {
	const row = (values: Record<string, string>): JsonObject => new Map(Object.entries(values));
	const record: JsonObject = new Map([
		['_subtable_2000001', new Map([['17', row({ 3000001: 'Chair', 3000002: '2' })]])],
	]);
	const typesOf = async () => new Map<string, string>();
	const changed = (rowId: string, values: Record<string, string>) => ({
		...noChanges(),
		subtables: new Map([['2000001', new Map([[rowId, new Map(Object.entries(values))]])]]),
	});

	it('that are to be deleted, or cannot be seen, have to be sent, and those that are gone have not', async () => {
		const deletion = { ...noChanges(), deletedRows: new Map([['2000001', ['16', '17']]]) };
		const left = { ...noChanges(), deletedRows: new Map([['2000001', ['17']]]) };
		expect(await differingChanges(record, deletion, typesOf)).toEqual(left);
		expect(await differingChanges(new Map(), deletion, typesOf)).toEqual(deletion);
		const change = changed('17', { 3000001: 'Chair', 3000002: '3' });
		expect(await differingChanges(record, change, typesOf)).toEqual(
			changed('17', { 3000002: '3' }),
		);
		expect(await differingChanges(new Map(), change, typesOf)).toEqual(change);
	});
});
