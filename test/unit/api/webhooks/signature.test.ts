import { generateKeyPairSync, sign } from 'node:crypto';
import { readSigned } from '../../../../nodes/api/json/canonicalJson';
import { atOnce } from '../../../../nodes/api/json/jsonReader';
import { parsePublicKey } from '../../../../nodes/api/webhooks/publicKey';
import * as signatures from '../../../../nodes/api/webhooks/verifyDelivery';
import { amount } from '../../../amount';
import { keyTexts, vectors } from './signatureVectors';

const key = parsePublicKey(keyTexts.pem);
const vector = vectors.find(({ name }) => name === 'nestedSubtables');
if (!key || !vector) throw new Error('The key or the vector is missing');
const { signed, signature } = vector;
const signedSpelling = (...given: Parameters<typeof signatures.signedSpelling>) =>
	atOnce(signatures.signedSpelling(...given));
const isSigned = (canonical: string | undefined, text: string, by = key) =>
	canonical !== undefined && signedSpelling(canonical, text, by) !== undefined;
const isAccepted = (text: string) => isSigned(signed, text);

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
		expect(isSigned(atOnce(readSigned(body, 'data')).signedText, text)).toBe(true);
	});

	it.each([
		[76, '\r\n', ''],
		[64, '\r\n', '\r\n'],
	])('may be in lines of %d characters, broken by %j, with %j at the end', (width, by, end) => {
		const lines = signature.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
		expect(isAccepted(lines.join(by) + end)).toBe(true);
	});

	it.each(forms)('is accepted as %s, and refused with any other bytes', (_form, text) => {
		expect(isAccepted(text)).toBe(true);
		const step = amount(9, 1);
		for (let place = 0; place < text.length - 6; place += step) {
			const [before, after] = [text.slice(0, place), text.slice(place + 1)];
			const other = text[place] === 'A' ? 'b' : 'A';
			for (const altered of [`${before}${other}${after}`, `${before}${after}`, `${other}${text}`]) {
				if (altered.toLowerCase() === text.toLowerCase()) continue;
				expect(isAccepted(altered)).toBe(false);
			}
		}
	});
});

describe('a signature is refused', () => {
	it('when it was made with another algorithm or another key', () => {
		const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
		const made = (algorithm: string) =>
			sign(algorithm, Buffer.from(signed), privateKey).toString('base64');
		expect(isSigned(signed, made('RSA-SHA256'), publicKey)).toBe(true);
		expect(isAccepted(made('RSA-SHA256'))).toBe(false);
		for (const algorithm of ['RSA-SHA1', 'RSA-SHA512', 'RSA-MD5']) {
			expect(isSigned(signed, made(algorithm), publicKey)).toBe(false);
		}
	});
});

describe('a long text', () => {
	const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	const record = { a: 'é/<x> \\ "quoted"', b: '\u2028 plain' };
	const longText = (megabytes: number) => {
		const one = JSON.stringify(record);
		return `[${Array(Math.ceil((megabytes * 1e6) / one.length))
			.fill(one)
			.join()}]`;
	};
	const inPhp = (text: string) =>
		text
			.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
			.replace(/\//g, '\\/');
	const made = (text: string) =>
		sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64');

	it('is tried in the spelling that fitted last, and of more than 2 MB in no other than that and its own', () => {
		const [short, long] = [longText(0.3), longText(2.1)];
		const spelling = signedSpelling(short, made(inPhp(short)), publicKey);
		expect(spelling).toBeGreaterThan(0);
		const signed = made(inPhp(long));
		expect(signedSpelling(long, signed, publicKey)).toBeUndefined();
		expect(signedSpelling(long, signed, publicKey, spelling)).toBe(spelling);
		expect(signedSpelling(long, made(long), publicKey, spelling)).toBe(0);
	});
});
