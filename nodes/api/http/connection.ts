import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { accountIn, serviceOrigin } from '../values/serviceAddress';
import { InputError } from '../values/inputError';
import { withoutOuterSlashes } from '../values/text';

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
		const message = 'The account in the credential is missing or not one name';
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
		secrets: ['apiKey', 'password', 'sessionId'].map(text).filter(Boolean),
	};
}

/** Returns a key for the service. Whoever answers unchecked need not be it, so a checked connection shares nothing with him. */
export function serviceOf({ baseUrl, ignoresCertificate: isUnchecked }: Connection): string {
	return isUnchecked ? `${baseUrl} unchecked` : baseUrl;
}

/** Returns the rate limit of a credential. Throws InputError when its address cannot be used. */
export function rateLimitOf(data: ICredentialDataDecryptedObject): RateLimit {
	const origin = serviceOrigin(String(data.baseUrl ?? ''));
	// What is no number, or below zero, does not ask for no limit.
	const number = parseFloat(String(data.requestsPerSecond));
	return {
		account: `${origin}/${accountOf(data)}`.toLowerCase(),
		requestsPerSecond: Number.isFinite(number) && number >= 0 ? number : defaultRequestsPerSecond,
	};
}

function accountOf({ account, baseUrl }: ICredentialDataDecryptedObject): string {
	return withoutOuterSlashes(String(account ?? '').trim()) || accountIn(String(baseUrl));
}
