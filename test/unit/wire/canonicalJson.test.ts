import fc from 'fast-check';
import { canonicalTexts } from '../../../nodes/wire/canonicalJson';
import { JsonSyntaxError } from '../../../nodes/wire/orderedJson';
import { amount } from '../../amount';
import { jsonSpellings } from '../../service';
import { vectors } from './signatureVectors';

/** The candidates for a text that is `data` of a delivery. */
function candidates(data: string, { before = '', after = '' } = {}): string[] {
	return [...canonicalTexts(`{${before}"data":${data}${after}}`, 'data')];
}

function first(data: string): string {
	const [text = 'none'] = candidates(data);
	return text;
}

/** The keys of every object, in the order of the text, read by a walk over the text's tokens. */
function keysOfObjects(text: string): string[][] {
	const objects: string[][] = [];
	const open: Array<string[] | undefined> = [];
	for (const [, string, colon, other] of text.matchAll(/("(?:[^"\\]|\\.)*")(:?)|([{}[\]])/g)) {
		if (other === '{') {
			const keys: string[] = [];
			objects.push(keys);
			open.push(keys);
		} else if (other === '[') open.push(undefined);
		else if (other) open.pop();
		if (string && colon) open.at(-1)?.push(String(JSON.parse(string)));
	}
	return objects;
}

/** As `JSON.stringify`, with white space that the grammar allows. */
function spacedOut(value: unknown): fc.Arbitrary<string> {
	return fc
		.constantFrom('', ' ', '\t', '\n ', 2)
		.map((space) => JSON.stringify(value, null, space));
}

const anyData = fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' });

describe('the canonical text', () => {
	it.each(vectors)('of $name is among the candidates', ({ delivered, signed }) => {
		expect(candidates(delivered)).toContain(signed);
	});

	it.each(vectors.filter(({ name }) => !name.endsWith('WhenSigned')))(
		'of $name is the first candidate: scalars as they are written',
		({ delivered, signed }) => {
			expect(first(delivered)).toBe(signed);
		},
	);

	it('of any JSON value parses back to the same value, in every spelling', () => {
		fc.assert(
			fc.property(
				anyData.chain((value) => fc.tuple(fc.constant(value), spacedOut(value))),
				([value, text]) => {
					const all = candidates(text);
					expect(all.length).toBeGreaterThan(0);
					const meant: unknown = JSON.parse(JSON.stringify(value));
					for (const candidate of all) expect(JSON.parse(candidate)).toEqual(meant);
				},
			),
			{ numRuns: amount(300, 2000) },
		);
	});

	it('of any JSON value has the keys of every object sorted by code unit', () => {
		const anyKey = fc.oneof(fc.string({ unit: 'binary' }), fc.nat().map(String), fc.constant('é'));
		const inner = fc.dictionary(anyKey, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 6 });
		const anyObjects = fc.array(fc.dictionary(anyKey, inner, { maxKeys: 6 }), { maxLength: 3 });
		fc.assert(
			fc.property(anyObjects, (value) => {
				const found = candidates(JSON.stringify(value)).flatMap(keysOfObjects);
				expect(found).toEqual(found.map((keys) => [...keys].sort()));
			}),
			{ numRuns: 500 },
		);
	});

	it('of any JSON value is one line without white space between tokens', () => {
		fc.assert(
			fc.property(anyData, (value) => {
				const [candidate = ''] = candidates(JSON.stringify(value, null, '\t'));
				const withoutStrings = candidate.replace(/"(?:[^"\\]|\\.)*"/g, '""');
				expect(withoutStrings).not.toMatch(/\s/);
			}),
			{ numRuns: amount(300, 1000) },
		);
	});

	it('is the same for members in any order', () => {
		fc.assert(
			fc.property(
				fc.dictionary(fc.string(), fc.jsonValue()),
				fc.infiniteStream(fc.nat()),
				(object, chance) => {
					const shuffled = Object.entries(object)
						.map((entry): [number, string] => [
							Number(chance.next().value),
							entry.map((part) => JSON.stringify(part)).join(':'),
						])
						.sort(([left], [right]) => left - right)
						.map(([, text]) => text);
					expect(candidates(`[{${shuffled.join(',')}}]`)).toEqual(
						candidates(JSON.stringify([object])),
					);
				},
			),
			{ numRuns: 500 },
		);
	});

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

	it('is made once for each text, and once only where all writers agree', () => {
		expect(candidates('[{"b":"plain text, 1","a":1.0}]')).toEqual([
			'[{"a":1.0,"b":"plain text, 1"}]',
		]);
		const all = candidates('[{"a":"é/<"}]');
		expect(new Set(all).size).toBe(all.length);
	});
});

describe('the member to sign', () => {
	it('stands among others', () => {
		expect(candidates('[1]', { before: '"other":{"data":[2]},', after: ',"x":[]' })).toEqual([
			'[1]',
		]);
	});

	it.each([
		['is missing', '{"other":[1]}'],
		['is inside another one', '{"other":{"data":[1]}}'],
		['is not in an object', '[["data",1]]'],
		['is there twice in different spellings', '{"data":[1],"d\\u0061ta":[2]}'],
		['is there twice in different spellings, the other way round', '{"d\\u0061ta":[1],"data":[2]}'],
		['is there three times', '{"data":[1],"\\u0064ata":[1],"dat\\u0061":[1]}'],
	])('gives no text when it %s', (_what, body) => {
		expect([...canonicalTexts(body, 'data')]).toEqual([]);
	});

	it('is the last one when it is there twice in one spelling, as readers of JSON take it', () => {
		const body = '{"data":[1],"data":[2]}';
		expect([...canonicalTexts(body, 'data')]).toEqual(['[2]']);
		expect(JSON.parse(body)).toEqual({ data: [2] });
	});

	it('may be spelled with escapes', () => {
		expect([...canonicalTexts('{"d\\u0061ta":[1]}', 'data')]).toEqual(['[1]']);
	});
});

describe('keys that are there twice in a record', () => {
	it('count as the last of them in one spelling', () => {
		expect(candidates('[{"1":"a","1":"b"}]')).toEqual(['[{"1":"b"}]']);
	});

	it('stay two in different spellings: nobody signs such a record', () => {
		const one = candidates('[{"1":"b"}]');
		for (const text of candidates('[{"1":"a","\\u0031":"b"}]')) expect(one).not.toContain(text);
		for (const text of candidates('[{"\\u0031":"b","1":"a"}]')) expect(one).not.toContain(text);
	});

	it('may have names that JavaScript treats specially', () => {
		expect(first('[{"constructor":1,"__proto__":{"b":2,"a":3}}]')).toBe(
			'[{"__proto__":{"a":3,"b":2},"constructor":1}]',
		);
	});
});

describe('what is no JSON', () => {
	it.each(['[1', '[01]', '[1,]', "['a']", '["\u0001"]', '["\\x"]', '[NaN]', '[1]]'])(
		'%j gives no text',
		(data) => {
			expect(() => candidates(data)).toThrow(JsonSyntaxError);
		},
	);

	it('nested too deeply gives no text', () => {
		expect(() => candidates(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)).toThrow(JsonSyntaxError);
	});
});
