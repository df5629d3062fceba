import { constants, createVerify, publicDecrypt, type KeyObject } from 'node:crypto';
import type { Waiting } from '../http/waiting';
import { respelled, spellingsOf } from '../json/canonicalJson';

/** Encoders break base64 into lines of 64 characters (PEM) or 76 (MIME), some after the last one, too. */
const inLines = [64, 76].map(
	(width) => new RegExp(`^(?:[^\\r\\n]{${width}}\\r?\\n)+[^\\r\\n]{1,${width}}(?:\\r?\\n)?$`),
);

/** Longer texts are tried in the spelling that fitted last, and in their own: all others would take seconds. */
const longestRespelled = 2_000_000;

/** Longer texts let the process do something else between two spellings. */
const longestAtOnce = 100_000;

/**
 * Returns in which spelling the signature is that of a canonical text, by SHA256withRSA over its UTF-8 bytes
 * (specification, "Signature verification"); undefined when it is not.
 *
 * @param signature base64, base64url or hex, in one line or in several; the specification names none
 * @param lastSpelling the one that fitted last
 */
export async function signedSpelling(
	canonical: () => string | undefined,
	signature: string,
	key: KeyObject,
	sleep: Waiting['sleep'],
	lastSpelling = 0,
): Promise<number | undefined> {
	const bytes = signatureBytes(signature);
	if (bytes === undefined || !isMadeWith(key, bytes)) return undefined;
	const text = canonical();
	if (text === undefined) return undefined;
	const others = text.length > longestRespelled ? [0] : spellingsOf(text);
	for (const spelling of new Set([lastSpelling, ...others])) {
		const verifier = createVerify('RSA-SHA256');
		for (const chunk of respelled(text, spelling)) {
			verifier.update(chunk, 'utf8');
			if (text.length > longestAtOnce) await sleep(0);
		}
		if (verifier.verify(key, bytes)) return spelling;
	}
	return undefined;
}

/** Returns whether the bytes are the key's signature of any text: a long forged delivery costs no more than a short one. */
function isMadeWith(key: KeyObject, bytes: Buffer): boolean {
	try {
		return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, bytes).length > 0;
	} catch {
		return false;
	}
}

/** Only the exact spelling of the bytes counts: a signature whose last bits were altered is none. */
function signatureBytes(signature: string): Buffer | undefined {
	if (signature === '') return undefined;
	const isBroken = inLines.some((lines) => lines.test(signature));
	const text = isBroken ? signature.replace(/\r?\n/g, '') : signature;
	for (const encoding of ['hex', 'base64', 'base64url'] as const) {
		const bytes = Buffer.from(text, encoding);
		if (spellings(bytes.toString(encoding), encoding).includes(text)) return bytes;
	}
	return undefined;
}

/** With padding or without; hexadecimal digits in either case. */
function spellings(encoded: string, encoding: BufferEncoding): string[] {
	if (encoding === 'hex') return [encoded, encoded.toUpperCase()];
	const bare = encoded.replace(/=+$/, '');
	return [bare, bare.padEnd(Math.ceil(bare.length / 4) * 4, '=')];
}
