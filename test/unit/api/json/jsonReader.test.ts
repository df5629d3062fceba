import fc from 'fast-check';
import {
	decodeString,
	elementsPerPart,
	readJson,
	stringEndFrom,
} from '../../../../nodes/api/json/jsonReader';
import {
	membersByKey,
	type JsonReading,
	type JsonLimits,
} from '../../../../nodes/api/json/jsonReading';
import { decoding, type JsonValue } from '../../../../nodes/api/json/orderedJson';

/** Returns the value of a text and the number of steps. */
function read(
	text: string,
	reading: Partial<JsonReading<JsonValue>> = {},
	limits?: JsonLimits,
): { value: JsonValue; pauses: number } {
	const steps = readJson(text, { ...decoding(), ...reading }, limits);
	for (let pauses = 0; ; pauses++) {
		const { done, value } = steps.next();
		if (done) return { value, pauses };
	}
}

const lists = (count: number) => `[${Array(count - 1).fill('[]')}]`;
const elements = (count: number) => `[${Array(count).fill('0')}]`;
const members = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":0`)}}`;

describe('a text that is not JSON', () => {
	it.each([
		{ text: '', problem: 'The text ends too early', position: 0 },
		{ text: ' \n\t\r ', problem: 'The text ends too early', position: 5 },
		{ text: '[', problem: 'The text ends too early', position: 1 },
		{ text: '[1', problem: 'The text ends too early', position: 2 },
		{ text: '[1,', problem: 'The text ends too early', position: 3 },
		{ text: '{', problem: 'The text ends too early', position: 1 },
		{ text: '{"a"', problem: 'The text ends too early', position: 4 },
		{ text: '{"a":', problem: 'The text ends too early', position: 5 },
		{ text: '{"a":1,', problem: 'The text ends too early', position: 7 },
		{ text: '"a', problem: 'The text ends too early', position: 2 },
		{ text: '"a\\"', problem: 'The text ends too early', position: 4 },
		{ text: '{"a\\', problem: 'The text ends too early', position: 4 },
		{ text: 'x', problem: 'Expected a value', position: 0 },
		{ text: '[tru]', problem: 'Expected a value', position: 1 },
		{ text: '[ 1, x]', problem: 'Expected a value', position: 5 },
		{ text: '[1,]', problem: 'Expected a value', position: 3 },
		{ text: '.5', problem: 'Expected a value', position: 0 },
		{ text: '\u00a01', problem: 'Expected a value', position: 0 },
		{ text: '[1 2]', problem: 'Expected "," or "]"', position: 3 },
		{ text: '[1}', problem: 'Expected "," or "]"', position: 2 },
		{ text: '[01]', problem: 'Expected "," or "]"', position: 2 },
		{ text: '[1.]', problem: 'Expected "," or "]"', position: 2 },
		{ text: '[1e]', problem: 'Expected "," or "]"', position: 2 },
		{ text: '{"a":1 "b":2}', problem: 'Expected "," or "}"', position: 7 },
		{ text: '{"a":1]', problem: 'Expected "," or "}"', position: 6 },
		{ text: '[{"a":1]', problem: 'Expected "," or "}"', position: 7 },
		{ text: '{a:1}', problem: 'Expected a string', position: 1 },
		{ text: '{"a":1,}', problem: 'Expected a string', position: 7 },
		{ text: '{1:2}', problem: 'Expected a string', position: 1 },
		{ text: '[{"a":1},{b:1}]', problem: 'Expected a string', position: 10 },
		{ text: '{"a" 1}', problem: 'Expected ":"', position: 5 },
		{ text: '[{"a":1},{"a"1}]', problem: 'Expected ":"', position: 13 },
		{ text: '1 2', problem: 'Expected the end of the text', position: 2 },
		{ text: '[]]', problem: 'Expected the end of the text', position: 2 },
		{ text: '{} x', problem: 'Expected the end of the text', position: 3 },
		{ text: '["\\x"]', problem: 'A string is malformed', position: 1 },
		{ text: '["\n"]', problem: 'A string is malformed', position: 1 },
		{ text: '["\u001f"]', problem: 'A string is malformed', position: 1 },
		{ text: '{"\\u12":1}', problem: 'A string is malformed', position: 1 },
	])(
		'an invalid text is rejected with the position of the fault: $text',
		({ text, problem, position }) => {
			expect(() => read(text)).toThrow(
				expect.objectContaining({
					name: 'JsonSyntaxError',
					message: `${problem} at character ${position}`,
				}),
			);
		},
	);

	it('whitespace around a JSON value is accepted', () => {
		expect(
			read(' \n\t\r[ \n\t\r1 \n\t\r, \n\t\r{ \n\t\r"a" \n\t\r: \n\t\r2 } ] \n\t\r').value,
		).toEqual([1, new Map([['a', 2]])]);
	});
});

