import * as fc from 'fast-check';
import { flatObjectIn } from '../../../../nodes/api/json/flatObjects';
import { readJson } from '../../../../nodes/api/json/jsonReader';
import { atOnce, membersByKey } from '../../../../nodes/api/json/jsonReading';
import { decoding, readOrderedJson } from '../../../../nodes/api/json/orderedJson';
import type { JsonReading, Steps } from '../../../../nodes/api/json/jsonReading';
import type { JsonValue } from '../../../../nodes/api/json/orderedJson';

/** Returns the taken objects with their members in order, and the rest of the text or the message of its error. */
function outcome(read: (take: JsonReading<JsonValue>['take']) => Steps<JsonValue>) {
	const taken: unknown[] = [];
	const take: JsonReading<JsonValue>['take'] = (key, members) => {
		const isRecord = /^\d+$/.test(key);
		if (isRecord) taken.push([key, [...membersByKey(members)]]);
		return isRecord;
	};
	try {
		return { taken, rest: atOnce(read(take)) };
	} catch (error) {
		return { taken, error: String(error) };
	}
}

/** The outcome of the reader that reads a page at once where it can, and that of the reader of single values. */
function outcomes(text: string) {
	return [
		outcome((take) => readOrderedJson(text, take)),
		outcome((take) => readJson(text, { ...decoding(), take })),
	];
}

const [space, key, value] = [
	['', ' ', '\n\t '],
	[
		'"Name"',
		'"Name"',
		'"é\\u00e9"',
		'"1"',
		'"10"',
		'"1000003"',
		'"__proto__"',
		'""',
		'"a\\"}"',
		'"\\\\"',
	],
	[
		...['""', '"}"', '"\\"}"', '"\\\\"', '"a\\\\\\"b"', '"x, 1e5"', '"{"', '"[["', '"\\ud800"'],
		...[
			'0',
			'-0',
			'1.50',
			'123456789012345',
			'1234567890123456',
			'-123456789012345',
			'1e3',
			'2E-3',
		],
		...[
			'0.1000000000000000055',
			'12345678901234567890',
			'true',
			'false',
			'null',
			'[]',
			'["a","b"]',
		],
		...['[1,2e1]', '[[1]]', '{}', '{"2":{"b":1},"1":{}}', '"2026/03/04 12:33:22"'],
		...['01', '1.', '.5', '+1', 'True', '"\n"', '"\\x"', '"', '', '[', ']', '}', '1 2', '"a""b"'],
	],
].map((choices) => fc.constantFrom(...choices)) as [
	fc.Arbitrary<string>,
	fc.Arbitrary<string>,
	fc.Arbitrary<string>,
];

const member = fc.tuple(key, space, value, space).map(([name, before, content, after]) => {
	return `${before}${name}${after}:${before}${content}${after}`;
});
const record = fc.array(member, { maxLength: 6 }).map((members) => `{${members.join(',')}}`);
const page = fc
	.array(fc.tuple(fc.constantFrom('1', '20', '3', 'info', '3'), record), { maxLength: 4 })
	.map((records) => `{${records.map(([id, content]) => `"${id}":${content}`).join(',')}}`);

it('a page that is read at once where possible has the same records, values and errors as read value by value', () => {
	fc.assert(
		fc.property(page, (text) => {
			const [atOncePage, byValue] = outcomes(text);
			expect(atOncePage).toEqual(byValue);
		}),
		{ numRuns: 5_000 },
	);
});

it('the same holds for a page that ends too early', () => {
	const text = '{"7":{"Name":"a","List":["b"],"Number":12},"8":{"Name":"\\"c"}}';
	for (let length = 0; length <= text.length; length++) {
		const [atOncePage, byValue] = outcomes(text.slice(0, length));
		expect(atOncePage).toEqual(byValue);
	}
});

it.each([
	['texts, numbers, words and lists', '{"a":"b}","c":1.5,"d":null,"e":["f",2]}', true],
	['no members', '{}', true],
	['a number of 15 digits', '{"a":123456789012345}', true],
	['a number of 16 digits', '{"a":1234567890123456}', false],
	['an exponent', '{"a":1e3}', false],
	['an object', '{"a":{}}', false],
	['a list in a list', '{"a":[[]]}', false],
	['a key that looks like an integer', '{"b":1,"7":2}', false],
	['200,000 characters', `{"a":"${'x'.repeat(200_000)}"}`, false],
])('an object with %s is read at once: %s → %s', (_, text, isFlat) => {
	expect(flatObjectIn(text, 0)?.end).toBe(isFlat ? text.length : undefined);
});

it.each([
	{ records: ['{"a":1}', '{"a":1}', '{"a":1}'], tried: 3 },
	{ records: ['{"1":1}', '{"a":1}', '{"a":1}'], tried: 1 },
	{ records: ['{"a":1}', '{"a":{}}', '{"a":{}}', '{"a":{}}', '{"a":1}'], tried: 3 },
])('records are tried at once until most are not flat: $records', ({ records, tried }) => {
	let tries = 0;
	const flatObject = (text: string, from: number) => {
		tries++;
		return flatObjectIn(text, from);
	};
	const text = `{${records.map((record, index) => `"${index + 1}":${record}`).join(',')}}`;
	const taken: string[] = [];
	const take = (id: string) => taken.push(id) > 0;
	atOnce(readJson(text, { ...decoding(), take, flatObject }));
	expect(taken).toHaveLength(records.length);
	expect(tries).toBe(tried);
});

it('lists and records that were read at once count towards the limit of objects and lists', () => {
	const text = `{"1":{"a":[],"b":[]}}`;
	const read = (parts: number) =>
		atOnce(
			readJson(
				text,
				{ ...decoding(), take: () => true, flatObject: flatObjectIn },
				{ parts, keys: Infinity },
			),
		);
	expect(read(4)).toEqual(new Map());
	expect(() => read(3)).toThrow('too many objects and lists');
});
