import fc from 'fast-check';
import { JsonSyntaxError, parseOrderedJson, parseTaking } from '../../../nodes/wire/orderedJson';
import type { JsonValue } from '../../../nodes/wire/orderedJson';
import { amount } from '../../amount';

/** A JSON object whose members are in an order of their own, and may repeat. */
class Members {
	constructor(readonly list: ReadonlyArray<readonly [string, Tree]>) {}
}
type Tree = null | boolean | number | string | Tree[] | Members;

type Writer = (text: string) => string;

const everythingEscaped: Writer = (text) =>
	`"${Array.from({ length: text.length }, (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')}"`;
const slashesEscaped: Writer = (text) => JSON.stringify(text).replace(/\//g, '\\/');

function write(tree: Tree, text: Writer, space: string): string {
	if (typeof tree === 'string') return text(tree);
	if (Array.isArray(tree)) {
		return `[${space}${tree.map((element) => write(element, text, space)).join(`${space},`)}${space}]`;
	}
	if (!(tree instanceof Members)) return String(tree);
	const members = tree.list.map(
		([key, value]) => `${text(key)}${space}:${space}${write(value, text, space)}`,
	);
	return `{${space}${members.join(`${space},${space}`)}${space}}`;
}

function expected(tree: Tree): JsonValue {
	if (Array.isArray(tree)) return tree.map(expected);
	if (!(tree instanceof Members)) return tree;
	return new Map(tree.list.map(([key, value]) => [key, expected(value)]));
}

/** `toEqual` takes Maps for equal in any order. */
function inOrder(value: JsonValue): unknown {
	if (Array.isArray(value)) return value.map(inOrder);
	if (!(value instanceof Map)) return value;
	return { members: [...value].map(([key, member]) => [key, inOrder(member)]) };
}

function asObject(value: JsonValue): unknown {
	if (Array.isArray(value)) return value.map(asObject);
	if (!(value instanceof Map)) return value;
	return Object.fromEntries([...value].map(([key, member]) => [key, asObject(member)]));
}

const keys = fc.oneof(
	fc.nat({ max: 30 }).map(String),
	fc.constantFrom(
		'__proto__',
		'constructor',
		'\ud83d',
		'toString',
		'',
		' ',
		'-1',
		'007',
		'1000001',
		'"',
		'\\',
	),
	fc.string({ unit: 'binary', maxLength: 6 }),
);
const { tree: trees } = fc.letrec<{ tree: Tree }>((tie) => ({
	tree: fc.oneof(
		{ maxDepth: 4 },
		fc.constantFrom(null, true, false),
		fc.integer(),
		fc.string({ unit: 'binary', maxLength: 8 }),
		fc.array(tie('tree'), { maxLength: 5 }),
		fc.array(fc.tuple(keys, tie('tree')), { maxLength: 8 }).map((list) => new Members(list)),
	),
}));
const writers = fc.constantFrom<Writer>(JSON.stringify, everythingEscaped, slashesEscaped);
const spaces = fc.constantFrom('', ' ', '\n\t', '\r\n  ');

function outcome(parse: () => unknown): 'read' | 'refused' {
	try {
		parse();
		return 'read';
	} catch {
		return 'refused';
	}
}

describe('reading JSON', () => {
	it('keeps keys in the order of the text, whatever they look like', () => {
		fc.assert(
			fc.property(trees, writers, spaces, (tree, writer, space) => {
				const text = `${space}${write(tree, writer, space)}${space}`;
				expect(inOrder(parseOrderedJson(text))).toEqual(inOrder(expected(tree)));
			}),
			{ numRuns: 500 },
		);
	});

	it('does not sort keys that look like integers', () => {
		const read = parseOrderedJson('{"10":{"3":1,"1":2},"9":{},"-1":{},"8":{}}');
		expect(inOrder(read)).toEqual({
			members: [
				[
					'10',
					{
						members: [
							['3', 1],
							['1', 2],
						],
					},
				],
				['9', { members: [] }],
				['-1', { members: [] }],
				['8', { members: [] }],
			],
		});
	});

	it('takes __proto__ for a key like any other', () => {
		const read = parseOrderedJson('{"__proto__":{"polluted":true},"a":1}');
		expect(inOrder(read)).toEqual({
			members: [
				['__proto__', { members: [['polluted', true]] }],
				['a', 1],
			],
		});
		expect(Reflect.get({}, 'polluted')).toBeUndefined();
	});

	it('gives the same values as JSON.parse', () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat({ max: 3 }), (value, indent) => {
				const text = JSON.stringify(value, null, indent);
				expect(asObject(parseOrderedJson(text))).toEqual(JSON.parse(text));
			}),
			{ numRuns: 500 },
		);
	});

	it('reads what JSON.parse reads and refuses what JSON.parse refuses', () => {
		const pieces = fc.constantFrom(
			...['{', '}', '[', ']', ',', ':', '"', '\\', '\\"', '\\u12', '\\ud83d', '0', '1', '-', '.'],
			...['e', 'E+', 'true', 'null', 'nul', ' ', '\n', '\u0001', '\u00a0', 'é', '"a"', '"b":1'],
		);
		fc.assert(
			fc.property(fc.string({ unit: pieces, maxLength: 9 }), (text) => {
				expect(outcome(() => parseOrderedJson(text))).toBe(outcome(() => JSON.parse(text)));
			}),
			{ numRuns: 5000 },
		);
	});

	it('refuses a whole text with one character changed as JSON.parse does', () => {
		const changes = fc.constantFrom('', '"', '\\', '}', ',', '0', 'x', '\u0000');
		fc.assert(
			fc.property(trees, fc.nat(), changes, (tree, position, change) => {
				const whole = write(tree, JSON.stringify, '');
				const at = position % whole.length;
				const text = whole.slice(0, at) + change + whole.slice(at + 1);
				expect(outcome(() => parseOrderedJson(text))).toBe(outcome(() => JSON.parse(text)));
			}),
			{ numRuns: 1000 },
		);
	});
});

describe('a text that is cut off', () => {
	it('is an error wherever it is cut', () => {
		fc.assert(
			fc.property(trees, writers, (tree, writer) => {
				const text = write([tree], writer, '');
				const step = amount(Math.ceil(text.length / 40), 1);
				for (let length = 0; length < text.length; length += step) {
					expect(() => parseOrderedJson(text.slice(0, length))).toThrow(JsonSyntaxError);
				}
			}),
			{ numRuns: 100 },
		);
	});

	it.each(['', '[', '[1', '{"a"', '{"a":', '{"a":"b', '{"a":"b\\'])('says so for %j', (text) => {
		expect(() => parseOrderedJson(text)).toThrow(
			new JsonSyntaxError('The text ends too early', text.length),
		);
	});
});

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
		const text = `[${Array.from({ length: 600 }, () => '[],{},[1],{"a":1}').join()}]`;
		expect(asObject(parseOrderedJson(text))).toEqual(JSON.parse(text));
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