describe('limits of a text', () => {
	const limits = { parts: 3, keys: 2 };

	it.each([
		{ what: 'three lists', text: lists(3) },
		{ what: 'three lists and objects', text: '{"a":[],"b":{}}' },
		{ what: 'an object of two keys', text: members(2) },
		{ what: 'a list of any length', text: elements(100) },
	])('$what are within the limits', ({ text }) => {
		expect(() => read(text, {}, limits)).not.toThrow();
	});

	it.each([
		{ what: 'a fourth list', text: lists(4), problem: 'The text has too many objects and lists' },
		{
			what: 'a fourth object',
			text: '[[],{},{}]',
			problem: 'The text has too many objects and lists',
		},
		{ what: 'a third key', text: members(3), problem: 'An object has too many keys' },
		{ what: 'a key thrice', text: '{"a":1,"a":1,"a":1}', problem: 'An object has too many keys' },
	])('$what exceeds the limits', ({ text, problem }) => {
		expect(() => read(text, {}, limits)).toThrow(problem);
	});

	it('a number has at most a million characters', () => {
		expect(read(`[${'1'.repeat(1_000_000)}]`).value).toEqual(['1'.repeat(1_000_000)]);
		expect(() => read(`[${'1'.repeat(1_000_001)}]`)).toThrow('A number is too long at character 1');
	});

	it('an object may have any number of keys without a limit', () => {
		expect(read(members(10_000)).value).toHaveProperty('size', 10_000);
	});
});

it('the reader yields to the event loop after each 200,000 characters, not before', () => {
	const step = 200_000;
	/** Returns a text with a comma at this position. */
	const text = (comma: number) => `["${'x'.repeat(comma - 4)}",0]`;
	expect(read(text(step)).pauses).toBe(1);
	expect(read(text(step - 1)).pauses).toBe(0);
	expect(read(`[${Array(10).fill(`"${'x'.repeat(step / 2)}"`)}]`).pauses).toBe(4);
});

it('onElements() is called after each 1,000 elements of a list', () => {
	const counts = [elementsPerPart - 1, elementsPerPart, 2 * elementsPerPart].map((count) => {
		const call = jest.fn();
		read(`{"a":${elements(count)}}`, { onElements: call });
		return call.mock.calls.length;
	});
	expect(counts).toEqual([0, 1, 2]);
	const ofMembers = jest.fn();
	read(members(elementsPerPart), { onElements: ofMembers });
	expect(ofMembers).not.toHaveBeenCalled();
});

describe('objects passed to take()', () => {
	const taken = (text: string) => {
		const keys: string[] = [];
		const { value } = read(text, { take: (key) => keys.push(key) > 0 });
		return { keys, value };
	};

	it('take() receives only the objects of the outermost object', () => {
		expect(taken('{"a":{"b":{}},"c":[{}],"d":{}}')).toEqual({
			keys: ['a', 'd'],
			value: new Map([['c', [new Map()]]]),
		});
	});

	it('take() receives neither the objects of a list nor the outermost object', () => {
		expect(taken('[{"a":1}]')).toEqual({ keys: [], value: [new Map([['a', 1]])] });
		expect(taken('{"a":1}')).toEqual({ keys: [], value: new Map([['a', 1]]) });
	});
});

