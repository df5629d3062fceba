import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../../nodes/api/json/orderedJson';
import { isEmpty, noChanges, type FieldValue } from '../../../../nodes/api/write/recordContent';
import { differingChanges, notesOn } from '../../../../nodes/api/write/sameValue';
import { jsonObject } from '../jsonObject';

const field = '1000001';

/** Whether a field that holds `stored` need not be written. */
async function isSame(stored: JsonValue | undefined, given: FieldValue, type?: string) {
	const record: JsonObject = new Map(stored === undefined ? [] : [[field, stored]]);
	const changes = { ...noChanges(), fields: new Map([[field, given]]) };
	const differing = await differingChanges(record, changes, async () => {
		return new Map([[field, type]]);
	});
	return isEmpty(differing);
}

it.each<[string, JsonValue, FieldValue, string | undefined]>([
	['empty', '', '', undefined],
	['empty, as a selection', '', [], undefined],
	['as a selection in another order', ['b', 'a'], ['a', 'b'], undefined],
	['as the only choice, shown without a list', 'a', ['a'], 'multipleSelection'],
	['as a number in other digits', '12.50', '12.5', 'number'],
	['as a number with separators', '1,234.50', 1234.5, 'number'],
	['as a moment without its seconds', '2026/01/31 10:00', '2026/01/31 10:00:00', 'dateTime'],
	['as a switch', 'Yes', true, 'checkbox'],
])('a value is already there %s', async (_, stored, given, type) => {
	expect(await isSame(stored, given, type)).toBe(true);
});

describe('a value is to be written', () => {
	it.each<[string, JsonValue | undefined, FieldValue, string | undefined]>([
		['into a text of digits of a field whose type nobody knows', '0612', '612', undefined],
		['into a field that is not shown', undefined, '', undefined],
		['over a mask', '****', '****', undefined],
		['with separators that may mean something else', '1234', '1,234', 'number'],
		['into a number that holds a text', 'abc', 'ABC', 'number'],
		['with a choice more', ['a'], ['a', 'b'], undefined],
		['with a choice twice', ['a', 'b'], ['a', 'a'], undefined],
		['as the text of choices', ['a', 'b'], 'a,b', 'multipleSelection'],
	])('%s', async (_, stored, given, type) => {
		expect(await isSame(stored, given, type)).toBe(false);
	});

	it('whenever it is neither the same text nor of a type that has other spellings', async () => {
		const texts = fc.oneof(
			fc.string(),
			fc.constantFrom('1', '01', '1.0', 'Yes', 'true', '2026/01/31', '2026/01/31 00:00:00'),
		);
		const types = fc.constantFrom(undefined, 'text', 'link', 'singleSelection', 'email', 'user');
		await fc.assert(
			fc.asyncProperty(texts, texts, types, async (stored, given, type) => {
				expect(await isSame(stored, given, type)).toBe(stored === given && !/^\*+$/.test(stored));
			}),
		);
	});
});

it('rows that are to be deleted have to be sent, and those that are gone have not', async () => {
	const record: JsonObject = new Map([['_subtable_2000001', new Map([['17', new Map()]])]]);
	const deletion = (...rowIds: string[]) => ({
		...noChanges(),
		deletedRows: new Map([['2000001', rowIds]]),
	});
	const typesOf = async () => new Map<string, string>();
	const differing = await differingChanges(record, deletion('16', '17'), typesOf);
	expect(differing).toEqual(deletion('17'));
	const unseen = await differingChanges(new Map(), deletion('17'), typesOf);
	expect(unseen).toEqual(deletion('17'));
});

describe('a value that was sent', () => {
	const isNamed = (saved: unknown, sent: FieldValue, isShifted = false) => {
		const shown = jsonObject(
			JSON.stringify({ 2: 'other', ...(saved === undefined ? {} : { 1: saved }) }),
		);
		const changes = { ...noChanges(), fields: new Map([['1', sent]]) };
		return notesOn(shown, { changes }, isShifted).length > 0;
	};

	it.each<[unknown, FieldValue]>([
		['1,234.50', 1234.5],
		['0.3', 0.1 + 0.2],
		['2031/01/31 10:00', '2031/01/31 10:00:41'],
		['Yes', true],
		['a', ' a\n'],
		[
			['b', 'a'],
			['a', 'b'],
		],
		['a, b', ['a', 'b']],
		[['a'], 'a'],
		[['', 'kq2Ab@a.pdf'], 'kq2Ab@a.pdf'],
		['<b>x</b><br>y', '[b]x[/b]\ny'],
		['&lt;b&gt;', '<b>'],
		['***', 'secret'],
		[null, ''],
	])('is kept as %j: %j', (saved, sent) => {
		expect(isNamed(saved, sent)).toBe(false);
	});

	it.each<[unknown, FieldValue]>([
		['', 'x'],
		['default', ''],
		['long te', 'long text'],
		['12.3', 12.34],
		[['a'], ['a', 'b']],
		['a', ['a', 'b']],
		['2031/01/31 18:00:00', '2031/01/31 10:00:00'],
	])('is not kept as %j: %j', (saved, sent) => {
		expect(isNamed(saved, sent)).toBe(true);
	});
});
