import {
	constants,
	createHash,
	generateKeyPairSync,
	privateEncrypt,
	sign,
	verify,
} from 'node:crypto';
import { readSigned } from '../../../../nodes/api/json/canonicalJson';
import { atOnce } from '../../../../nodes/api/json/jsonReading';
import { parsePublicKey } from '../../../../nodes/api/webhooks/publicKey';
import * as signatures from '../../../../nodes/api/webhooks/signature';
import { amount } from '../../../amount';
import { keyTexts, vectors } from './signatureVectors';

const key = parsePublicKey(keyTexts.pem);
const vector = vectors.find(({ name }) => name === 'nestedSubtables');
if (!key || !vector) throw new Error('The key or the vector is missing');
const { signed, signature } = vector;
const signedSpelling = (...signatureArguments: Parameters<typeof signatures.signedSpelling>) =>
	atOnce(signatures.signedSpelling(...signatureArguments));
const isSigned = (canonical: string | undefined, text: string, by = key) =>
	canonical !== undefined && signedSpelling(canonical, text, by) !== undefined;
const isAccepted = (text: string) => isSigned(signed, text);

/** The same signature in every encoding that a delivery may use. */
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
		'the signature of $name matches the delivered text',
		({ delivered, signature: text }) => {
			const body = `{"eventType":"UPDATE","data":${delivered},"signature":"${text}"}`;
			expect(isSigned(atOnce(readSigned(body, 'data')).signedText, text)).toBe(true);
		},
	);

	it.each([
		[76, '\r\n', ''],
		[64, '\r\n', '\r\n'],
	])('may be in lines of %d characters, broken by %j, with %j at the end', (width, by, end) => {
		const lines = signature.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
		expect(isAccepted(lines.join(by) + end)).toBe(true);
	});

	it.each(forms)('is accepted as %s, and rejected with any other bytes', (_form, text) => {
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

describe('a signature with another algorithm or key', () => {
	it('a signature made with another algorithm or another key is rejected', () => {
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

describe('a signature whose padding violates PKCS#1 v1.5 is rejected, as by OpenSSL', () => {
	const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	const digest = createHash('sha256').update(signed).digest();
	const prefix = Buffer.from('3031300d060960864801650304020105000420', 'hex');
	/** Prefix of SHA-512/256. */
	const otherPrefix = Buffer.from('3031300d060960864801650304020605000420', 'hex');
	const withoutNull = Buffer.from('302f300b0609608648016503040201' + '0420', 'hex');
	const digestInfo = Buffer.concat([prefix, digest]);

	/** Signs a whole block with the length of the modulus. */
	const ofBlock = (...parts: Buffer[]) => {
		const block = Buffer.concat(parts);
		expect(block).toHaveLength(256);
		return privateEncrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, block);
	};
	/** Signs a content with the padding that PKCS#1 requires. */
	const ofContent = (...parts: Buffer[]) =>
		privateEncrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, Buffer.concat(parts));
	const padding = (length: number, value = 0xff) => Buffer.alloc(length, value);
	const start = Buffer.from([0, 1]);
	const zero = Buffer.from([0]);

	it('a correct signature is accepted', () => {
		const made = ofBlock(start, padding(202), zero, digestInfo);
		expect(made.equals(ofContent(digestInfo))).toBe(true);
		expect(isSigned(signed, made.toString('base64'), publicKey)).toBe(true);
	});

	it.each([
		{
			form: 'another algorithm with a digest of this length',
			made: ofContent(otherPrefix, digest),
		},
		{ form: 'the digest without its algorithm', made: ofContent(digest) },
		{ form: 'the algorithm without parameters', made: ofContent(withoutNull, digest) },
		{ form: 'bytes after the digest', made: ofContent(digestInfo, zero) },
		{ form: 'bytes before the algorithm', made: ofContent(zero, digestInfo) },
		{ form: 'a part of the digest', made: ofContent(digestInfo.subarray(0, -1)) },
		{ form: 'no digest', made: ofContent(prefix) },
		{ form: 'nothing', made: ofContent() },
		{
			form: 'a short padding with bytes behind the digest',
			made: ofBlock(start, padding(8), zero, digestInfo, padding(194, 7)),
		},
		{
			form: 'a padding of other bytes',
			made: ofBlock(start, padding(202, 0xfe), zero, digestInfo),
		},
		{
			form: 'the padding of encryption',
			made: ofBlock(Buffer.from([0, 2]), padding(202), zero, digestInfo),
		},
		{ form: 'a padding of zeros', made: ofBlock(zero, padding(203, 0), zero, digestInfo) },
	])('$form', ({ made }) => {
		expect(verify('RSA-SHA256', Buffer.from(signed), publicKey, made)).toBe(false);
		expect(isSigned(signed, made.toString('base64'), publicKey)).toBe(false);
	});
});

describe('a long text', () => {
	const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	const record = { a: 'é/<x> \\ "quoted"', b: '\u2028 plain' };
	const longText = (megabytes: number) => {
		const recordText = JSON.stringify(record);
		return `[${Array(Math.ceil((megabytes * 1e6) / recordText.length))
			.fill(recordText)
			.join()}]`;
	};
	const inPhp = (text: string) =>
		text
			.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
			.replace(/\//g, '\\/');
	const made = (text: string) =>
		sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64');

	it('a long text is tried in the last spelling, and a text of more than 2 MB in no further spelling but its own', () => {
		const [short, long] = [longText(0.3), longText(2.1)];
		const spelling = signedSpelling(short, made(inPhp(short)), publicKey);
		expect(spelling).toBeGreaterThan(0);
		const signed = made(inPhp(long));
		expect(signedSpelling(long, signed, publicKey)).toBeUndefined();
		expect(signedSpelling(long, signed, publicKey, spelling)).toBe(spelling);
		expect(signedSpelling(long, made(long), publicKey, spelling)).toBe(0);
	});
});
