import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { serviceOrigin } from '../values/serviceAddress';
import { InputError } from '../values/inputError';
import { holdsHalfCharacter, withoutOuter } from '../values/text';

/** The contexts of n8n from which the service is called. */
export type ServiceContext =
	IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IPollFunctions | IWebhookFunctions;

export type CredentialType = 'sheetRecordsApi' | 'sheetRecordsSessionApi';

/** The spellings that the service at hand uses for a few names. */
export type Dialect = 'standard' | 'ragic';

export interface RateLimit {
	/** The service address and account: those who share it share the limit. */
	account: string;
	/** At most so many requests, rounded down, reach the service in any second; below 1, one in a longer time; 0 for no limit. */
	requestsPerSecond: number;
	/** Of a request that goes out although another one holds the account's mutex. */
	isBeside?: boolean;
}

/** What the client needs to know of a credential. Words of the service that hold one of the secrets are withheld. */
export interface Connection {
	credentialType: CredentialType;
	/** `https://host[:port]`, without a slash at the end. */
	baseUrl: string;
	account: string;
	dialect: Dialect;
	rateLimit: RateLimit;
	/** Whether the service is talked to although nobody vouches for its certificate. */
	ignoresCertificate: boolean;
	/** Characters that n8n adds to each address for the identity. */
	authenticationLength: number;
	/** Tells users of one account apart; never shown. */
	user: string;
	sessionId?: string;
	secrets: string[];
}

/** The pace beyond which the service reviews an account (specification, "Limits"). */
const defaultRequestsPerSecond = 5;

/** A session id that is not there yet is taken for a long one. */
const longSessionId = 200;

/** Reads the credential of a node. Throws ServiceError as `connectionOf`. */
export async function readConnection(
	context: ServiceContext,
	credentialType: CredentialType,
): Promise<Connection> {
	return connectionOf(credentialType, await context.getCredentials(credentialType));
}

/**
 * What the data of a credential say. Throws InputError when its address is not `https://host[:port]` or its
 * account is missing.
 */
export function connectionOf(
	credentialType: CredentialType,
	data: ICredentialDataDecryptedObject,
): Connection {
	const text = (name: string) => String(data[name] ?? '').trim();
	const account = withoutOuter(text('account'), '/');
	if (account === '' || account === '.' || account === '..' || account.includes('/')) {
		throw new InputError(
			'The account in the credential is missing or not one name',
			'It is the first part of the address behind the host, e.g. acme in https://www.example.com/acme/sales/1.',
		);
	}
	if (holdsHalfCharacter([account, data.apiKey, data.sessionId].join())) {
		throw new InputError(
			'The account, key or session in the credential holds half of a character and cannot be sent',
			'Enter it again.',
		);
	}
	return {
		credentialType,
		baseUrl: serviceOrigin(text('baseUrl')),
		account,
		dialect: data.serviceDialect === 'ragic' ? 'ragic' : 'standard',
		rateLimit: rateLimitOf(data),
		ignoresCertificate: data.allowUnauthorizedCerts === true,
		authenticationLength: identityLength(data),
		user: text('email') || text('apiKey'),
		sessionId: text('sessionId') || undefined,
		secrets: ['apiKey', 'password', 'sessionId'].map(text).filter(Boolean),
	};
}

/**
 * The service that a connection leads to, in a text. Whoever answers unchecked need not be the service, so what he
 * said is nothing that a checked connection knows.
 */
export function serviceOf({ baseUrl, ignoresCertificate: isUnchecked }: Connection): string {
	return isUnchecked ? `${baseUrl} unchecked` : baseUrl;
}

/**
 * How fast the account of a credential may be asked. Throws InputError when its address is not
 * `https://host[:port]`.
 */
export function rateLimitOf(data: ICredentialDataDecryptedObject): RateLimit {
	const account = withoutOuter(String(data.account ?? '').trim(), '/');
	return {
		account: `${serviceOrigin(String(data.baseUrl ?? ''))}/${account}`.toLowerCase(),
		requestsPerSecond: requestsPerSecondOf(data.requestsPerSecond),
	};
}

/** What is no number, or below zero, is no wish for a pace without a limit. */
function requestsPerSecondOf(value: unknown): number {
	const isGiven = value !== undefined && value !== null && String(value).trim() !== '';
	const number = isGiven ? Number(value) : NaN;
	return Number.isFinite(number) && number >= 0 ? number : defaultRequestsPerSecond;
}

function identityLength(data: ICredentialDataDecryptedObject): number {
	const { apiKey, apiKeyIn, sessionId, sessionIn } = data;
	if (apiKeyIn === 'query') {
		return '&APIKey='.length + encodeURIComponent(String(apiKey).trim()).length;
	}
	if (sessionIn !== 'query') return 0;
	const session = String(sessionId ?? '');
	return '&sid='.length + Math.max(longSessionId, encodeURIComponent(session).length);
}
