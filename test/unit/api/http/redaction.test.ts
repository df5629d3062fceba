import fc from 'fast-check';
import { redactedText, redacting, secretDetector } from '../../../../nodes/api/http/redaction';
import { runs } from '../../../amount';
import { secretForms } from '../../../engine/secrets';

const numRuns = runs(40, 250);
const odd = fc.constantFrom(...'aB3+/= %&"\'\\()!~é😀');
/** Keys long enough to be found even if a text before or after them merges with some of their characters to an escape. */
const keys = fc.oneof(
	fc.base64String({ minLength: 24, maxLength: 44 }).filter((key) => key.length >= 24),
	fc.string({ unit: odd, minLength: 24, maxLength: 30 }),
);
const passwords = fc
	.string({ unit: odd, minLength: 8, maxLength: 12 })
	.filter((password) => password === password.trim());
const blanks = fc.string({ unit: fc.constantFrom(...'xyz .,:<>'), maxLength: 12 });
const secretsInTexts = fc.oneof(
	fc.tuple(passwords, blanks, blanks),
	fc.tuple(keys, fc.string(), fc.string()),
);

it.each(Object.entries(secretForms))('a secret %s is found in any text', (_, form) => {
	fc.assert(
		fc.property(secretsInTexts, ([secret, before, after]) => {
			expect(secretDetector([secret])(`${before}${form(secret)}${after}`)).toBe(true);
		}),
		{ numRuns },
	);
});

it('a secret is found in any mix of spellings, with up to two nested spellings', () => {
	const code = (character: string) => character.codePointAt(0) ?? 0;
	const zeros = fc.nat({ max: 3 }).map((count) => '0'.repeat(count));
	const spellings = fc.oneof(
		fc.constant((character: string) => character),
		fc.constant(secretForms['in a strictly encoded query'] ?? String),
		fc.constant(secretForms['in JSON'] ?? String),
		fc.constant(secretForms['in JSON with every unit escaped'] ?? String),
		fc.constant(secretForms['in HTML'] ?? String),
		zeros.map((leadingZeros) => (character: string) => `&#${leadingZeros}${code(character)};`),
		zeros.map(
			(leadingZeros) => (character: string) => `&#x${leadingZeros}${code(character).toString(16)};`,
		),
		zeros.map(
			(leadingZeros) => (character: string) =>
				`&#X${leadingZeros}${code(character).toString(16).toUpperCase()};`,
		),
	);
	const mixes = fc.array(spellings, { minLength: 30, maxLength: 30 });
	const spelled = (text: string, mix: Array<(character: string) => string>) =>
		[...text]
			.map((character, index) => {
				const written = mix[index % mix.length]?.(character) ?? '';
				// Characters that could start an escape are always escaped.
				return '%&\\'.includes(written) ? `&#${code(character)};` : written;
			})
			.join('');
	fc.assert(
		fc.property(
			secretsInTexts,
			fc.array(mixes, { minLength: 1, maxLength: 3 }),
			([secret, before, after], layers) => {
				const text = layers.reduce(spelled, secret);
				expect(secretDetector([secret])(`${before}${text}${after}`)).toBe(true);
			},
		),
		{ numRuns },
	);
});

it.each([
	{ spelling: 'a named entity', text: 'refused: S3cret&amp;Key1' },
	{ spelling: 'an entity of an entity', text: 'refused: S3cret&amp;amp;Key1' },
	{ spelling: 'a decimal number', text: 'refused: S3cret&#38;Key1' },
	{ spelling: 'a number with leading zeros', text: 'refused: S3cret&#00038;Key1' },
	{ spelling: 'a hexadecimal number', text: 'refused: S3cret&#x26;Key1' },
	{ spelling: 'a capital hexadecimal number', text: 'refused: S3cret&#X0026;Key1' },
	{ spelling: 'an entity in percent-escapes', text: 'refused: S3cret%26amp%3BKey1' },
	{ spelling: 'an entity in JSON', text: 'refused: S3cret\\u0026amp;Key1' },
	{ spelling: 'percent-escapes in entities', text: 'refused: S3cret&percnt;26Key1' },
])('a password with an ampersand is found when that is $spelling', ({ text }) => {
	expect(secretDetector(['S3cret&Key1'])(text)).toBe(true);
	expect(secretDetector(['&Key1'])(text)).toBe(true);
});

it('an API key is found when its slashes are entities', () => {
	const key = 'abc/defg/hij/klmn';
	for (const entity of ['&sol;', '&#47;', '&#x2F;', '&#x2f;', '&#x0002F;']) {
		expect(secretDetector([key])(`No: ${key.replaceAll('/', entity)}`)).toBe(true);
	}
});

