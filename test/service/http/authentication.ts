import { type ServiceState } from '../call';
import type { Identity, Session } from '../identities';
import type { Query } from './query';
import { refusal, ServiceError } from './serviceError';

export interface Proof {
	identity: Identity;
	byApiKey: boolean;
	byCookie: boolean;
	session: Session | undefined;
}

type Headers = Record<string, string | string[] | undefined>;

/**
 * Authenticates the caller (specification, "Authentication") by the first one present of: key in the header, key in the
 * query, session in the query, session in a cookie.
 */
export function authenticate(headers: Headers, query: Query, state: ServiceState): Proof {
	const cookie = readCookie(single(headers.cookie) ?? '', state.switches.cookieName);
	if (headers.authorization !== undefined) {
		return withCookie(proofByHeader(headers, state), cookie, state);
	}
	const apiKey = query.first('APIKey');
	if (apiKey !== undefined) return withCookie(proofByKey(apiKey, state), cookie, state);
	const sessionId = query.first('sid');
	if (sessionId !== undefined) return proofBySession(sessionId, state, false);
	if (cookie !== undefined) return proofBySession(cookie, state, true);
	throw refusal('status401');
}

/**
 * Adds the session of a cookie to a proof by key, because files may require it. Ignores an expired session and a session of
 * another user.
 */
function withCookie(
	proof: Proof,
	cookie: string | undefined,
	{ sessions, switches }: ServiceState,
): Proof {
	if (cookie === undefined) return proof;
	const session = sessions.use(cookie, switches.sessionLifetimeRequests);
	return session?.identity === proof.identity ? { ...proof, session } : proof;
}

export function recognise(headers: Headers, query: Query, state: ServiceState): string | undefined {
	const key = headerKey(headers) ?? query.first('APIKey');
	if (key !== undefined) return findByKey(key, state)?.name;
	const cookie = readCookie(single(headers.cookie) ?? '', state.switches.cookieName);
	return state.sessions.find(query.first('sid') ?? cookie ?? '')?.identity.name;
}

function single(header: string | string[] | undefined): string | undefined {
	return Array.isArray(header) ? header.join('; ') : header;
}

function headerKey({ authorization }: Headers): string | undefined {
	return /^Basic (.+)$/.exec(single(authorization) ?? '')?.[1];
}

/** The key follows `Basic ` unchanged. A key encoded as user name and password makes the caller a guest. */
function proofByHeader(headers: Headers, state: ServiceState): Proof {
	const key = headerKey(headers);
	if (key === undefined) throw refusal('status401');
	const isEncodedPair = /^[ -~]+:[ -~]*$/.test(Buffer.from(key, 'base64').toString('latin1'));
	if (isEncodedPair && !findByKey(key, state)) throw new ServiceError('noAccessRight');
	return proofByKey(key, state);
}

function proofByKey(key: string, state: ServiceState): Proof {
	const identity = findByKey(key, state);
	if (identity) return { identity, byApiKey: true, byCookie: false, session: undefined };
	throw refusal(state.switches.wrongKeyAnswer);
}

/** Returns the identity with the key in the header, or undefined if there is no key or it is unknown. */
export function keyHolder(headers: Headers, state: ServiceState): Identity | undefined {
	const key = headerKey(headers);
	return key === undefined ? undefined : findByKey(key, state);
}

function findByKey(key: string, { identities }: ServiceState): Identity | undefined {
	return Object.values(identities).find(({ apiKey }) => apiKey === key);
}

function proofBySession(sessionId: string, state: ServiceState, byCookie: boolean): Proof {
	const { sessions, switches } = state;
	const session = sessions.use(sessionId, switches.sessionLifetimeRequests);
	if (session) return { identity: session.identity, byApiKey: false, byCookie, session };
	throw refusal(switches.expiredSessionAnswer);
}

function readCookie(header: string, name: string): string | undefined {
	for (const pair of header.split(';')) {
		const [cookieName = '', ...value] = pair.trim().split('=');
		if (cookieName === name) return value.join('=');
	}
	return undefined;
}
