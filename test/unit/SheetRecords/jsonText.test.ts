import { parseJsonObject } from '../../../nodes/SheetRecords/parameters/jsonText';

const parse = (value: unknown) => parseJsonObject(value, 'Record (JSON)');
const city = { City: 'Lyon' };
const json = '{ "City": "Lyon" }';

it.each([
	['an object of an expression', city],
	['a text', json],
	['a text with white space', `\n ${json}\t\n`],
	['a text with a byte order mark', `\uFEFF${json}`],
	['a code fence', `\`\`\`json\n${json}\n\`\`\``],
	['a code fence without a language', `\`\`\`\n${json}\n\`\`\`\n`],
	['a code fence with Windows line ends', `\`\`\`JSON\r\n${json}\r\n\`\`\`\r\n`],
	['a code fence of tildes', `~~~json\n${json}\n~~~`],
	['a code fence after a byte order mark', `\uFEFF\`\`\`json\n\uFEFF${json}\n\`\`\``],
	[
		'a code fence with words around it',
		`The {new} "city":\n\`\`\`json\n${json}\n\`\`\`\nIs it right?`,
	],
	['a code fence in one line', `\`\`\`json ${json} \`\`\``],
	['code within words', `It is \`${json}\`.`],
	['a text with no-break spaces', `\u00a0${json}\u00a0`],
])('the JSON of %s is parsed', (_, value) => {
	expect(parse(value)).toEqual(city);
});

it.each(['```json\n{}\n```', 'Use ```{}``` here', '`[1]`', '~~~ [] ~~~'])(
	'a value with code is kept: %j',
	(Remark) => {
		const text = JSON.stringify({ Remark });
		expect(parse(text)).toEqual({ Remark });
		expect(parse(`\`\`\`json\n${text}\n\`\`\``)).toEqual({ Remark });
	},
);

it('two code fences are no JSON, because either may be meant', () => {
	const fence = `\`\`\`json\n${json}\n\`\`\``;
	expect(() => parse(`${fence}\nor\n${fence}`)).toThrow('not valid JSON');
});

it.each([
	['a text', '[{ "City": "Lyon" }, { "City": "Oslo" }]'],
	['an array of an expression', [city, city]],
])('a list of records is rejected with the way out: %s', (_, value) => {
	expect(() => parse(value)).toThrow(
		expect.objectContaining({
			message: "'Record (JSON)' is a list of 2 records, but it must be one JSON object",
			description: expect.stringContaining('Split Out'),
		}),
	);
});

it.each([
	{ list: [], count: '0 records' },
	{ list: [city], count: '1 record' },
	{ list: [city, city, city], count: '3 records' },
])('a list of $count is named with its length', ({ list, count }) => {
	for (const value of [JSON.stringify(list), list]) {
		expect(() => parse(value)).toThrow(`'Record (JSON)' is a list of ${count}, but`);
	}
});

it.each(['', 'null', '5', '"text"', 'true', null, undefined, 7])(
	'%j is not an object, and the error shows one',
	(value) => {
		expect(() => parse(value)).toThrow(/must be a JSON object|not valid JSON/);
	},
);

it('the error for broken JSON says where it is broken', () => {
	expect(() => parse('{ "City": Lyon }')).toThrow(/not valid JSON: .+/);
});

it.each([
	['the record', '{ "City": "Lyon", "Status": "Open", "City": "Oslo" }', 'City'],
	['a row', '{ "City": "Lyon", "Items": [{ "Price": 1, "Price": 1 }] }', 'Price'],
	['an escaped key', '{ "City": "Lyon", "C\\u0069ty": "Oslo" }', 'City'],
])(
	'a key that an object has twice is rejected, because one value would be lost: %s',
	(_, text, key) => {
		expect(() => parse(text)).toThrow(
			expect.objectContaining({
				message: `'Record (JSON)' has the key '${key}' twice in one object`,
				description: expect.stringContaining('Keep one'),
			}),
		);
	},
);

it('the same key in several objects is accepted', () => {
	const text = '{ "City": "Lyon", "Items": [{ "City": "Lyon" }, { "City": "Lyon" }] }';
	expect(parse(text)).toEqual({ ...city, Items: [city, city] });
});
