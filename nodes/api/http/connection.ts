import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { textDigest } from '../json/canonicalJson';
import { accountIn, requireServiceAddress, serviceOrigin } from '../values/serviceAddress';
import { InputError } from '../values/inputError';
import { withoutOuterSlashes } from '../values/text';
import { sessionIn } from './session';

export type CredentialType = 'sheetRecordsApi' | 'sheetRecordsSessionApi';

/** The API variant of the service. A few parameters have different names in each variant. */
export type Dialect = 'standard' | 'ragic';

export interface RateLimit {
	/** Service address and account. Credentials with the same value share the limit. */
	account: string;
	/** Maximum number of requests in any second, rounded down. 0.5 means one request in two seconds. 0 means no limit. */
	requestsPerSecond: number;
}

/** The validated settings of a credential. */
export interface Connection {
	credentialType: CredentialType;
	/** `https://host[:port]`, without a slash at the end. */
	baseUrl: string;
	account: string;
	/** Spelling of the names that are sent. `dialectOf` resolves `automatic`. */
	serviceDialect: Dialect | 'automatic';
	rateLimit: RateLimit;
	/** Whether invalid TLS certificates are accepted. */
	ignoresCertificate: boolean;
	/** Digest of the credential type and of the user's e-mail address or API key, for cache keys. */
	userDigest: string;
	/** Secrets of the credential. Messages of the service that contain one of them are redacted. */
	secrets: string[];
}

/** The service reviews accounts that send more requests per second (specification, "Limits"). */
export const defaultRequestsPerSecond = 5;

/** Returns the settings of a credential. Throws InputError if its address or account cannot be used. */
export function connectionOf(
	credentialType: CredentialType,
	data: ICredentialDataDecryptedObject,
): Connection {
	const text = (name: string) => String(data[name] ?? '').trim();
	const baseUrl = serviceOrigin(text('baseUrl'));
	const account = accountName(data);
	if (account === '' || account === '.' || account === '..' || account.includes('/')) {
		const message = "Enter the account name in the credential, for example 'acme'";
		throw new InputError(message, undefined, 'checkAccount');
	}
	return {
		credentialType,
		baseUrl,
		account,
		serviceDialect: serviceDialectIn(data),
		rateLimit: rateLimitOf(data),
		ignoresCertificate: data.allowUnauthorizedCerts === true,
		userDigest: textDigest([credentialType, text('email') || text('apiKey')].join('\n')),
		secrets: [text('apiKey'), text('password'), sessionIn(data)].filter(Boolean),
	};
}

/**
 * Returns the cache key of a service. With an unchecked certificate another server may answer in place of the service, so
 * those connections share no cache with checked ones.
 */
export function serviceOf({ baseUrl, ignoresCertificate: isUnchecked }: Connection): string {
	return isUnchecked ? `${baseUrl} unchecked` : baseUrl;
}

/** Returns the rate limit of a credential. Throws InputError if its address cannot be used. */
export function rateLimitOf(data: ICredentialDataDecryptedObject): RateLimit {
	const origin = serviceOrigin(String(data.baseUrl ?? ''));
	const text = String(data.requestsPerSecond ?? '').trim();
	// An invalid or negative number must not turn the limit off.
	const number = text === '' ? NaN : Number(text);
	return {
		account: `${origin}/${accountName(data)}`.toLowerCase(),
		requestsPerSecond: Number.isFinite(number) && number >= 0 ? number : defaultRequestsPerSecond,
	};
}

function serviceDialectIn({ serviceDialect }: ICredentialDataDecryptedObject) {
	const isSet = serviceDialect === 'ragic' || serviceDialect === 'standard';
	return isSet ? serviceDialect : 'automatic';
}

/** Returns the entered account, or the account in the base URL; an empty text if neither has one. */
function accountName({ account, baseUrl }: ICredentialDataDecryptedObject): string {
	return withoutOuterSlashes(String(account ?? '').trim()) || accountIn(String(baseUrl));
}

/**
 * Returns the request with the API key: unencoded after `Basic` (specification, "Authentication"), or in the query. Throws
 * InputError if the request goes to another address, or if the key does not fit into a header.
 */
export function withKey(
	request: IHttpRequestOptions,
	{ baseUrl, apiKey, apiKeyIn }: ICredentialDataDecryptedObject,
): IHttpRequestOptions {
	requireServiceAddress(request, String(baseUrl));
	const key = String(apiKey).trim();
	if (apiKeyIn === 'query') return { ...request, qs: { ...request.qs, APIKey: key } };
	// In lower case, because n8n forwards a header `Authorization` to another host on a redirect, but drops `authorization`.
	const authorization = `Basic ${requireHeaderText(key, 'The API key')}`;
	return { ...request, headers: { ...request.headers, authorization } };
}

/**
 * Returns the request with the session of a credential, as `sid` or as a cookie (specification, "Authentication"). Throws
 * InputError if the request goes to another address, or if the session or the cookie name cannot be used.
 */
export function withSession(
	request: IHttpRequestOptions,
	credential: ICredentialDataDecryptedObject,
): IHttpRequestOptions {
	const { baseUrl, sessionIn: place, cookieName } = credential;
	requireServiceAddress(request, String(baseUrl));
	const sessionId = sessionIn(credential);
	if (sessionId === '') {
		// This happens in n8n's HTTP Request node, which logs in only after an error response.
		const message = 'The session in the credential belongs to another login';
		throw new InputError(message, 'Run a Sheet Records node with this credential: it logs in.');
	}
	if (place !== 'cookie') return { ...request, qs: { ...request.qs, sid: sessionId } };
	const [name, value] = [String(cookieName), sessionId];
	// Such a name or value would send another cookie, or more than one.
	if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || value.includes(';')) {
		const message = 'The session cannot be sent as a cookie by the name in the credential';
		throw new InputError(
			message,
			'Enter the name of the cookie alone, without = and blanks, or send the session in the query.',
		);
	}
	const cookie = `${name}=${requireHeaderText(value, 'The session')}`;
	return { ...request, headers: { ...request.headers, Cookie: cookie } };
}

/**
 * Returns the text if a header can hold it. Otherwise throws InputError, without the text. n8n's HTTP helper would drop the
 * invalid characters and send a different secret.
 */
function requireHeaderText(text: string, what: string): string {
	if (/^[\x21-\x7e]*$/.test(text)) return text;
	const message = `${what} in the credential holds characters that a header cannot hold`;
	throw new InputError(message, 'Enter it again, without other words, blanks and line breaks.');
}
