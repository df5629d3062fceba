import {
	JsonSyntaxError,
	parseOrderedJson,
	parseTaking,
} from '../../../../nodes/api/json/orderedJson';
import type { JsonValue } from '../../../../nodes/api/json/orderedJson';

/** Objects as lists of their members: `toEqual` takes Maps for equal in any order. */
function inOrder(value: JsonValue): unknown {
	if (Array.isArray(value)) return value.map(inOrder);
	if (!(value instanceof Map)) return value;
	return [...value].map(([key, member]) => [key, inOrder(member)]);
}

it('does not sort keys that look like integers, and takes __proto__ for a key like any other', () => {
	const read = parseOrderedJson('{"10":{"3":1,"1":2},"9":0,"__proto__":{"polluted":1},"8":0}');
	const members = '[["10",[["3",1],["1",2]]],["9",0],["__proto__",[["polluted",1]]],["8",0]]';
	expect(JSON.stringify(inOrder(read))).toBe(members);
	expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

it.each(['', '[', '[1', '{"a"', '{"a":', '{"a":"b', '{"a":"b\\'])(
	'a text that is cut off is an error that says so: %j',
	(text) => {
		expect(() => parseOrderedJson(text)).toThrow(
			new JsonSyntaxError('The text ends too early', text.length),
		);
	},
);

describe('nesting', () => {
	const nested = (depth: number, open: string, inner: string, close: string) =>
		open.repeat(depth) + inner + close.repeat(depth);

	it('is read down to 500 levels', () => {
		let value = parseOrderedJson(nested(500, '[', '1', ']'));
		let depth = 0;
		for (; Array.isArray(value) && value.length === 1; depth++) value = value[0] ?? null;
		expect([depth, value]).toEqual([500, 1]);
	});

	it.each([
		['arrays', nested(501, '[', '1', ']')],
		['objects', nested(501, '{"a":', '1', '}')],
		['arrays without an end', '['.repeat(1_000_000)],
	])('is refused when deeper: %s', (_, text) => {
		expect(() => parseOrderedJson(text)).toThrow(JsonSyntaxError);
		expect(() => parseOrderedJson(text)).toThrow('nested too deeply');
	});

	it('counts levels, not brackets', () => {
		const text = `[${'[],{},[1],{"a":1},'.repeat(600)}0]`;
		expect(parseOrderedJson(text)).toHaveLength(2401);
	});
});

it('keeps more different keys apart than it remembers, and their order', () => {
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
			expect(parseOrderedJson(JSON.stringify([text, { [text]: text }]))).toEqual([
				text,
				new Map([[text, text]]),
			]);
		}
	},
);

describe('objects that are taken out of the outermost one', () => {
	const taken: unknown[] = [];
	const take = (text: string) => {
		taken.length = 0;
		return parseTaking(text, (key, { keys, values }) => {
			taken.push([key, keys, values]);
			return key !== 'left';
		});
	};

	it('come in the order of the text, and only others are in the value', () => {
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

	it('have the keys that they have, whatever the one before has', () => {
		const objects = [
			'{"a":1,"b":2}',
			'{"a":3}',
			'{}',
			'{"a":4,"bb":5}',
			'{"a":6,"b":7,"c":8}',
			'{"b":9}',
		];
		take(`{${objects.map((object, index) => `"${index}":${object}`).join()}}`);
		expect(taken).toEqual([
			['0', ['a', 'b'], [1, 2]],
			['1', ['a'], [3]],
			['2', [], []],
			['3', ['a', 'bb'], [4, 5]],
			['4', ['a', 'b', 'c'], [6, 7, 8]],
			['5', ['b'], [9]],
		]);
	});
});

it.each([
	['12345678901234567890', '12345678901234567890'],
	['-12345678901234567890', '-12345678901234567890'],
	['9007199254740993', '9007199254740993'],
	['9007199254740991', 9007199254740991],
	['0.1', 0.1],
	['1.10', 1.1],
	['1.0', 1],
	['-0', -0],
	['0.30000000000000004', 0.30000000000000004],
	['0.300000000000000040', 0.30000000000000004],
	['3.14159265358979323846', '3.14159265358979323846'],
	['1e3', 1000],
	['1.5E-3', 0.0015],
	['1e400', '1e400'],
	['-1e400', '-1e400'],
	['1e-400', '1e-400'],
	['0e999', 0],
	['1e99999999999999999999', '1e99999999999999999999'],
])('a number keeps its value, if need be as its own text: %s is read as %p', (token, value) => {
	expect(parseOrderedJson(token)).toBe(value);
});

it.each(['01', '1.', '.5', '+1', '-', '1e', '1e+', '0x10', 'NaN', 'Infinity', '1_000', '--1'])(
	'%s is no number',
	(token) => {
		expect(() => parseOrderedJson(token)).toThrow(JsonSyntaxError);
	},
);