it('a secret with letters whose upper case has several forms is found', () => {
	const unit = fc.constantFrom(...'aBßẞİıŉΰςǅﬁ1!');
	fc.assert(
		fc.property(fc.string({ unit, minLength: 4, maxLength: 12 }), (secret) => {
			for (const written of [secret, secret.toUpperCase(), secret.toLowerCase()]) {
				expect(secretDetector([secret])(`key ${written} …`)).toBe(true);
			}
		}),
		{ numRuns: runs(200) },
	);
});

describe('a secret with characters between its characters', () => {
	const secret = 'bWVtYmVyK2tleS/9MgL4cQ+dW5pdHMvd3JpdGVyAQ==';
	const between = {
		'a NUL': '\0',
		'a line break': '\r\n',
		'a control character': '\u0007',
		'a C1 control character': '\u0085',
		'a color of a terminal': '\u001b[0m',
		'an escaped color of a terminal': '\\u001b[1;31m',
		'a zero-width space': '\u200b',
		'a zero-width joiner': '\u200d',
		'a byte order mark': '\ufeff',
		'a soft hyphen': '\u00ad',
		'a direction mark': '\u202e',
		'a word joiner': '\u2060',
		'an invisible separator': '\u2063',
		'a variation selector': '\ufe0f',
		'a supplementary variation selector': '\u{e0101}',
		'a tag character': '\u{e0041}',
		'a combining grapheme joiner': '\u034f',
		'a Hangul filler': '\u3164',
		'a Hangul Choseong filler': '\u115f',
		'a halfwidth Hangul filler': '\uffa0',
		'a Mongolian vowel separator': '\u180e',
		'a combining underline': '\u0332',
		'a blank': ' ',
		'a no-break space': '\u00a0',
		'an ideographic space': '\u3000',
		'a Braille blank': '\u2800',
		'a hyphen': '-',
		'a tag': '<wbr>',
		'an empty element': '<b></b>',
		'a comment': '<!-- -->',
		'a named entity': '&zwnj;',
		'a known entity': '&shy;',
		'a number entity': '&#8203;',
		'a percent-encoded character': '%E2%80%8B',
		'an escaped percent-encoded character': '%25E2%2580%258B',
		'a JSON escape': '\\u200b',
		'a hexadecimal escape': '\\x00',
		'a code point escape': '\\u{200b}',
		'several kinds': '\u200b&#8203;\0 %00',
	};

	it.each(Object.entries(between))('a secret with %s is found', (_, character) => {
		const judge = secretDetector([secret]);
		expect(judge(`No: ${[...secret].join(character)}.`)).toBe(true);
		expect(judge(`No: ${[...secret.slice(3, 17)].join(character)}.`)).toBe(true);
	});

	it('a secret of fewer than eight characters with invisible characters is found', () => {
		for (const character of ['\0', '\u200b', '\ufe0f', '&#8203;', '%00']) {
			expect(secretDetector(['wordy'])(`No: ${[...'wordy'].join(character)}.`)).toBe(true);
		}
	});

	it('a short secret after a line break and a bracket is found', () => {
		expect(secretDetector(['m7#q'])('No:\n[m7#q]')).toBe(true);
	});

	it.each([
		['in full width', (text: string) => text.replace(/[!-~]/g, toFullWidth)],
		['in mathematical letters', (text: string) => text.replace(/[A-Za-z]/g, toBold)],
		[
			'in full-width percent escapes',
			(text: string) =>
				[...text]
					.map((one) => `%${one.charCodeAt(0).toString(16)}`.replace(/./g, toFullWidth))
					.join(''),
		],
		[
			'in escapes with invisible characters in them',
			(text: string) => [...text].map((one) => `&#\u200b${one.charCodeAt(0)};`).join(''),
		],
	])('a secret %s is found', (_, written) => {
		expect(secretDetector([secret])(`No: ${written(secret)}.`)).toBe(true);
	});

	it('a secret of only accents is not found in every text', () => {
		expect(secretDetector(['\u0301\u0302'])('All is well')).toBe(false);
	});
});

function toFullWidth(character: string): string {
	return String.fromCharCode(character.charCodeAt(0) + 0xfee0);
}

function toBold(letter: string): string {
	const isCapital = letter < 'a';
	const index = letter.charCodeAt(0) - (isCapital ? 65 : 97);
	return String.fromCodePoint((isCapital ? 0x1d400 : 0x1d41a) + index);
}

