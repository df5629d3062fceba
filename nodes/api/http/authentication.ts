import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { InputError } from '../values/inputError';
import { requireServiceAddress } from '../values/serviceAddress';

/** Returns the request with the key, raw behind `Basic` (specification, "Authentication"). Throws InputError for another address, or an odd key. */
export function withKey(
	request: IHttpRequestOptions,
	{ baseUrl, apiKey, apiKeyIn }: ICredentialDataDecryptedObject,
): IHttpRequestOptions {
	requireServiceAddress(request, String(baseUrl));
	const key = String(apiKey).trim();
	if (apiKeyIn === 'query') return { ...request, qs: { ...request.qs, APIKey: key } };
	// In lower case: `Authorization` n8n hands on to other hosts when another node follows a redirect there.
	const authorization = `Basic ${requireHeaderText(key, 'The API key')}`;
	return { ...request, headers: { ...request.headers, authorization } };
}

/** Returns the request with the session of a credential, as `sid` or as a cookie (specification, "Authentication"). Throws as `withKey`. */
export function withSession(
	request: IHttpRequestOptions,
	{ baseUrl, sessionId, sessionIn, cookieName }: ICredentialDataDecryptedObject,
): IHttpRequestOptions {
	requireServiceAddress(request, String(baseUrl));
	if (sessionIn !== 'cookie') return { ...request, qs: { ...request.qs, sid: String(sessionId) } };
	const [name, value] = [String(cookieName), String(sessionId)];
	// It would be another cookie, or more than one.
	if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || value.includes(';')) {
		throw new InputError('The session cannot be sent as a cookie by the name in the credential');
	}
	const cookie = `${name}=${requireHeaderText(value, 'The session')}`;
	return { ...request, headers: { ...request.headers, Cookie: cookie } };
}

/** n8n's HTTP helper leaves out what a header cannot hold, and so would send another secret. The error is without it. */
function requireHeaderText(text: string, what: string): string {
	if (/^[\x21-\x7e]*$/.test(text)) return text;
	const message = `${what} in the credential holds characters that a header cannot hold`;
	throw new InputError(message, 'Enter it again, without blanks and line breaks.');
}
