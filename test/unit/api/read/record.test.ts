import fc from 'fast-check';
import { parseOrderedJson, parseTaking } from '../../../../nodes/api/json/orderedJson';
import {
	numberOrText,
	plain,
	rawParts,
	rawRecord,
	RecordItems,
	recordIdText,
	recordsOf,
	simplifiedParts,
	simplifiedRecord,
} from '../../../../nodes/api/read/record';
import type { RecordShape } from '../../../../nodes/api/read/record';
import { recordOf } from '../jsonObject';

const simplified = (text: string, shape?: RecordShape, id = '7') =>
	simplifiedRecord(recordOf(text, id), shape);
const raw = (text: string, shape?: RecordShape, id = '7') => rawRecord(recordOf(text, id), shape);

describe('records', () => {
	it('come in the order of the text, with the key as id', () => {
		fc.assert(
			fc.property(fc.uniqueArray(fc.nat().map(String)), (list) => {
				const text = `{${list.map((id) => `"${id}":{"_svcId":1}`).join()}}`;
				expect(recordsOf(parseOrderedJson(text))?.map(({ id }) => id)).toEqual(list);
			}),
		);
	});

	it.each(['null', '[]', '"x"', '5', '{"1":5}', '{"1":{},"2":[]}', '{"status":"SUCCESS"}'])(
		'are not %s',
		(text) => {
			expect(recordsOf(parseOrderedJson(text))).toBeUndefined();
		},
	);
});

const order = `{"_svcId":7,"_star":true,"_index_title_":"SO-1","_index_":"x","_index_calDates_":"y",
	"_dataTimestamp":5,"Number":"SO-1","_subtable_5":{"9":{"_svcId":9,"Article":"b"},"3":{"Article":"a"}},
	"Total":12.5,"Tags":["a"],"_seq":3,"Big":12345678901234567890,"Empty":null}`;

describe('a simplified record', () => {
	it('has id, title and star first, then the fields, then subtables as rows in their order', () => {
		expect(Object.entries(simplified(order))).toEqual([
			['_recordId', 7],
			['_title', 'SO-1'],
			['_starred', true],
			['Number', 'SO-1'],
			['Total', 12.5],
			['Tags', ['a']],
			['_seq', 3],
			['Big', '12345678901234567890'],
			['Empty', null],
			[
				'_subtable_5',
				[
					{ _rowId: 9, Article: 'b' },
					{ _rowId: 3, Article: 'a' },
				],
			],
		]);
	});

	it('takes its id from the key, in either spelling of the rest', () => {
		expect(simplified('{"_ragicId":1,"A":"x"}')).toEqual({ _recordId: 7, A: 'x' });
		expect(simplified('{"A":"x"}', {}, '0')).toEqual({ _recordId: 0, A: 'x' });
		expect(simplified('{}', {}, '12345678901234567890')).toEqual({
			_recordId: '12345678901234567890',
		});
	});

	it('keeps a star that is off, a title that is empty, and subtables and rows of another form', () => {
		expect(
			simplified(
				'{"_star":false,"_index_title_":"","_subtable_5":[],"_subtable_6":{},"_subtable_7":{"1":"x"}}',
			),
		).toEqual({
			_recordId: 7,
			_title: '',
			_starred: false,
			_subtable_5: [],
			_subtable_6: [],
			_subtable_7: [{ _rowId: 1, value: 'x' }],
		});
	});

	it('keeps only the fields that are wanted, and what says which record it is', () => {
		const onlyKeys = new Set(['Total', '_subtable_5', 'Missing']);
		expect(simplified(order, { onlyKeys })).toEqual({
			_recordId: 7,
			_title: 'SO-1',
			_starred: true,
			_seq: 3,
			Total: 12.5,
			_subtable_5: [
				{ _rowId: 9, Article: 'b' },
				{ _rowId: 3, Article: 'a' },
			],
		});
		expect(simplified(order, { onlyKeys: new Set(['Number']) })).not.toHaveProperty('_subtable_5');
	});
});

describe('a raw record', () => {
	it('is what the service sent', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (content) => {
				const text = JSON.stringify({ _svcId: 7, ...content });
				expect(raw(text)).toEqual(JSON.parse(text));
			}),
		);
	});

	it('gets its id when the service sent none inside', () => {
		expect(raw('{"A":"x"}')).toEqual({ A: 'x', _recordId: 7 });
		expect(raw('{"A":"x","_ragicId":7}')).toEqual({ A: 'x', _ragicId: 7 });
	});

	it('keeps only the fields that are wanted, and what the service added', () => {
		const text = '{"_svcId":7,"_star":false,"A":1,"B":2,"_subtable_5":{}}';
		expect(raw(text, { onlyKeys: new Set(['B']) })).toEqual({ _svcId: 7, _star: false, B: 2 });
	});
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

it.each([
	['simplified', simplified],
	['raw', raw],
])('dates come out in ISO 8601 when asked to, and stay as they are otherwise: %s', (_, read) => {
	const text = `{"_svcId":7,"Day":"2026/01/31","At":"2026/01/31 09:30","Text":"2026/02/30","Many":["2026/01/31","x"],
		"_create_date":"2026/01/31 09:30:15","_subtable_5":{"1":{"Day":"2026/01/31 10:00:00"}}}`;
	expect(read(text, { isoDates: true, offsetHours: 8 })).toMatchObject({
		Day: '2026-01-31',
		At: '2026-01-31T09:30:00+08:00',
		Text: '2026/02/30',
		Many: ['2026-01-31', 'x'],
		_create_date: '2026-01-31T09:30:15+08:00',
	});
	expect(JSON.stringify(read(text, { isoDates: true }))).toContain('"2026-01-31T10:00:00"');
	expect(read(text, { offsetHours: 8 })).toEqual(read(text));
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

	it('in answers may be numbers or texts, 0 included', () => {
		const ids = [0, 7, '0', '12345678901234567890'];
		expect(ids.map(recordIdText)).toEqual(ids.map(String));
		for (const value of [undefined, null, '', -1, 1.5, 'x', true, []]) {
			expect(recordIdText(value)).toBeUndefined();
		}
	});

	it('as keys of plain values lose their order, but no value', () => {
		expect(plain(parseOrderedJson('{"9":{"b":[1,{"c":null}]},"3":"x"}'))).toEqual({
			9: { b: [1, { c: null }] },
			3: 'x',
		});
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
				const rest = parseTaking(
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
