import { constants, publicDecrypt, verify, type KeyObject } from 'node:crypto';

/** Encoders break base64 into lines of 64 characters (PEM) or 76 (MIME), some after the last one, too. */
const inLines = [64, 76].map(
	(width) => new RegExp(`^(?:[^\\r\\n]{${width}}\\r?\\n)+[^\\r\\n]{1,${width}}(?:\\r?\\n)?$`),
);

/**
 * Whether the signature is that of one of the texts, by SHA256withRSA over its UTF-8 bytes
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

/**
 * Whether the bytes are a signature of any text by the key. That is known before a text is made, so a
 * forged delivery costs little however long it is.
 */
function isMadeWith(key: KeyObject, bytes: Buffer): boolean {
	try {
		return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, bytes).length > 0;
	} catch {
		return false;
	}
}

/** Only the exact spelling of the bytes counts: a signature that was altered in its last bits is none. */
function signatureBytes(signature: string): Buffer | undefined {
	const text = inLines.some((lines) => lines.test(signature))
		? signature.replace(/\r?\n/g, '')
		: signature;
	const forms: BufferEncoding[] = ['hex', 'base64', 'base64url'];
	const form = forms.find((encoding) => isExact(text, encoding));
	return form === undefined ? undefined : Buffer.from(text, form);
}

function isExact(signature: string, encoding: BufferEncoding): boolean {
	if (signature === '') return false;
	const again = Buffer.from(signature, encoding).toString(encoding);
	if (encoding === 'hex') return again === signature || again.toUpperCase() === signature;
	return (
		again === signature || again.replace(/=+$/, '') === signature || padded(again) === signature
	);
}

function padded(base64url: string): string {
	return base64url.padEnd(Math.ceil(base64url.length / 4) * 4, '=');
}
