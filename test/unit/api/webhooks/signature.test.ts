import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { sleep } from 'n8n-workflow';

import { canonicalText } from '../../../../nodes/api/json/canonicalJson';
import { parsePublicKey } from '../../../../nodes/api/webhooks/publicKey';
import * as signatures from '../../../../nodes/api/webhooks/signature';
import { amount } from '../../../amount';
import { keyTexts, vectors } from './signatureVectors';

const key = parsePublicKey(keyTexts.pem);
const vector = vectors.find(({ name }) => name === 'nestedSubtables');
if (!key || !vector) throw new Error('The key or the vector is missing');
const { signed, signature } = vector;
const signedSpelling = async (
	canonical: () => string | undefined,
	text: string,
	by: KeyObject,
	last?: number,
) => await signatures.signedSpelling(canonical, text, by, sleep, last);
const isSigned = async (canonical: string | undefined, text: string, by = key) =>
	(await signedSpelling(() => canonical, text, by)) !== undefined;
const isAccepted = async (text: string) => await isSigned(signed, text);

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
	it.each(vectors)(
		'is that of $name as it was delivered',
		async ({ delivered, signature: text }) => {
			const body = `{"eventType":"UPDATE","data":${delivered},"signature":"${text}"}`;
			expect(await isSigned(canonicalText(body, 'data'), text)).toBe(true);
		},
	);

	it.each([
		[76, '\r\n', ''],
		[76, '\n', '\n'],
		[64, '\n', ''],
		[64, '\r\n', '\r\n'],
	])(
		'may be in lines of %d characters, broken by %j, with %j at the end',
		async (width, by, end) => {
			const lines = signature.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
			expect(await isAccepted(lines.join(by) + end)).toBe(true);
		},
	);

	it('is that of no other text, and of none', async () => {
		expect(await isSigned(`${signed} `, signature)).toBe(false);
		expect(await isSigned(undefined, signature)).toBe(false);
	});

	it.each(forms)('is accepted as %s, and refused with any other bytes', async (_form, text) => {
		expect(await isAccepted(text)).toBe(true);
		const step = amount(9, 1);
		for (let place = 0; place < text.length - 6; place += step) {
			const [before, after] = [text.slice(0, place), text.slice(place + 1)];
			const other = text[place] === 'A' ? 'b' : 'A';
			for (const altered of [`${before}${other}${after}`, `${before}${after}`, `${other}${text}`]) {
				if (altered.toLowerCase() === text.toLowerCase()) continue;
				expect(await isAccepted(altered)).toBe(false);
			}
		}
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
	])('when it is %s', async (_what, text) => {
		expect(await isAccepted(text)).toBe(false);
	});

	it('before any text is made: a long forgery costs no more than a short one', async () => {
		const text = () => {
			throw new Error('A text was asked for');
		};
		const forged = Buffer.alloc(256, 7).toString('base64');
		expect(await signedSpelling(text, forged, key)).toBeUndefined();
		await expect(signedSpelling(text, signature, key)).rejects.toThrow('A text was asked for');
	});

	it('when it was made with another algorithm or another key', async () => {
		const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
		const made = (algorithm: string) =>
			sign(algorithm, Buffer.from(signed), privateKey).toString('base64');
		expect(await isSigned(signed, made('RSA-SHA256'), publicKey)).toBe(true);
		expect(await isAccepted(made('RSA-SHA256'))).toBe(false);
		for (const algorithm of ['RSA-SHA1', 'RSA-SHA512', 'RSA-MD5']) {
			expect(await isSigned(signed, made(algorithm), publicKey)).toBe(false);
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

	it('is tried in the spelling that fitted last, and of more than 2 MB in no other than that and its own', async () => {
		const [short, long] = [longText(0.3), longText(2.1)];
		const spelling = await signedSpelling(() => short, made(inPhp(short)), publicKey);
		expect(spelling).toBeGreaterThan(0);
		const signed = made(inPhp(long));
		expect(await signedSpelling(() => long, signed, publicKey)).toBeUndefined();
		expect(await signedSpelling(() => long, signed, publicKey, spelling)).toBe(spelling);
		expect(await signedSpelling(() => long, made(long), publicKey, spelling)).toBe(0);
	});

	it('under a signature of another one does not hold up what else is to be done', async () => {
		const text = longText(1.5);
		let turns = 0;
		let isDone = false;
		const others = async () => {
			for (; !isDone; turns++) await new Promise((resolve) => setTimeout(resolve));
		};
		const running = others();
		expect(await signedSpelling(() => text, made('[]'), publicKey)).toBeUndefined();
		isDone = true;
		await running;
		// Ten spellings, in chunks of a tenth of a megabyte.
		expect(turns).toBeGreaterThan(100);
	});
});
