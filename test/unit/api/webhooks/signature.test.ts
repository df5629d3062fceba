import { generateKeyPairSync, sign } from 'node:crypto';
import { canonicalTexts } from '../../../../nodes/api/json/canonicalJson';
import { parsePublicKey } from '../../../../nodes/api/webhooks/publicKey';
import { isSignedText } from '../../../../nodes/api/webhooks/signature';
import { amount } from '../../../amount';
import { keyTexts, vectors } from './signatureVectors';

const key = parsePublicKey(keyTexts.pem);
const vector = vectors.find(({ name }) => name === 'nestedSubtables');
if (!key || !vector) throw new Error('The key or the vector is missing');
const { signed, signature } = vector;
const isAccepted = (text: string) => isSignedText([signed], text, key);

/** The signature's bytes in each of the texts in which they may come. */
const bytes = Buffer.from(signature, 'base64');
const base64url = bytes.toString('base64url');
const forms: Array<[form: string, text: string]> = [
	['base64', signature],
	['base64 without padding', signature.replace(/=+$/, '')],
	['base64url', base64url],
	['base64url with padding', base64url.padEnd(signature.length, '=')],
	['hexadecimal digits', bytes.toString('hex')],
	['hexadecimal digits in capitals', bytes.toString('hex').toUpperCase()],
];

describe('a signature made by openssl', () => {
	it.each(vectors)('is that of $name as it was delivered', ({ delivered, signature: text }) => {
		const body = `{"eventType":"UPDATE","data":${delivered},"signature":"${text}"}`;
		expect(isSignedText(canonicalTexts(body, 'data'), text, key)).toBe(true);
	});

	it.each([
		[76, '\r\n', ''],
		[76, '\n', '\n'],
		[64, '\n', ''],
		[64, '\r\n', '\r\n'],
	])('may be in lines of %d characters, broken by %j, with %j at the end', (width, by, end) => {
		const lines = signature.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
		expect(isAccepted(lines.join(by) + end)).toBe(true);
		expect(isAccepted(lines.join(` ${by}`) + end)).toBe(false);
	});

	it('is looked for in every text', () => {
		expect(isSignedText(['[]', signed], signature, key)).toBe(true);
		expect(isSignedText(['[]', `${signed} `], signature, key)).toBe(false);
		expect(isSignedText([], signature, key)).toBe(false);
	});

	it.each(forms)('is accepted as %s, and refused with any change of that', (_form, text) => {
		expect(isAccepted(text)).toBe(true);
		const step = amount(9, 1);
		const end = text.replace(/=+$/, '').length;
		const accepted: string[] = [];
		for (let place = 0; place <= text.length; place += place < end - 6 ? step : 1) {
			const [before, after] = [text.slice(0, place), text.slice(place)];
			const altered = [...'Ab0-/= .\né'].flatMap((character) => [
				before + character + after,
				before + character + after.slice(1),
			]);
			// Padding may be missing.
			if (place < end) altered.push(before + after.slice(1));
			accepted.push(...altered.filter((other) => other !== text && isAccepted(other)));
		}
		expect(accepted).toEqual([]);
	});
});

describe('a signature is refused', () => {
	it.each([
		['empty', ''],
		['padding only', '===='],
		['zeros', Buffer.alloc(256).toString('base64')],
		['too short', Buffer.alloc(10, 1).toString('base64')],
		['too long', Buffer.alloc(10_000, 1).toString('base64')],
		['no text of bytes', 'signature'],
		['not ASCII', '署名'],
	])('when it is %s', (_what, text) => {
		expect(isAccepted(text)).toBe(false);
	});

	it('before any text is made: a long forgery costs no more than a short one', () => {
		const texts = {
			[Symbol.iterator](): Iterator<string> {
				throw new Error('A text was asked for');
			},
		};
		const forged = Buffer.alloc(256, 7).toString('base64');
		expect(isSignedText(texts, forged, key)).toBe(false);
		expect(() => isSignedText(texts, signature, key)).toThrow('A text was asked for');
	});

	it('when it was made with another algorithm or another key', () => {
		const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
		const made = (algorithm: string) =>
			sign(algorithm, Buffer.from(signed), privateKey).toString('base64');
		expect(isSignedText([signed], made('RSA-SHA256'), publicKey)).toBe(true);
		expect(isAccepted(made('RSA-SHA256'))).toBe(false);
		for (const algorithm of ['RSA-SHA1', 'RSA-SHA512', 'RSA-MD5']) {
			expect(isSignedText([signed], made(algorithm), publicKey)).toBe(false);
		}
	});
});