describe('keys of consecutive objects', () => {
	const json = fc.json({ maxDepth: 4 });
	const keys = fc.constantFrom('a', 'b', 'c', 'aa', '"', '\\', '1');
	const records = fc.array(fc.array(fc.tuple(keys, json), { maxLength: 4 }), { maxLength: 6 });

	it('each object has its own keys, even if it has more, fewer or other keys than the previous one', () => {
		fc.assert(
			fc.property(records, (list) => {
				const text = list.map(
					(entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`)}}`,
				);
				const { value } = read(`[${text}]`);
				const expected = list.map((entries) => [...new Map(entries).keys()]);
				expect(
					Array.isArray(value) &&
						value.map((object) => object instanceof Map && [...object.keys()]),
				).toEqual(expected);
			}),
		);
	});

	it.each([
		'[{"a":1,"b":2,"c":3},{"a":4,"b":5}]',
		'[{"a":1,"b":2},{"a":4,"b":5,"c":6}]',
		'[{"a":1,"b":2,"c":3},{"a":4,"x":5,"c":6},{"a":7,"x":8,"c":9}]',
		'[{"a":1},{},{"a":2}]',
		'[{"a":{"a":1}},{"a":{"a":2,"b":3}},{"b":{"b":4}}]',
		'[{"ab":1},{"a":2},{"ab":3}]',
	])('keys are read from %s', (text) => {
		const plain = (value: JsonValue): unknown =>
			value instanceof Map
				? Object.fromEntries([...value].map(([key, member]) => [key, plain(member)]))
				: Array.isArray(value)
					? value.map(plain)
					: value;
		expect(JSON.stringify(plain(read(text).value))).toBe(text);
	});

	it('each spelling of a key is decoded once, for up to 2,000 spellings', () => {
		const decoded: string[] = [];
		const key = (token: string) => {
			decoded.push(token);
			return decodeString(token);
		};
		const record = (name: string) => `{"x":{"${name}":1}}`;
		const repeated = ['a', 'b', 'a', 'b'].map(record);
		read(`[${repeated}]`, { key });
		expect(decoded).toEqual(['"x"', '"a"', '"b"']);

		decoded.length = 0;
		const many = Array.from({ length: 2_001 }, (_, index) => `k${index}`);
		read(`[${[...many, ...many].map((name) => `{"${name}":1}`)}]`, { key });
		expect(decoded).toHaveLength(2_002);
	});
});

it('a repeated key keeps its first place and its last value', () => {
	expect([...membersByKey({ keys: ['a', 'b', 'a'], values: [1, 2, 3] })]).toEqual([
		['a', 3],
		['b', 2],
	]);
});

it('a text is plain if it has no escapes and no control characters', () => {
	const seen: Array<[string, boolean]> = [];
	read('["plain","with \\n","plain again"]', {
		text: (json, start, end, isPlain) => {
			seen.push([json.slice(start, end), isPlain]);
			return null;
		},
	});
	expect(seen).toEqual([
		['"plain"', true],
		['"with \\n"', false],
		['"plain again"', true],
	]);
});

it.each([
	{ text: '"', from: 0, end: 1 },
	{ text: 'a"b"', from: 0, end: 2 },
	{ text: 'a"b"', from: 2, end: 4 },
	{ text: 'a\\"b"', from: 0, end: 5 },
	{ text: 'a\\\\"b"', from: 0, end: 4 },
	{ text: 'a\\\\\\"', from: 0, end: -1 },
	{ text: 'a', from: 0, end: -1 },
	{ text: '', from: 0, end: -1 },
])('the rest of a string, $text from $from, ends at $end', ({ text, from, end }) => {
	expect(stringEndFrom(text, from)).toBe(end);
});
