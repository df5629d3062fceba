import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { accountIn, requireServiceAddress, serviceOrigin } from '../values/serviceAddress';
import { InputError } from '../values/inputError';
import { withoutOuterSlashes } from '../values/text';
import { sessionIn } from './session';

export type CredentialType = 'sheetRecordsApi' | 'sheetRecordsSessionApi';

/** The spellings that the service at hand uses for a few names. */
export type Dialect = 'standard' | 'ragic';

export interface RateLimit {
	/** The service address and account: those who share it share the limit. */
	account: string;
	/** At most so many requests, rounded down, reach the service in any second; below 1, one in a longer time; 0 for no limit. */
	requestsPerSecond: number;
}

/** What the client needs to know of a credential. */
export interface Connection {
	credentialType: CredentialType;
	/** `https://host[:port]`, without a slash at the end. */
	baseUrl: string;
	account: string;
	dialect: Dialect;
	rateLimit: RateLimit;
	/** Whether the service is talked to although nobody vouches for its certificate. */
	ignoresCertificate: boolean;
	/** Tells users of one account apart; never shown. */
	user: string;
	/** Words of the service that hold one of them are redacted. */
	secrets: string[];
}

/** Beyond this the service reviews an account (specification, "Limits"). */
const defaultRequestsPerSecond = 5;

/** Returns what a credential says. Throws InputError when its address, account, key or session cannot be used. */
export function connectionOf(
	credentialType: CredentialType,
	data: ICredentialDataDecryptedObject,
): Connection {
	const text = (name: string) => String(data[name] ?? '').trim();
	const baseUrl = serviceOrigin(text('baseUrl'));
	const account = accountOf(data);
	if (account === '' || account === '.' || account === '..' || account.includes('/')) {
		const message = "Enter the account name in the credential, for example 'acme'";
		throw new InputError(message, undefined, 'checkAccount');
	}
	return {
		credentialType,
		baseUrl,
		account,
		dialect: data.serviceDialect === 'ragic' ? 'ragic' : 'standard',
		rateLimit: rateLimitOf(data),
		ignoresCertificate: data.allowUnauthorizedCerts === true,
		user: text('email') || text('apiKey'),
		secrets: [text('apiKey'), text('password'), sessionIn(data)].filter(Boolean),
	};
}

/** Returns a key for the service. Whoever answers unchecked need not be it, so a checked connection shares nothing with him. */
export function serviceOf({ baseUrl, ignoresCertificate: isUnchecked }: Connection): string {
	return isUnchecked ? `${baseUrl} unchecked` : baseUrl;
}

/** Returns the rate limit of a credential. Throws InputError when its address cannot be used. */
export function rateLimitOf(data: ICredentialDataDecryptedObject): RateLimit {
	const origin = serviceOrigin(String(data.baseUrl ?? ''));
	const text = String(data.requestsPerSecond ?? '').trim();
	// What is no number, or below zero, does not ask for no limit.
	const number = text === '' ? NaN : Number(text);
	return {
		account: `${origin}/${accountOf(data)}`.toLowerCase(),
		requestsPerSecond: Number.isFinite(number) && number >= 0 ? number : defaultRequestsPerSecond,
	};
}

function accountOf({ account, baseUrl }: ICredentialDataDecryptedObject): string {
	return withoutOuterSlashes(String(account ?? '').trim()) || accountIn(String(baseUrl));
}

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
	credential: ICredentialDataDecryptedObject,
): IHttpRequestOptions {
	const { baseUrl, sessionIn: place, cookieName } = credential;
	requireServiceAddress(request, String(baseUrl));
	const sessionId = sessionIn(credential);
	if (sessionId === '') {
		// n8n's HTTP Request node logs in when it gets an error.
		const message = 'The session in the credential belongs to another login';
		throw new InputError(message, 'Run a Sheet Records node with this credential: it logs in.');
	}
	if (place !== 'cookie') return { ...request, qs: { ...request.qs, sid: sessionId } };
	const [name, value] = [String(cookieName), sessionId];
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
