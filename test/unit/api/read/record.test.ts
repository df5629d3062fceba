import fc from 'fast-check';
import { atOnce } from '../../../../nodes/api/json/jsonReading';
import { readOrderedJson } from '../../../../nodes/api/json/orderedJson';
import { membersOf, numberOrText, RecordItems } from '../../../../nodes/api/read/record';
import type { RecordShape } from '../../../../nodes/api/read/record';
import { recordOf } from '../jsonObject';

function itemOf(isSimplified: boolean, text: string, shape?: RecordShape, id = '7') {
	return new RecordItems(isSimplified, shape).item(id, membersOf(recordOf(text, id).content));
}

it('a raw record is the unchanged record of the service', () => {
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (content) => {
			const text = JSON.stringify({ _svcId: 7, ...content });
			expect(itemOf(false, text)).toEqual(JSON.parse(text));
		}),
	);
});

it('a simplified item has the output keys of the fields of the record and its rows, but not of comments', () => {
	const keyOf = (key: string, subtableId = 'record') =>
		key.startsWith('_') ? key : `${key} of ${subtableId}`;
	const text = JSON.stringify({
		...{ 7: 'a', _create_date: 'd', _subtable_5: { 1: { 7: 'b', _star: true } } },
		_subtable_61: { 1: { 7: 'c', 66: 'Hello' } },
	});
	expect(itemOf(true, text, { keyOf })).toEqual({
		...{ _recordId: 7, '7 of record': 'a', _create_date: 'd' },
		_subtable_5: [{ _rowId: 1, '7 of 5': 'b' }],
		_subtable_61: [{ _rowId: 1, 7: 'c', 66: 'Hello' }],
	});
});

it.each([true, false])(
	'a field named __proto__ is returned like any other, simplified: %s',
	(simple) => {
		const item = itemOf(
			simple,
			'{"__proto__":{"polluted":1},"A":{"__proto__":"x"},"_subtable_5":{"1":{"__proto__":"y"}}}',
		);
		expect(Object.keys(item)).toContain('__proto__');
		expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
		expect(JSON.stringify(item)).toContain('"__proto__":{"polluted":1}');
		expect(JSON.stringify(item)).toContain('{"__proto__":"x"}');
		expect(JSON.stringify(item)).toContain('"__proto__":"y"');
		expect(Reflect.get({}, 'polluted')).toBeUndefined();
	},
);

it.each([true, false])(
	'each field and each subtable is kept alone, with the keys that are neither, simplified: %s',
	(simple) => {
		const fields = ['A', 'B', '_subtable_5', '_subtable_7', '_own'];
		const text = JSON.stringify({
			_svcId: 7,
			...Object.fromEntries(fields.map((key) => [key, {}])),
		});
		for (const only of fields.slice(0, 4)) {
			const item = itemOf(simple, text, { onlyKeys: new Set([only]) });
			expect(fields.filter((key) => key in item).sort()).toEqual([only, '_own'].sort());
		}
	},
);

it('IDs are numbers if JavaScript holds them exactly', () => {
	fc.assert(
		fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (id) => {
			const value = numberOrText(String(id));
			expect(String(value)).toBe(String(id));
			expect(typeof value).toBe(id <= BigInt(Number.MAX_SAFE_INTEGER) ? 'number' : 'string');
		}),
	);
	const texts = ['007', '', 'x', '-0', '1.0', '1e3'];
	expect(texts.map(numberOrText)).toEqual(texts);
});

it('items of many records equal the items of single records, in the order of keys', () => {
	const texts = [
		'{"_svcId":1,"_star":false,"_index_title_":"A","Name":"A","Tags":["x"],"7":1}',
		'{"_svcId":2,"_star":true,"_index_title_":"B","Name":"B","Tags":[],"7":2.50}',
		'{"_svcId":3,"Name":"C","_subtable_5":{"9":{"_svcId":9,"Article":"b"},"3":{"Article":"a"}},"Last":1}',
		'{"_svcId":4,"Name":"D","_subtable_5":{},"Last":12345678901234567890}',
		'{"_svcId":5,"Name":"E","_subtable_5":"none","Last":null}',
		'{"_svcId":6,"Name":"F","Name":"G","_title":"own","_index_title_":"T"}',
		'{"__proto__":{"a":1},"constructor":"c","Name":"H"}',
		'{"__proto__":{"a":2},"constructor":"d","Name":"I"}',
		'{}',
		...Array.from({ length: 12 }, (_, index) => `{"Only ${index}":${index}}`),
	];
	const shapes = fc.constantFrom<RecordShape>({}, { onlyKeys: new Set(['Name', '_subtable_5']) });
	const lists = fc.array(fc.constantFrom(...texts), { maxLength: 40 });
	fc.assert(
		fc.property(lists, shapes, fc.boolean(), (list, shape, simple) => {
			const items = new RecordItems(simple, shape);
			const made: unknown[] = [];
			const text = `{${list.map((record, index) => `"${index}":${record}`).join()}}`;
			const rest = atOnce(
				readOrderedJson(text, (id, members) => made.push(items.item(id, members)) > 0),
			);
			expect(rest).toEqual(new Map());
			const alone = list.map((record, index) => itemOf(simple, record, shape, String(index)));
			expect(made).toStrictEqual(alone);
			expect(JSON.stringify(made)).toEqual(JSON.stringify(alone));
		}),
		{ numRuns: 200 },
	);
});
