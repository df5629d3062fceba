import { constants, publicDecrypt, verify, type KeyObject } from 'node:crypto';

/** Encoders break base64 into lines of 64 characters (PEM) or 76 (MIME), some after the last one, too. */
const inLines = [64, 76].map(
	(width) => new RegExp(`^(?:[^\\r\\n]{${width}}\\r?\\n)+[^\\r\\n]{1,${width}}(?:\\r?\\n)?$`),
);

/**
 * Returns whether the signature is that of one of the texts, by SHA256withRSA over its UTF-8 bytes
 * (specification, "Signature verification").
 *
 * @param signature base64, base64url or hex, in one line or in several; the specification names none
 */
export function isSignedText(texts: Iterable<string>, signature: string, key: KeyObject): boolean {
	const bytes = signatureBytes(signature);
	if (bytes === undefined || !isMadeWith(key, bytes)) return false;
	for (const text of texts) {
		if (verify('RSA-SHA256', Buffer.from(text, 'utf8'), key, bytes)) return true;
	}
	return false;
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
