import { getOrInsert } from '../json/objects';
import type { Call, Host, Send } from './call';
import { connectionOf, type Connection } from './connection';
import { failureOf, finalFailure } from './failure';
import { busyStatus, maxRefusedLogins, waitBeforeRetry } from './policies';
import { slowDown, speedUp } from './rateLimiter';
import { CachePart } from './runCache';
import type { ServiceError } from './serviceError';
import { loginKey, sessionIn } from './session';
import { waitUnlessCancelled } from './waiting';

/** Rejected logins of the run: login key → time from which the next login is allowed (`nextLoginAt`) → rejection. */
const loginRefusals = new CachePart<Map<number, ServiceError>>();
/** Minimum length of a cookie value that counts as a secret. Redacting shorter values would only garble messages. */
const minSecretLength = 8;

/** Sends a request until it succeeds or must not be sent again. Throws ServiceError without secrets. */
export function retry<T>(next: Send<T>): Send<T> {
	return async (call) => {
		const { connection, host, request } = call;
		for (let attempts = 1; ; attempts++) {
			try {
				const result = await next(call);
				speedUp(connection.rateLimit);
				return result;
			} catch (thrown) {
				host.signal?.throwIfAborted();
				const failure = failureOf(thrown);
				const wait = waitBeforeRetry(failure, request, attempts);
				const isTooFrequent = failure.kind === 'tooFrequent';
				if (isTooFrequent || failure.details.status === busyStatus) {
					// A service that counts requests would also refuse the next one, so pause. For a busy service, only halve the rate.
					slowDown(connection.rateLimit, isTooFrequent ? (wait ?? 0) : 0);
				}
				const secrets = await secretsOf(host, connection, request.cookie);
				const final = finalFailure(failure, secrets, request.isWrite, attempts);
				if (wait === undefined) throw final;
				call.cache.addWait(wait, final.message);
				await waitUnlessCancelled(wait, host);
			}
		}
	};
}

/** Returns the secrets of the run's credential, of the stored credential, whose session may be newer, and of cookies. */
export async function secretsOf(
	host: Host,
	connection: Connection,
	cookie = '',
): Promise<string[]> {
	const { secrets } = connectionOf(connection.credentialType, await host.credential());
	const ofCookie = cookie
		.split('; ')
		.map((pair) => pair.slice(pair.indexOf('=') + 1))
		.filter((value) => value.length >= minSecretLength);
	return [...new Set([...connection.secrets, ...secrets, ...ofCookie])];
}

/**
 * Sends a request with the stored session, which an earlier request may have renewed. If that session has ended, repeats the
 * request once with an empty `sessionId`: the host then logs in and stores the new session.
 */
export function renewSession<T>(next: Send<T>): Send<T> {
	return async (call) => {
		const { connection, host, request } = call;
		if (request.isPublic || connection.credentialType !== 'sheetRecordsSessionApi') {
			return await next(call);
		}
		const credential = await host.credential();
		const session = sessionIn(credential) ? credential : { ...credential, sessionId: '' };
		try {
			return await sendWithin(next, { ...call, session });
		} catch (thrown) {
			const failure = failureOf(thrown);
			// A login stores its session here. If there is no session, the login failed, and repeating it could lock the account.
			if (!session.sessionId || !endsSession(failure)) throw failure;
		}
		// The account's mutex is held, so requests that wait will read the new session, and do not log in as well.
		return await sendWithin(next, { ...call, session: { ...session, sessionId: '' } });
	};
}

/** Sends a request with its session, or after a login. Throws the last rejection if the run reached `maxRefusedLogins`. */
async function sendWithin<T>(next: Send<T>, call: Call): Promise<T> {
	const { session = {} } = call;
	if (session.sessionId) return await next(call);
	const refused = getOrInsert(call.cache.part(loginRefusals), loginKey(session), () => new Map());
	const [last] = [...refused.values()].reverse();
	if (last && refused.size >= maxRefusedLogins) throw last;
	return await next(call).catch((thrown: unknown) => {
		const failure = failureOf(thrown);
		const { nextLoginAt } = failure.details;
		// `logIn` throws an earlier rejection again without sending. It has the same time, so it is not counted twice.
		if (nextLoginAt !== undefined) refused.set(nextLoginAt, failure);
		throw failure;
	});
}

/** Returns whether a failure ends the session: by its kind, with HTTP 401 or with code 105 (specification, "Authentication"). */
function endsSession({ kind, details }: ServiceError): boolean {
	return kind === 'sessionExpired' || details.status === 401 || details.code === 105;
}
