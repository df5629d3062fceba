import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { textDigest } from '../json/canonicalJson';

/**
 * Returns a digest of the address, e-mail and password of a credential, and of whether certificates are checked. The digest does
 * not reveal them. With an unchecked certificate another server may have made the session, so a checked connection never sends it.
 */
export function loginKey({
	baseUrl,
	email,
	password,
	allowUnauthorizedCerts,
}: ICredentialDataDecryptedObject): string {
	const trust = allowUnauthorizedCerts === true ? ['unchecked'] : [];
	return textDigest([baseUrl, email, password, ...trust].join('\n'));
}

/**
 * Returns the text that a credential stores for a session: the key of the login, then the session ID. The key is needed because
 * n8n keeps the stored session when a user edits the credential, and when an expression in it yields another user.
 */
export function storedSession(
	credential: ICredentialDataDecryptedObject,
	sessionId: string,
): string {
	return `${prefixOf(credential)}${sessionId}`;
}

/** Returns the session ID in a credential. Returns an empty text without a session, and for a session of another login. */
export function sessionIn(credential: ICredentialDataDecryptedObject): string {
	const stored = String(credential.sessionId ?? '');
	const prefix = prefixOf(credential);
	return stored.startsWith(prefix) ? stored.slice(prefix.length) : '';
}

function prefixOf(credential: ICredentialDataDecryptedObject): string {
	return `${loginKey(credential)}:`;
}
