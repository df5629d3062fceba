import { jsonSpellings } from '../../../service/webhooks/signingKey';
import { vectors } from '../webhooks/signatureVectors';
import {
	chunkLength,
	digest,
	longTextLength,
	readSigned,
	respelled,
	spellingsOf,
	textDigest,
} from '../../../../nodes/api/json/canonicalJson';
import { atOnce } from '../../../../nodes/api/json/jsonReading';
import { isJsonObject, parseOrderedJson } from '../../../../nodes/api/json/orderedJson';
import { signableTexts } from './signableTexts';

/**
 * Returns the candidates for the member `data` of a body. The test in test/unit/hostile checks that they match the delivered
 * content.
 */
const candidates = (data: string) => signableTexts(`{"data":${data}}`);

describe('the canonical text', () => {
	it.each(vectors.filter(({ name }) => !name.endsWith('WhenSigned')))(
		'of $name is the first candidate, with scalars spelled as in the text',
		({ delivered, signed }) => {
			expect(candidates(delivered)[0]).toBe(signed);
		},
	);

	it.each(Object.entries(jsonSpellings))(
		'is found when the signer spells texts as %s and the sender in any other way',
		(_name, signerSpells) => {
			const text = 'a/b </i> <&=\'"\\ é ÿ – “€” \u2028 😀\u0085\n\u0001';
			const signed = `[{${signerSpells('k/é')}:${signerSpells(text)}}]`;
			for (const senderSpells of Object.values(jsonSpellings)) {
				const sent = `[ {${senderSpells('k/é')}: ${senderSpells(text)}} ]`;
				expect(candidates(sent)).toContain(signed);
			}
		},
	);

	it.each([999, 1_000, 1_001, 2_000, 3_456])(
		'the canonical text of a list of %d elements has all elements',
		(count) => {
			const numbers = Array.from({ length: count }, (_, index) => index);
			const data = JSON.stringify([numbers, ...numbers, { b: numbers, a: [[numbers, {}]] }, 'end']);
			const sorted = data.replace(/"b":(.*),"a":(.*)\},"end"/, '"a":$2,"b":$1},"end"');
			expect(candidates(data)).toEqual([sorted]);
		},
	);

	it('the canonical text has a single spelling only if all writers agree', () => {
		const agreed = '[{"a":1.0,"b":"plain text, 1"}]';
		expect(candidates('[{"b":"plain text, 1","a":1.0}]')).toEqual([agreed]);
	});
});

it.each([
	['stands among others', '{"other":{"data":[2]},"data":[1],"x":[]}', ['[1]']],
	['may be spelled with escapes', '{"d\\u0061ta":[1]}', ['[1]']],
	['is the last one of one spelling, as readers of JSON take it', '{"data":1,"data":2}', ['2']],
	['is missing', '{"other":[1]}', []],
	['is not in an object', '[["data",1]]', []],
	['is there twice in different spellings', '{"data":[1],"d\\u0061ta":[2]}', []],
	['is there three times', '{"data":[1],"\\u0064ata":[1],"dat\\u0061":[1]}', []],
])('the member to sign %s: %s', (_what, body, expected) => {
	expect(signableTexts(body)).toEqual(expected);
});

describe('repeated keys in a record', () => {
	it('a key that occurs twice in one spelling counts with its last value', () => {
		expect(candidates('[{"1":"a","1":"b"}]')).toEqual(['[{"1":"b"}]']);
	});

	it('a key that occurs in two spellings makes the record unsigned', () => {
		const canonical = candidates('[{"1":"b"}]');
		for (const text of candidates('[{"1":"a","\\u0031":"b"}]'))
			expect(canonical).not.toContain(text);
		for (const text of candidates('[{"\\u0031":"b","1":"a"}]'))
			expect(canonical).not.toContain(text);
	});
});

