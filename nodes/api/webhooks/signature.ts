import { constants, createVerify, publicDecrypt, type KeyObject } from 'node:crypto';
import { chunkLength, respelled, spellingsOf } from '../json/canonicalJson';
import type { Steps } from '../json/jsonReader';

/** Longer texts are tried in the spelling that fitted last, and in their own: all others would take seconds. */
const longestRespelled = 2_000_000;

/**
 * Returns in which spelling the signature is that of a canonical text, by SHA256withRSA over its UTF-8 bytes
 * (specification, "Signature verification"); undefined when it is not.
 *
 * @param signature base64, base64url or hex, in one line or in several; the specification names none
 * @param lastSpelling the one that fitted last
 */
export function* signedSpelling(
	canonical: () => Steps<string | undefined>,
	signature: string,
	key: KeyObject,
	lastSpelling = 0,
): Steps<number | undefined> {
	const written = signature.replace(/\s+/g, '');
	const bytes = Buffer.from(written, /^(?:[\da-f]{2})+$/i.test(written) ? 'hex' : 'base64');
	if (!isMadeWith(key, bytes)) return undefined;
	const text = yield* canonical();
	if (text === undefined) return undefined;
	const others = text.length > longestRespelled ? [0] : spellingsOf(text);
	for (const spelling of new Set([lastSpelling, ...others])) {
		const verifier = createVerify('RSA-SHA256');
		for (const chunk of respelled(text, spelling)) {
			verifier.update(chunk, 'utf8');
			if (chunk.length >= chunkLength) yield;
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