describe('a part of a secret', () => {
	const secret = 'bWVtYmVyK2tleS/9MgL4cQ+dW5pdHMvd3JpdGVyAQ==';
	const decoded = Buffer.from(secret, 'base64');

	it.each([
		['in another base64', secret.replace(/\+/g, '-').replace(/\//g, '_')],
		['decoded from base64', decoded.toString()],
		['in hexadecimal digits', Buffer.from(secret).toString('hex')],
		['in hexadecimal capitals', Buffer.from(secret).toString('hex').toUpperCase()],
		['decoded from base64 as Latin-1', decoded.toString('latin1')],
		['decoded from base64, a part', decoded.toString().slice(0, 8)],
		[
			'in an address in base64',
			Buffer.from(`?APIKey=${encodeURIComponent(secret)}`).toString('base64'),
		],
	])('eight characters of a secret are found %s', (_, part) => {
		expect(secretDetector([secret])(`No access for <${part}>!`)).toBe(true);
	});

	it('any eight consecutive characters of a secret are found, fewer are not', () => {
		for (let start = 0; start + 8 <= secret.length; start++) {
			expect(secretDetector([secret])(`key ${secret.slice(start, start + 8)} …`)).toBe(true);
			expect(secretDetector([secret])(`key <${secret.slice(start, start + 7)}> …`)).toBe(false);
		}
	});
});

it('letters of a secret are found with characters between them: all, or twelve; fewer than eight are not', () => {
	const letters = 'aB3dE6gH9jK2mN5p';
	for (let length = 7; length <= letters.length; length++) {
		const isFound = secretDetector([letters.slice(0, length)]);
		const foundParts = Array.from({ length }, (_, at) => at + 1).filter((count) =>
			isFound([...letters.slice(0, count)].join(' - ')),
		);
		expect([length, foundParts[0]]).toEqual([
			length,
			length < 8 ? undefined : Math.min(length, 12),
		]);
	}
});

describe('a secret of fewer than eight characters', () => {
	it.each(['word is wrong', 'a WORD', 'swordfish', 'w%6Frd'])(
		'a secret of fewer than eight characters is found as a whole: %s',
		(text) => {
			expect(secretDetector(['word'])(text)).toBe(true);
		},
	);

	it('a part of a secret of fewer than eight characters is not found', () => {
		expect(secretDetector(['wordy'])('a word… wor, ordy and w-o-r-d-y')).toBe(false);
	});

	it('a blank text is not a secret', () => {
		expect(secretDetector(['', ' ', '\n'])('All is well')).toBe(false);
	});
});

describe('a text', () => {
	it.each([
		'Check e-mail and password in the credential.',
		'Field Price: 12,000.00 is not a number (record 1000042, 2026/10/05 12:30:00)',
		'Basic information is required',
		'https://host/acme/sales/1?step=1&zip=2&aside=3&where=1000001,eq,x',
		'%%%41&&amp;\\\\u0041 \ufffd\ufffd\ufffd',
	])('a text is quoted without secrets: %s', (text) => {
		const secrets = ['bWVtYmVyK2tleS/9MgL4cQ+dW5pdHMvd3JpdGVyAQ==', 'Max#Member?=2/ü', 'word1'];
		expect(secretDetector(secrets)(text)).toBe(false);
	});

	it('a text that shares a word of eight letters with a secret is redacted', () => {
		expect(secretDetector(['Customer2024!'])('The customer is locked')).toBe(true);
	});

	it.each([
		'https://host/acme?api&APIKey=abc+/=&naming=EID',
		'https://host/acme?sid=abc#top',
		'see "https://host/AUTH?u=a@b&p=word&json=1"',
		'%3Fapikey%3Dabc',
		'a page: ?u=1&amp;p=x',
		'Authorization: Basic YWJjZGVm+/==',
		'{"authorization":"Basic YWJjZGVm"}',
	])('a text is redacted because a secret is expected at this position: %s', (text) => {
		expect(secretDetector([])(text)).toBe(true);
	});

	it('a secret with an unpaired surrogate can be checked', () => {
		expect(secretDetector(['a key\ud83dbcd'])('key: a key\ud83dbcd.')).toBe(true);
	});
});

describe('quoted words of the service', () => {
	const redact = redacting(['No S3cret', 'No S3cret here', 'No access'], ['S3cret']);

	it('quoted words with a secret are replaced wherever they are, the longest first', () => {
		expect(redact('No S3cret here. No S3cret.')).toBe(`${redactedText}. ${redactedText}.`);
		expect(redactedText).toBe(
			'What the service said is redacted, because it holds a secret of the credential',
		);
	});

	it('quoted words without a secret, and words that are not quoted, stay', () => {
		expect(redact('No access: S3cret')).toBe('No access: S3cret');
	});
});

it.each([
	{ title: 'of 8 characters, in base64', secret: 'S3cretK!', text: 'UzNjcmV0SyE=', isFound: true },
	{ title: 'of 7 characters, in base64', secret: 'S3cretK', text: 'UzNjcmV0Sw==', isFound: false },
	{ title: 'in URL-safe base64', secret: 'abc/def/ghi+j', text: 'abc_def_ghi-j', isFound: true },
	{ title: 'that is short once decoded', secret: 'a&#98;&#99;d', text: '<abcd>', isFound: true },
	{
		title: 'that is short once decoded, in part',
		secret: 'a&#98;&#99;d',
		text: '<abc>',
		isFound: false,
	},
])('a secret $title is found: $isFound', ({ secret, text, isFound }) => {
	expect(secretDetector([secret])(text)).toBe(isFound);
});