describe('the spellings of a canonical text', () => {
	/** Characters that some serializers escape, and neighboring characters that none escapes. */
	const characters = [
		...['"', '\\', '/', '</', '~', '\u007f', '\u009f', '\u00a0', '\u1fff', '\u2000', '\u2027'],
		...['\u2028', '\u2029', '\u202a', '\u20ff', '\u2100', '\uffff', '<', '>', '&', "'", '=', ';'],
		...['\n', '\u001f', '\ud800', '😀', '$', '%', '(', '?', '@', 'a'],
	];
	const all = [
		...['\\u007f', '\\u009f', '\\u00a0', '\\u1fff', '\\u2000', '\\u2027', '\\u2028', '\\u2029'],
		...['\\u202a', '\\u20ff', '\\u2100', '\\uffff'],
	];
	const html = ['\\u003c', '\\u003e', '\\u0026', '\\u0027', '\\u003d'];
	const punctuation = [
		...['\\u007f', '\\u009f', '\\u2000', '\\u2027', '\\u2028', '\\u2029', '\\u202a', '\\u20ff'],
	];
	const slashes = ['\\/', '<\\/'];
	const pair = '\\ud83d\\ude00';
	const inCapitals = (texts: string[]) =>
		texts.map((text) =>
			text.replace(/u(.{4})/g, (_, digits: string) => `u${digits.toUpperCase()}`),
		);

	it.each([
		{ spelling: 0, writer: 'its own', escaped: [] },
		{ spelling: 1, writer: 'JSON.stringify', escaped: [] },
		{ spelling: 2, writer: 'slashes', escaped: slashes },
		{ spelling: 3, writer: 'all but ASCII', escaped: [...all, pair] },
		{ spelling: 4, writer: 'slashes and all but ASCII', escaped: [...slashes, ...all, pair] },
		{
			spelling: 5,
			writer: 'all but ASCII, in capitals',
			escaped: inCapitals([...all, '\\u001f', '\\ud800', pair]),
		},
		{
			spelling: 6,
			writer: 'slashes and all but ASCII, in capitals',
			escaped: inCapitals([...slashes, ...all, '\\u001f', '\\ud800', pair]),
		},
		{
			spelling: 7,
			writer: 'what HTML and JavaScript take otherwise',
			escaped: ['\\u003c/', '\\u2028', '\\u2029', ...html],
		},
		{
			spelling: 8,
			writer: 'what HTML takes otherwise, and all but ASCII',
			escaped: ['\\u003c/', ...all, ...html, pair],
		},
		{ spelling: 9, writer: 'line ends of JavaScript', escaped: ['\\u2028', '\\u2029'] },
		{ spelling: 10, writer: 'punctuation and end tags', escaped: ['<\\/', ...punctuation] },
		{
			spelling: 11,
			writer: 'punctuation and slashes, in capitals',
			escaped: inCapitals([...slashes, ...punctuation, '\\u001f', '\\ud800']),
		},
	])('spelling number $spelling escapes $writer', ({ spelling, escaped }) => {
		const changed = characters
			.map((character) => ({
				usual: JSON.stringify(character),
				spelt: [...respelled(JSON.stringify(character), spelling)].join(''),
			}))
			.filter(({ usual, spelt }) => spelt !== usual)
			.map(({ spelt }) => spelt.slice(1, -1));
		expect(changed.sort()).toEqual([...escaped].sort());
	});

	it('a text without ambiguous characters has one spelling, any other text twelve', () => {
		expect(spellingsOf('[1,"plain text; ~"]')).toEqual([0]);
		for (const text of ['\\"', '/', '<', '>', '&', '=', "'", '\u007f', '\uffff']) {
			expect(spellingsOf(`["${text}"]`)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
		}
	});

	it('spellings are made in chunks of equal length, the rest in the last chunk', () => {
		const text = `[${Array(7).fill(`"/${'x'.repeat(chunkLength / 2)}"`)}]`;
		const chunks = [...respelled(text, 2)];
		expect(chunks.join('')).toBe(text.replaceAll('/', '\\/'));
		expect(chunks.map(({ length }) => length >= chunkLength)).toEqual([true, true, true, false]);
		expect([...respelled(text, 0)]).toEqual([text]);
		const exact = `["/${'x'.repeat(chunkLength - 5)}"]`;
		expect([...respelled(exact, 2)].map(({ length }) => length)).toEqual([chunkLength, 1]);
	});

	it('spellings change nothing between the string tokens', () => {
		expect([...respelled('{"a":[1.0,"/\\"/",true],"b/":null}', 2)].join('')).toBe(
			'{"a":[1.0,"\\/\\"\\/",true],"b\\/":null}',
		);
		expect([...respelled('["a\\/b"]', 1)].join('')).toBe('["a/b"]');
	});
});

describe('the text to sign', () => {
	const signed = (data: string) => atOnce(readSigned(`{"data":${data}}`, 'data')).signedText;

	it('the text to sign has its keys sorted by characters at every depth, and no whitespace', () => {
		expect(
			signed('{ "b" : { "10":1, "9":2, "B":3 } , "a" : [ { "d":1 , "c":2 } , [ ] , { } ] }'),
		).toBe('{"a":[{"c":2,"d":1},[],{}],"b":{"10":1,"9":2,"B":3}}');
	});

	it.each([
		['"a!":1,"a":2', '"a":2,"a!":1'],
		['"\\u0062":1,"a":2', '"a":2,"\\u0062":1'],
		['"_subtable_20":1,"_subtable_2":2', '"_subtable_2":2,"_subtable_20":1'],
		['"é":1,"z":2', '"z":2,"é":1'],
	])('keys are sorted by what they say, not by how they are written: {%s}', (sent, sorted) => {
		expect(signed(`[{${sent}}]`)).toBe(`[{${sorted}}]`);
	});

	it('the text to sign of records with the same keys in any order has their own values', () => {
		expect(signed('[{"b":1,"a":2},{"b":3,"a":4},{"a":5,"b":6},{"b":7}]')).toBe(
			'[{"a":2,"b":1},{"a":4,"b":3},{"a":5,"b":6},{"b":7}]',
		);
	});

	it.each([0, 1, 999, 1_000, 1_001, 2_000, 2_500])(
		'the text to sign has all elements of a list of %i elements',
		(count) => {
			const list = `[${Array.from({ length: count }, (_, index) => `[${index}]`)}]`;
			expect(signed(list)).toBe(list);
			expect(signed(`[${list},{"a":${list}},1]`)).toBe(`[${list},{"a":${list}},1]`);
		},
	);

	it('the text to sign has long elements', () => {
		const long = `"${'x'.repeat(longTextLength)}"`;
		expect(signed(`[1,${long},[${long}],2]`)).toBe(`[1,${long},[${long}],2]`);
	});

	it('the text to sign is that of a member of the outermost object only', () => {
		const of = (body: string) => atOnce(readSigned(body, 'data')).signedText;
		expect(of('{"a":{"data":1}}')).toBeUndefined();
		expect(of('{"a":{"data":1},"data":2}')).toBe('2');
		expect(of('[{"data":1}]')).toBeUndefined();
		expect(of('{}')).toBeUndefined();
		expect(of('1')).toBeUndefined();
	});

	it('the text to sign is returned with the value that the parser returns', () => {
		const body = '{"2":{"b":1,"a":["x","\\u00e9",12345678901234567890]},"1":null}';
		expect(atOnce(readSigned(body, 'data')).value).toEqual(parseOrderedJson(body));
	});

	it('a body with a malformed escape, even in a key, has no text to sign', () => {
		expect(() => atOnce(readSigned('{"data":1,"\\x":2}', 'data'))).toThrow('A string is malformed');
	});

	it('a body that exceeds the limits has no text to sign', () => {
		const limits = { parts: 2, keys: 1 };
		expect(() => atOnce(readSigned('{"data":[]}', 'data', limits))).not.toThrow();
		expect(() => atOnce(readSigned('{"data":[[]]}', 'data', limits))).toThrow('too many objects');
	});
});

describe('a digest', () => {
	const of = (text: string) => {
		const value = parseOrderedJson(text);
		if (!isJsonObject(value)) throw new Error('It is no object');
		return digest(value);
	};

	it('a digest does not depend on the order of keys at any depth', () => {
		const texts = [
			'{"b":{"y":1,"x":[{"q":1,"p":2}]},"a":2}',
			'{"a":2,"b":{"x":[{"p":2,"q":1}],"y":1}}',
		];
		expect(new Set(texts.map(of)).size).toBe(1);
	});

	it('a digest depends on the content, its types and the order of lists', () => {
		const texts = [
			...['{}', '{"a":1}', '{"a":2}', '{"b":1}', '{"a":"1"}', '{"a":null}', '{"a":true}'],
			...['{"a":[1,2]}', '{"a":[2,1]}', '{"a":{"b":1}}', '{"a":{"b":2}}', '{"a":1,"b":1}'],
		];
		expect(new Set(texts.map(of)).size).toBe(texts.length);
	});

	it('a digest is SHA-256 in base64', () => {
		expect(textDigest('abc')).toBe('ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=');
		expect(of('{"b":[true],"a":{"d":1,"c":2}}')).toBe(
			textDigest('[["a",[["c",2],["d",1]]],["b",[true]]]'),
		);
	});
});
