import fc from 'fast-check';
import { parseOrderedJson } from '../../../../nodes/api/json/orderedJson';
import {
	numberOrText,
	rawParts,
	rawRecord,
	RecordItems,
	recordsOf,
	simplifiedParts,
	simplifiedRecord,
	type RecordShape,
} from '../../../../nodes/api/read/record';
import { recordOf } from '../jsonObject';

const simplified = (text: string) => simplifiedRecord(recordOf(text, '7'));
const raw = (text: string) => rawRecord(recordOf(text, '7'));

describe('records', () => {
	it('come in the order of the text, with the key as id', () => {
		fc.assert(
			fc.property(fc.uniqueArray(fc.nat().map(String)), (list) => {
				const text = `{${list.map((id) => `"${id}":{"_svcId":1}`).join()}}`;
				expect(recordsOf(parseOrderedJson(text))?.map(({ id }) => id)).toEqual(list);
			}),
		);
	});
});

it('a raw record is what the service sent', () => {
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (content) => {
			const text = JSON.stringify({ _svcId: 7, ...content });
			expect(raw(text)).toEqual(JSON.parse(text));
		}),
	);
});

describe.each([
	['simplified', simplified],
	['raw', raw],
])('a field called __proto__ in a %s record', (_, read) => {
	it('is a field like any other', () => {
		const item = read(
			'{"__proto__":{"polluted":1},"A":{"__proto__":"x"},"_subtable_5":{"1":{"__proto__":"y"}}}',
		);
		expect(Object.keys(item)).toContain('__proto__');
		expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
		expect(JSON.stringify(item)).toContain('"__proto__":{"polluted":1}');
		expect(JSON.stringify(item)).toContain('{"__proto__":"x"}');
		expect(JSON.stringify(item)).toContain('"__proto__":"y"');
		expect(Reflect.get({}, 'polluted')).toBeUndefined();
	});
});

describe('ids', () => {
	it('are numbers when JavaScript holds them exactly', () => {
		fc.assert(
			fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (id) => {
				const value = numberOrText(String(id));
				expect(String(value)).toBe(String(id));
				expect(typeof value).toBe(id <= BigInt(Number.MAX_SAFE_INTEGER) ? 'number' : 'string');
			}),
		);
		const others = ['007', '', 'x', '-0', '1.0', '1e3'];
		expect(others.map(numberOrText)).toEqual(others);
	});
});

describe('items of many records', () => {
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
	const keyedTexts = fc.array(fc.constantFrom(...texts), { maxLength: 40 });

	it.each([
		['simplified', simplifiedParts, simplifiedRecord],
		['raw', rawParts, rawRecord],
	] as const)('are what each record is by itself, in the order of keys: %s', (_, parts, single) => {
		const shapes = fc.constantFrom<RecordShape>({}, { onlyKeys: new Set(['Name', '_subtable_5']) });
		fc.assert(
			fc.property(keyedTexts, shapes, (list, shape) => {
				const items = new RecordItems(parts, shape);
				const made: unknown[] = [];
				const rest = parseOrderedJson(
					`{${list.map((text, index) => `"${index}":${text}`).join()}}`,
					(id, members) => made.push(items.item(id, members)) > 0,
				);
				expect(rest).toEqual(new Map());
				const alone = list.map((text, index) => single(recordOf(text, String(index)), shape));
				expect(made).toStrictEqual(alone);
				expect(made.map((item) => JSON.stringify(item))).toEqual(
					alone.map((item) => JSON.stringify(item)),
				);
			}),
		);
	});
});
