import fc from 'fast-check';

import { FieldNames, holdsFieldIds } from '../../../../nodes/api/schema/fieldNames';
import type { Field } from '../../../../nodes/api/schema/fields';
import { simplifiedRecord } from '../../../../nodes/api/read/record';
import type { JsonObject, JsonValue } from '../../../../nodes/api/json/orderedJson';

const object = (members: Record<string, JsonValue>): JsonObject => new Map(Object.entries(members));
const named = (fields: Field[], content: JsonObject) => [...new FieldNames(fields).named(content)];

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
		{ Note: 'a', Note2: 'b', 4: 'c' },
	],
	[
		'by ids where a name is missing or that of two',
		['Note', 'Note', '3'].map((name, index) => ({ fieldId: `${index + 1}`, name })),
		{ 1: 'a', 2: 'b', 3: 'c' },
	],
	[
		'by its id what is called like the id of another one',
		[{ fieldId: '1', name: '2' }],
		{ 1: 'a', 2: 'b', 3: 'c' },
	],
])('calls fields %s', (_, fields, expected) => {
	const content = object({ 1: 'a', 2: 'b', 3: 'c' });
	expect(Object.fromEntries(named(fields, content))).toEqual(expected);
});

it('tells the ids that stay, each once', () => {
	const rows = object({ 7: object({ 3000009: 'x' }), 8: object({ 3000009: 'y', 3000001: 'z' }) });
	const content = object({ _star: true, 1000001: 'Ulm', 1000002: 'x', _subtable_2000001: rows });
	expect(new FieldNames([city, article]).unnamedIn(content)).toEqual(['1000002', '3000009']);
	expect(new FieldNames([city]).without(new Set(['City'])).unnamedIn(content)).toContain('1000001');
	expect(holdsFieldIds(content)).toBe(true);
	expect(holdsFieldIds(object({ _star: true, _subtable_2000001: object({ 7: object({}) }) }))).toBe(
		false,
	);
});

it('loses no value, whatever fields are called', () => {
	const key = fc.constantFrom('1', '2', '3', '4');
	const present = fc.constantFrom('_star', '_index_', '_subtable_61');
	const added = fc.oneof(present, fc.constantFrom('_recordId', '_title', '_starred'));
	const field = fc.record(
		{ fieldId: key, name: fc.oneof(key, added, fc.constantFrom('A', 'B')), readName: key },
		{ requiredKeys: ['fieldId', 'name'] },
	);
	const fields = fc.uniqueArray(field, { selector: ({ fieldId }) => fieldId }).filter((list) => {
		// A read gives no name twice.
		const names = list.flatMap(({ readName = [] }) => readName);
		return new Set(names).size === names.length;
	});
	fc.assert(
		fc.property(fields, fc.uniqueArray(fc.oneof(key, present)), (list, keys) => {
			const content: JsonObject = new Map(keys.map((one) => [one, `value of ${one}`]));
			const values = named(list, content).map(([, value]) => value);
			expect(values).toEqual([...content.values()]);
			const records = [content, new FieldNames(list).named(content)];
			const items = records.map((record) => simplifiedRecord({ id: '5', content: record }));
			const ofFields = keys.filter((one) => !one.startsWith('_')).map((one) => `value of ${one}`);
			const all = expect.arrayContaining(ofFields);
			for (const item of items) expect(Object.values(item)).toEqual(all);
			const told = (item: object) => Object.entries(item).filter(([one]) => one.startsWith('_'));
			expect(items.map(told)[1]).toEqual(items.map(told)[0]);
		}),
		{ numRuns: 300, seed: 18 },
	);
});
