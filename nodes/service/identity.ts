import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { cookieText, requireHeaderText } from '../wire/headerText';
import { requireServiceAddress } from '../wire/serviceAddress';

/**
 * The request with the key of an API key credential. It goes raw behind `Basic`, without a colon and not encoded
 * again (specification, "Authentication"). The header's name is in lower case: n8n hands `Authorization` on to
 * other hosts when another node follows a redirect there.
 *
 * @throws InputError when the request goes to another address than the credential's, or
 *   the key cannot be sent in a header
 */
export function withKey(
	request: IHttpRequestOptions,
	{ baseUrl, apiKey, apiKeyIn }: ICredentialDataDecryptedObject,
): IHttpRequestOptions {
	requireServiceAddress(request, String(baseUrl));
	const key = String(apiKey).trim();
	if (apiKeyIn === 'query') return { ...request, qs: { ...request.qs, APIKey: key } };
	const authorization = `Basic ${requireHeaderText(key, "'API Key'")}`;
	return { ...request, headers: { ...request.headers, authorization } };
}

/**
 * The request with the session of a session credential, as the parameter `sid` or as a cookie (specification,
 * "Authentication").
 *
 * @throws InputError when the request goes to another address than the credential's, or
 *   the cookie cannot be sent
 */
export function withSession(
	request: IHttpRequestOptions,
	{ baseUrl, sessionId, sessionIn, cookieName }: ICredentialDataDecryptedObject,
): IHttpRequestOptions {
	requireServiceAddress(request, String(baseUrl));
	const session = String(sessionId);
	if (sessionIn !== 'cookie') return { ...request, qs: { ...request.qs, sid: session } };
	const cookie = cookieText(String(cookieName), session);
	return { ...request, headers: { ...request.headers, Cookie: cookie } };
}
