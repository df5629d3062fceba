import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { InputError } from '../values/inputError';
import { requireServiceAddress } from '../values/serviceAddress';

/**
 * Returns the request with the key of an API key credential: raw behind `Basic`, without a colon and not encoded again
 * (specification, "Authentication"). The header's name is in lower case: n8n hands `Authorization` on to other hosts
 * when another node follows a redirect there. Throws InputError when the request goes to another address than the
 * credential's, or the key cannot be sent in a header.
 */
export function withKey(
	request: IHttpRequestOptions,
	{ baseUrl, apiKey, apiKeyIn }: ICredentialDataDecryptedObject,
): IHttpRequestOptions {
	requireServiceAddress(request, String(baseUrl));
	const key = String(apiKey).trim();
	if (apiKeyIn === 'query') return { ...request, qs: { ...request.qs, APIKey: key } };
	const authorization = `Basic ${requireHeaderText(key, 'The API key')}`;
	return { ...request, headers: { ...request.headers, authorization } };
}

/**
 * Returns the request with the session of a session credential, as the parameter `sid` or as a cookie (specification,
 * "Authentication"). Throws InputError as `withKey`.
 */
export function withSession(
	request: IHttpRequestOptions,
	{ baseUrl, sessionId, sessionIn, cookieName }: ICredentialDataDecryptedObject,
): IHttpRequestOptions {
	requireServiceAddress(request, String(baseUrl));
	if (sessionIn !== 'cookie') return { ...request, qs: { ...request.qs, sid: String(sessionId) } };
	const cookie = cookieText(String(cookieName), String(sessionId));
	return { ...request, headers: { ...request.headers, Cookie: cookie } };
}

/** Throws InputError when it would be another cookie, or more than one. */
function cookieText(name: string, value: string): string {
	const isOne = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !value.includes(';');
	if (isOne) return `${name}=${requireHeaderText(value, 'The session')}`;
	throw new InputError('The session cannot be sent as a cookie by the name in the credential');
}

/** n8n's HTTP helper leaves out what a header cannot hold, and so would send another secret. The error is without it. */
function requireHeaderText(text: string, what: string): string {
	if (/^[\x21-\x7e]*$/.test(text)) return text;
	const message = `${what} in the credential holds characters that a header cannot hold`;
	throw new InputError(message, 'Enter it again, without blanks and line breaks.');
}
