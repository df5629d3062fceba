import fc from 'fast-check';
import { redact, redactionMark } from '../../../nodes/wire/redaction';

/** A secret of one letter cannot be told from the text around it, nor one of the mark's own stars. */
const secrets = fc
	.oneof(
		fc.string({ unit: 'binary', minLength: 4, maxLength: 24 }),
		fc.string({ unit: fc.constantFrom(...'aB3+/= %&"\'\\()!~é😀'), minLength: 4, maxLength: 12 }),
		fc.base64String({ minLength: 8, maxLength: 40 }),
	)
	.filter((secret) => !secret.includes('*'));

/** The forms in which a secret may stand in an address, a header, a body or a record of them. */
const forms: ReadonlyArray<[name: string, form: (secret: string) => string]> = [
	['as it is', (secret) => secret],
	['in a query', encodeURIComponent],
	[
		'in a query with plus signs',
		(secret) => new URLSearchParams([['', secret]]).toString().slice(1),
	],
	[
		'in a normalised address',
		(secret) => new URL(`https://host/?${encodeURIComponent(secret)}`).search.slice(1),
	],
	['in a strictly encoded query', strictlyEncoded],
	['in a query of a query', (secret) => encodeURIComponent(encodeURIComponent(secret))],
	['in JSON', (secret) => JSON.stringify(secret).slice(1, -1)],
	['in base64', (secret) => Buffer.from(secret).toString('base64')],
	['in lower-case percent signs', (secret) => strictlyEncoded(secret).replace(/%../g, lowerCase)],
	['in JSON with escaped slashes', (secret) => jsonText(secret).replace(/\//g, '\\/')],
	['in JSON with every unit escaped', (secret) => everyUnit(secret, (hex) => `\\u${hex}`)],
	['in a page', (secret) => escapedHtml(secret)],
	['in a page, by numbers', (secret) => everyCharacter(secret, (code) => `&#${code};`)],
	[
		'in a page, by other numbers',
		(secret) => everyCharacter(secret, (code) => `&#x${code.toString(16)};`),
	],
	['in an address in a page', (secret) => escapedHtml(encodeURIComponent(secret))],
	['in JSON in a query', (secret) => encodeURIComponent(jsonText(secret))],
	['in an address in JSON', (secret) => jsonText(encodeURIComponent(secret))],
];

function lowerCase(text: string): string {
	return text.toLowerCase();
}

function jsonText(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

function everyUnit(text: string, write: (hex: string) => string): string {
	return text
		.split('')
		.map((unit) => write(unit.charCodeAt(0).toString(16).padStart(4, '0')))
		.join('');
}

function everyCharacter(text: string, write: (code: number) => string): string {
	return Array.from(text, (character) => write(character.codePointAt(0) ?? 0)).join('');
}

function escapedHtml(text: string): string {
	const entities = new Map([
		['&', '&amp;'],
		['<', '&lt;'],
		['>', '&gt;'],
		['"', '&quot;'],
		["'", '&#39;'],
		['+', '&#43;'],
		['/', '&#x2F;'],
		['=', '&#x3d;'],
	]);
	return text.replace(/[&<>"'+/=]/g, (character) => entities.get(character) ?? character);
}

function strictlyEncoded(text: string): string {
	return encodeURIComponent(text).replace(
		/[!'()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}

describe.each(forms)('a secret %s', (_, form) => {
	it('does not remain', () => {
		const around = fc.string({ maxLength: 12 });
		fc.assert(
			fc.property(secrets, around, around, (secret, before, after) => {
				const redacted = redact(`${before}${form(secret)}${after}${form(secret)}`, [secret]);
				expect(redacted).not.toContain(form(secret));
				expect(redacted).toContain(redactionMark);
			}),
			{ numRuns: 500 },
		);
	});

	it('does not remain beside others, longer and shorter', () => {
		fc.assert(
			fc.property(secrets, secrets, (one, other) => {
				const both = `${one}${other}`;
				const redacted = redact(`<${form(both)}> <${form(other)}> <${form(one)}>`, [
					one,
					both,
					other,
				]);
				for (const secret of [one, other]) expect(redacted).not.toContain(form(secret));
			}),
			{ numRuns: 500 },
		);
	});
});

describe('a secret in spellings of several kinds', () => {
	it.each([
		['k\\/y\\u003dword', 'k/y=word'],
		['k%2fy%3Dword', 'k/y=word'],
		['k&#47;y&#x3D;word', 'k/y=word'],
		['k%5C%2Fy=word', 'k/y=word'],
		['a&amp;amp;b%2bc', 'a&b+c'],
		['\\ud83d\\ude00smile', '😀smile'],
	])('goes: %s', (spelled, secret) => {
		expect(redact(`It said <${spelled}>!`, [secret])).toBe('It said <***>!');
	});
});

describe('a secret behind what reads as half an escape', () => {
	it.each([
		['%0', 'a%28a+b', 'a(a b'],
		['%2', 'a%2f+b', 'a/ b'],
		['\\u00', 'ab\\/c', 'ab/c'],
		['&#6', '5%3D5=x', '5=5=x'],
	])('goes: %s%s', (before, spelled, secret) => {
		expect(redact(`${before}${spelled}`, [secret])).not.toContain(spelled);
	});
});

describe('a secret that another one begins', () => {
	it('goes whole', () => {
		expect(redact('word, wordplay', ['word', 'wordplay'])).toBe('***, ***');
		expect(redact('p+ay, p%2Bay%2B', ['p+ay', 'p+ay+'])).toBe('***, ***');
	});
});

describe('a text that was cut', () => {
	it('loses the beginning of a secret through which the cut went', () => {
		const secret = 'k+y/of=the service~1';
		const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
		for (const form of forms) {
			for (let length = 4; length < form.length; length++) {
				const text = `It said: ${form.slice(0, length)}… and more`;
				expect(redact(text, [secret])).toBe('It said: ***… and more');
			}
		}
	});

	it('keeps what only looks like one elsewhere', () => {
		expect(redact('a word… wordp wo…', ['wordplay'])).toBe('a ***… wordp wo…');
	});
});

describe('a text', () => {
	it('stays as it is without secrets in it', () => {
		const texts = fc.string({ unit: fc.constantFrom(...'abc &?=%.:/"'), maxLength: 30 });
		fc.assert(
			fc.property(texts, (text) => {
				expect(redact(text, ['', 'a secret of xyz'])).toBe(text);
			}),
		);
	});

	it.each([
		[
			'https://host/acme?api&APIKey=abc+/=&naming=EID',
			'https://host/acme?api&APIKey=***&naming=EID',
		],
		['https://host/acme?sid=abc#top', 'https://host/acme?sid=***#top'],
		['see "https://host/AUTH?u=a@b&p=word&json=1"', 'see "https://host/AUTH?u=a@b&p=***&json=1"'],
		['?apikey=abc', '?apikey=***'],
		['Authorization: Basic YWJjZGVm+/==', 'Authorization: Basic ***'],
		['{"authorization":"Basic YWJjZGVm"}', '{"authorization":"Basic ***"}'],
		['?step=1&zip=2&aside=3', '?step=1&zip=2&aside=3'],
	])('loses what is secret by its place: %s', (text, redacted) => {
		expect(redact(text, [])).toBe(redacted);
	});

	it('can be cleaned of a secret that holds half of a character', () => {
		expect(redact('key: a\ud83dbc.', ['a\ud83dbc'])).toBe('key: ***.');
	});
});
