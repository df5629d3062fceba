import fc from 'fast-check';

import type { JsonObject, JsonValue } from '../../../../nodes/api/json/orderedJson';
import { simplifiedRecord } from '../../../../nodes/api/read/record';
import {
	FieldNames,
	holdsFieldIds,
	ItemKeys,
	knownNames,
} from '../../../../nodes/api/schema/fieldNames';
import { nameOf, type Field } from '../../../../nodes/api/schema/fields';

const object = (members: Record<string, JsonValue>): JsonObject => new Map(Object.entries(members));
const named = (fields: Field[], content: JsonObject) => [
	...new FieldNames(knownNames(fields)).named(content),
];

const city = { fieldId: '1000001', name: 'City' };
const article = { fieldId: '3000001', name: 'Article', subtableId: '2000001' };

it.each<[string, Field[], Record<string, string>]>([
	[
		'as reads show them, before the names of the list',
		[
			{ fieldId: '1', name: 'Note', readName: 'Note' },
			{ fieldId: '2', name: 'Note', readName: 'Note2' },
			{ fieldId: '3', name: '3', readName: '4' },
		],
		{ Note: 'a', Note2: 'b', 3: 'c' },
	],
	[
		'by ids where a name is unknown or that of two',
		['Note', 'Note', '3'].map((name, index) => ({ fieldId: `${index + 1}`, name })),
		{ 1: 'a', 2: 'b', 3: 'c' },
	],
	[
		'by both where there is no name, or one like an id or like what stands beside fields',
		['', '1', '_recordId'].map((name, index) => ({ fieldId: `${index + 1}`, name })),
		{ 'Untitled (1)': 'a', '1 (2)': 'b', '_recordId (3)': 'c' },
	],
])('calls fields %s', (_, fields, expected) => {
	const content = object({ 1: 'a', 2: 'b', 3: 'c' });
	expect(Object.fromEntries(named(fields, content))).toEqual(expected);
});

it('tells the ids that stay, each once', () => {
	const rows = object({ 7: object({ 3000009: 'x' }), 8: object({ 3000009: 'y', 3000001: 'z' }) });
	const content = object({ _star: true, 1000001: 'Ulm', 1000002: 'x', _subtable_2000001: rows });
	const names = new FieldNames(knownNames([city, article]));
	const unnamed = new Set<string>();
	names.named(content, undefined, unnamed);
	expect([...unnamed]).toEqual(['1000002', '3000009']);
	expect(holdsFieldIds(content)).toBe(true);
	const none = object({ _star: true, _subtable_2000001: object({ 7: object({}) }) });
	expect(holdsFieldIds(none)).toBe(false);
});

const listed = fc
	.uniqueArray(
		fc.record(
			{
				fieldId: fc.constantFrom('71', '72', '73', '74'),
				name: fc.constantFrom('1', '12', '', 'A', 'B', '_recordId', '_title', 'Untitled'),
				readName: fc.constantFrom('1', '2', '', 'A', 'A2', '_recordId', '_title', 'Untitled'),
			},
			{ requiredKeys: ['fieldId', 'name'] },
		),
		{ selector: ({ fieldId }) => fieldId },
	)
	.filter((list) => {
		// A read gives no name twice.
		const names = list.map(({ name, readName = name }) => readName);
		const isMadeUp = ({ name, readName = '' }: Field) => name !== '' || !/^[A_]/.test(readName);
		return new Set(names).size === names.length && list.every(isMadeUp);
	});

it('loses no value, whatever fields are called, and calls them alike in reads by ids and by names', async () => {
	await fc.assert(
		fc.asyncProperty(listed, async (list) => {
			const own: Array<[string, JsonValue]> = [['_star', true]];
			const byId = new Map([...own, ...list.map(({ fieldId }) => [fieldId, fieldId] as const)]);
			const byName = new Map([
				...own,
				...list.map(({ fieldId, name, readName = name }) => [readName, fieldId] as const),
			]);
			const known = list.map((field) => ({ ...field, readName: field.readName ?? field.name }));
			const names = new FieldNames(knownNames(known)).named(byId);
			const keys = new ItemKeys();
			const read = simplifiedRecord({ id: '5', content: byName }, keys);
			const [item = {}] = await keys.named([read], async () => known);
			const expected = [
				...[['_recordId', 5] as const, ['_starred', true] as const],
				...known.map((field) => [nameOf(field), field.fieldId]),
			];
			expect(Object.entries(item)).toEqual(expect.arrayContaining(expected));
			expect(Object.keys(item)).toHaveLength(list.length + 2);
			expect(simplifiedRecord({ id: '5', content: names })).toEqual(item);
		}),
		{ numRuns: 300, seed: 18 },
	);
});

it('an item whose fields nobody tells keeps the names that the service sent, with a warning', async () => {
	const keys = new ItemKeys();
	const row = object({ 7: object({ 1: 'x' }) });
	const content = object({ 2: 'a', City: 'Ulm', _subtable_2000001: row });
	const read = simplifiedRecord({ id: '5', content }, keys);
	const tell = async () => await Promise.reject(new Error('HTTP 503'));
	const [item] = await keys.named([read], tell);
	expect(item).toEqual({
		...{ _recordId: 5, 2: 'a', City: 'Ulm', _subtable_2000001: [{ _rowId: 7, 1: 'x' }] },
		_warning: expect.stringContaining("calls '2', '1'"),
	});
});
