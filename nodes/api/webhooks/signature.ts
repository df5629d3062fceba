import { constants, createHash, publicDecrypt, type KeyObject } from 'node:crypto';
import { chunkLength, respelled, spellingsOf } from '../json/canonicalJson';
import type { Steps } from '../json/jsonReading';

/**
 * Maximum length of a text that is tried in all spellings, in characters. Longer texts are tried only in the last spelling that
 * fitted and in the canonical spelling, because all spellings would take seconds.
 */
const maxRespelledCharacters = 2_000_000;
/** Maximum length of a signature's text. A key of 16,384 bits needs 4,096 hexadecimal digits. */
const maxSignatureCharacters = 10_000;
/** DER encoding of a DigestInfo up to its SHA-256 digest (RFC 8017, section 9.2, note 1). */
const digestInfoPrefix = Buffer.from('3031300d060960864801650304020105000420', 'hex');
const digestBytes = 32;

/**
 * Returns the number of the spelling in which a canonical text was signed by SHA256withRSA over its UTF-8 bytes; undefined
 * if the signature does not fit in any spelling. The spelling that fitted last is tried first.
 */
export function* signedSpelling(
	text: string,
	signature: string,
	key: KeyObject,
	lastSpelling = 0,
): Steps<number | undefined> {
	const signed = signedDigest(signature, key);
	if (!signed) return undefined;
	const spellings = text.length > maxRespelledCharacters ? [0] : spellingsOf(text);
	for (const spelling of new Set([lastSpelling, ...spellings])) {
		const hash = createHash('sha256');
		for (const chunk of respelled(text, spelling)) {
			hash.update(chunk, 'utf8');
			if (chunk.length >= chunkLength) yield;
		}
		if (hash.digest().equals(signed)) return spelling;
	}
	return undefined;
}

/**
 * Returns the SHA-256 digest that the key's owner signed (RSASSA-PKCS1-v1_5); undefined if the key did not make the
 * signature. Only a text with this digest can be the signed one, so no text is built for a forged signature.
 */
function signedDigest(signature: string, key: KeyObject): Buffer | undefined {
	const bytes = signatureBytes(signature);
	const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
	if (bytes.length !== Math.ceil(modulusLength / 8)) return undefined;
	try {
		// OpenSSL checks the padding. With the exact length of the digest, there is only one valid padding.
		const digestInfo = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, bytes);
		const prefix = digestInfo.subarray(0, digestInfoPrefix.length);
		const digest = digestInfo.subarray(digestInfoPrefix.length);
		return prefix.equals(digestInfoPrefix) && digest.length === digestBytes ? digest : undefined;
	} catch {
		return undefined;
	}
}

/** Decodes base64, base64url or hexadecimal digits, since the specification names no encoding. Returns no bytes for a text that is too long. */
function signatureBytes(signature: string): Buffer {
	if (signature.length > maxSignatureCharacters) return Buffer.alloc(0);
	const written = signature.replace(/\s+/g, '');
	return Buffer.from(written, /^(?:[\da-f]{2})+$/i.test(written) ? 'hex' : 'base64');
}
