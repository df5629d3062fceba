import { generateKeyPairSync, sign } from 'node:crypto';
import { canonicalTexts } from '../../../nodes/wire/canonicalJson';
import { parsePublicKey } from '../../../nodes/wire/publicKey';
import { isSignedText } from '../../../nodes/wire/signature';
import { amount } from '../../amount';
import { keyTexts, vectors } from './signatureVectors';

function key(text = keyTexts.pem) {
	const parsed = parsePublicKey(text);
	if (!parsed) throw new Error('No key');
	return parsed;
}

/** The signature's bytes in each of the texts in which they may come. */
function forms(base64: string): Array<[form: string, text: string]> {
	const bytes = Buffer.from(base64, 'base64');
	const base64url = bytes.toString('base64url');
	return [
		['base64', base64],
		['base64 without padding', base64.replace(/=+$/, '')],
		['base64url', base64url],
		['base64url with padding', base64url.padEnd(base64.length, '=')],
		['hexadecimal digits', bytes.toString('hex')],
		['hexadecimal digits in capitals', bytes.toString('hex').toUpperCase()],
	];
}

const [vector] = vectors.filter(({ name }) => name === 'nestedSubtables');
if (!vector) throw new Error('The vector is missing');
const { signed, signature } = vector;

describe('a signature made by openssl', () => {
	it.each(vectors)('is that of $name as it was delivered', ({ delivered, signature: text }) => {
		const body = `{"eventType":"UPDATE","data":${delivered},"signature":"${text}"}`;
		expect(isSignedText(canonicalTexts(body, 'data'), text, key())).toBe(true);
	});

	it.each(vectors)('of $name is not that of any other case', (one) => {
		for (const other of vectors.filter(({ signed: text }) => text !== one.signed)) {
			expect(isSignedText([other.signed], one.signature, key())).toBe(false);
		}
	});

	it.each(forms(signature))('is accepted as %s', (_form, text) => {
		expect(isSignedText([signed], text, key())).toBe(true);
	});

	it.each([
		[76, '\r\n', ''],
		[76, '\n', '\n'],
		[64, '\n', ''],
		[64, '\r\n', '\r\n'],
	])(
		'is accepted in lines of %d characters, broken by %j, with %j at the end',
		(width, by, end) => {
			const lines = signature.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
			expect(isSignedText([signed], lines.join(by) + end, key())).toBe(true);
			expect(isSignedText(['[]'], lines.join(by) + end, key())).toBe(false);
			expect(isSignedText([signed], lines.join(` ${by}`) + end, key())).toBe(false);
		},
	);

	it('is looked for in every text', () => {
		expect(isSignedText(['[]', signed], signature, key())).toBe(true);
		expect(isSignedText([], signature, key())).toBe(false);
	});

	it('is over the UTF-8 bytes', () => {
		const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
		const text = '[{"é":"😀"}]';
		const inLatin1 = sign('RSA-SHA256', Buffer.from(text, 'latin1'), privateKey);
		const inUtf8 = sign('RSA-SHA256', Buffer.from(text, 'utf8'), privateKey);
		expect(isSignedText([text], inLatin1.toString('base64'), publicKey)).toBe(false);
		expect(isSignedText([text], inUtf8.toString('base64'), publicKey)).toBe(true);
	});
});

describe('a signature that was altered', () => {
	const characters = amount(['A', '-', '='], ['A', 'b', '0', '-', '/', '=', ' ', '\n', 'é']);

	it.each(forms(signature))('at any one place is refused: %s', (_form, text) => {
		const accepted: string[] = [];
		for (let position = 0; position < text.length; position++) {
			for (const character of characters) {
				if (text[position] === character) continue;
				const altered = text.slice(0, position) + character + text.slice(position + 1);
				if (isSignedText([signed], altered, key())) accepted.push(altered);
			}
		}
		expect(accepted).toEqual([]);
	});

	it.each(forms(signature))('by one character more anywhere is refused: %s', (_form, text) => {
		for (let position = 0; position <= text.length; position++) {
			for (const character of ['A', ' ', '\n', '.']) {
				const altered = text.slice(0, position) + character + text.slice(position);
				expect(isSignedText([signed], altered, key())).toBe(false);
			}
		}
	});

	it.each(forms(signature))(
		'by one character less is refused, padding aside: %s',
		(_form, text) => {
			const length = text.replace(/=+$/, '').length;
			for (let position = 0; position < length; position++) {
				const altered = text.slice(0, position) + text.slice(position + 1);
				expect(isSignedText([signed], altered, key())).toBe(false);
			}
		},
	);

	it.each([
		['empty', ''],
		['padding only', '===='],
		['zeros', Buffer.alloc(256).toString('base64')],
		['too short', Buffer.alloc(10, 1).toString('base64')],
		['too long', Buffer.alloc(10_000, 1).toString('base64')],
		['no text of bytes', 'signature'],
		['not ASCII', '署名'],
	])('is refused when it is %s', (_what, text) => {
		expect(isSignedText([signed], text, key())).toBe(false);
	});
});

describe('a signature that is none of the key', () => {
	it('is refused before any text is made: a long forgery costs no more than a short one', () => {
		const texts = {
			[Symbol.iterator](): Iterator<string> {
				throw new Error('A text was asked for');
			},
		};
		const forged = Buffer.alloc(256, 7).toString('base64');
		expect(isSignedText(texts, forged, key())).toBe(false);
		expect(() => isSignedText(texts, signature, key())).toThrow('A text was asked for');
	});
});

describe('a text that was altered', () => {
	it('at any one place has another signature', () => {
		for (let position = 0; position < signed.length; position++) {
			const altered = `${signed.slice(0, position)}~${signed.slice(position + 1)}`;
			expect(isSignedText([altered], signature, key())).toBe(false);
		}
	});
});

describe('another algorithm', () => {
	const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

	it.each(['RSA-SHA1', 'RSA-SHA512', 'RSA-MD5'])('is refused: %s', (algorithm) => {
		const other = sign(algorithm, Buffer.from(signed), privateKey).toString('base64');
		expect(isSignedText([signed], other, publicKey)).toBe(false);
	});

	it('is refused: another key', () => {
		const other = sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64');
		expect(isSignedText([signed], other, publicKey)).toBe(true);
		expect(isSignedText([signed], other, key())).toBe(false);
	});
});
