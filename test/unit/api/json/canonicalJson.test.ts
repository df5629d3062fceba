import { jsonSpellings } from '../../../service/webhooks/signingKey';
import { vectors } from '../webhooks/signatureVectors';
import { signableTexts } from './signableTexts';

/** The candidates for the member `data` of a body; that they say what was delivered, test/unit/hostile holds. */
const candidates = (data: string) => signableTexts(`{"data":${data}}`);

describe('the canonical text', () => {
	it.each(vectors.filter(({ name }) => !name.endsWith('WhenSigned')))(
		'of $name is the first candidate: scalars as they are written',
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
		'of a list of %d elements has all of them',
		(count) => {
			const numbers = Array.from({ length: count }, (_, index) => index);
			const data = JSON.stringify([numbers, ...numbers, { b: numbers, a: [[numbers, {}]] }, 'end']);
			const sorted = data.replace(/"b":(.*),"a":(.*)\},"end"/, '"a":$2,"b":$1},"end"');
			expect(candidates(data)).toEqual([sorted]);
		},
	);

	it('is made once only where all writers agree', () => {
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

describe('keys that are there twice in a record', () => {
	it('count as the last of them in one spelling', () => {
		expect(candidates('[{"1":"a","1":"b"}]')).toEqual(['[{"1":"b"}]']);
	});

	it('stay two in different spellings: nobody signs such a record', () => {
		const one = candidates('[{"1":"b"}]');
		for (const text of candidates('[{"1":"a","\\u0031":"b"}]')) expect(one).not.toContain(text);
		for (const text of candidates('[{"\\u0031":"b","1":"a"}]')) expect(one).not.toContain(text);
	});
});
