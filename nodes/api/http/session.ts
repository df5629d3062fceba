import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { textDigest } from '../json/canonicalJson';

/** Returns a digest of the address, e-mail and password of a credential, which does not reveal them. */
export function loginKey({ baseUrl, email, password }: ICredentialDataDecryptedObject): string {
	return textDigest([baseUrl, email, password].join('\n'));
}

/**
 * Returns a session ID as it is stored in the credential: together with its login. The stored session stays when a user
 * edits the credential, and when an expression in it yields another user.
 */
export function storedSession(
	credential: ICredentialDataDecryptedObject,
	sessionId: string,
): string {
	return `${prefixOf(credential)}${sessionId}`;
}

/** Returns the session ID in a credential, or an empty text if there is none, or if it belongs to another login. */
export function sessionIn(credential: ICredentialDataDecryptedObject): string {
	const stored = String(credential.sessionId ?? '');
	const prefix = prefixOf(credential);
	return stored.startsWith(prefix) ? stored.slice(prefix.length) : '';
}

function prefixOf(credential: ICredentialDataDecryptedObject): string {
	return `${loginKey(credential)}:`;
}
