import { atOnce } from '../../../../nodes/api/json/jsonReading';
import {
	decoding,
	isJsonObject,
	JsonSyntaxError,
	memberText,
	orderedJsonIn,
	parseOrderedJson,
	readOrderedJson,
} from '../../../../nodes/api/json/orderedJson';

describe('nesting', () => {
	const nested = (depth: number, open: string, inner: string, close: string) =>
		open.repeat(depth) + inner + close.repeat(depth);

	it('nesting is read down to 500 levels', () => {
		let value = parseOrderedJson(nested(500, '[', '1', ']'));
		let depth = 0;
		for (; Array.isArray(value) && value.length === 1; depth++) value = value[0] ?? null;
		expect([depth, value]).toEqual([500, 1]);
	});

	it.each([
		['arrays', nested(501, '[', '1', ']')],
		['objects', nested(501, '{"a":', '1', '}')],
		['arrays without an end', '['.repeat(1_000_000)],
	])('nesting of more than 500 levels is rejected: %s', (_, text) => {
		expect(() => parseOrderedJson(text)).toThrow(JsonSyntaxError);
		expect(() => parseOrderedJson(text)).toThrow('nested too deeply');
	});
});

it('distinct keys beyond the limit for sharing stay distinct and in order', () => {
	const keys = Array.from({ length: 5_000 }, (_, index) => String(5_000 - index));
	const record = (id: string) => `"${id}":{"${id}":"own","name":"shared","\\u00e9":"escaped"}`;
	const value = parseOrderedJson(`{${keys.map(record).join(',')}}`);
	const records = value instanceof Map ? [...value] : [];
	expect(
		records.map(([id, content]) => [id, content instanceof Map ? [...content.keys()] : []]),
	).toEqual(keys.map((id) => [id, [id, 'name', 'é']]));
});

it.each([0, 1, 11, 12, 13, 14, 30])(
	'reads texts of %i characters, with escapes or not',
	(length) => {
		for (const text of [
			'x'.repeat(length),
			`${'é'.repeat(length)}"\\`,
			`\n${'語'.repeat(length)}`,
		]) {
			const read = parseOrderedJson(JSON.stringify([text, { [text]: text }]));
			expect(read).toEqual([text, new Map([[text, text]])]);
		}
	},
);

describe('objects taken out of the outermost object', () => {
	const taken: unknown[] = [];
	const take = (text: string) => {
		taken.length = 0;
		const steps = readOrderedJson(text, (key, { keys, values }) => {
			taken.push([key, keys, values]);
			return key !== 'left';
		});
		return atOnce(steps);
	};

	it('taken objects arrive in the order of the text, and the value contains only the other members', () => {
		const text = '{"2":{"b":1,"a":2},"x":[{"y":{}}],"left":{"z":1},"1":{"b":3,"a":4},"n":5}';
		expect(take(text)).toEqual(
			new Map<string, unknown>([
				['x', [new Map([['y', new Map()]])]],
				['left', new Map([['z', 1]])],
				['n', 5],
			]),
		);
		expect(taken).toEqual([
			['2', ['b', 'a'], [1, 2]],
			['left', ['z'], [1]],
			['1', ['b', 'a'], [3, 4]],
		]);
	});
});

it.each([
	['12345678901234567890', '12345678901234567890'],
	['9007199254740993', '9007199254740993'],
	['9007199254740991', 9007199254740991],
	['0.1', 0.1],
	['-0', -0],
	['0.300000000000000040', 0.30000000000000004],
	['0.000000000065E-312', '0.000000000065E-312'],
	['1e400', '1e400'],
	['1e-400', '1e-400'],
	['1e99999999999999999999', '1e99999999999999999999'],
	['-1.50', -1.5],
	['1e3', 1000],
	['1E-3', 0.001],
	['-0.0e5', -0],
	['-12345678901234567890', '-12345678901234567890'],
	['-9007199254740991', -9007199254740991],
	['1234567890.123450000', 1234567890.12345],
	['100000000000000000000000', 1e23],
	['0.000000000000000001', 1e-18],
	['-0.000000000000000001', -1e-18],
	['1.00000000000000000000000001', '1.00000000000000000000000001'],
	['0.00000000000000000000', 0],
	['true', true],
	['false', false],
	['null', null],
])('a scalar keeps its value, if necessary as text: %s is read as %p', (token, value) => {
	expect(parseOrderedJson(token)).toBe(value);
});

it('a text that is not JSON yields undefined', () => {
	expect([orderedJsonIn('[1]'), orderedJsonIn('[1'), orderedJsonIn('')]).toEqual([
		...[[1], undefined, undefined],
	]);
});

it('memberText returns the first text or number of the named members, as text', () => {
	const object = parseOrderedJson('{"a":null,"b":["x"],"c":7,"d":"text"}');
	if (!isJsonObject(object)) throw new Error('It is an object');
	expect(memberText(object, 'missing', 'a', 'b', 'c', 'd')).toBe('7');
	expect(memberText(object, 'd', 'c')).toBe('text');
	expect(memberText(object, 'a', 'missing')).toBeUndefined();
});

it('isJsonObject distinguishes objects from all other values', () => {
	expect(
		['{}', '[]', 'null', '"a"', '1'].map((text) => isJsonObject(parseOrderedJson(text))),
	).toEqual([...[true, false, false, false, false]]);
	expect(isJsonObject(undefined)).toBe(false);
});

describe('texts', () => {
	const jsonText = `["${'x'.repeat(12)}","${'x'.repeat(13)}"]`;

	it('up to 2,000 short texts are shared, further texts are copied', () => {
		const { text } = decoding();
		const parse = jest.spyOn(JSON, 'parse');
		expect([text(jsonText, 1, 15, true), text(jsonText, 16, 31, true)]).toEqual([
			...['x'.repeat(12), 'x'.repeat(13)],
		]);
		expect(parse.mock.calls).toEqual([[`"${'x'.repeat(13)}"`]]);
		parse.mockRestore();
	});

	it('texts as slices are copied only if they have escapes', () => {
		const { text } = decoding('slices');
		const parse = jest.spyOn(JSON, 'parse');
		expect(text(jsonText, 16, 31, true)).toBe('x'.repeat(13));
		expect(parse).not.toHaveBeenCalled();
		expect(text('"\\n"', 0, 4, false)).toBe('\n');
		parse.mockRestore();
	});
});
