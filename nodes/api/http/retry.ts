import { getOrInsert } from '../json/objects';
import type { Call, Host, Send } from './call';
import { connectionOf, type Connection } from './connection';
import { failureOf, finalFailure } from './failure';
import { busyStatus, mostRefusedLogins, waitBeforeRetry } from './policies';
import { slowDown } from './rateLimiter';
import { CachePart } from './runCache';
import type { ServiceError } from './serviceError';
import { loginKey, sessionIn } from './session';
import { waitUnlessCancelled } from './waiting';

/** Refused logins of the run by what they were made with. */
const loginRefusals = new CachePart<Map<number, ServiceError>>();
/** Shorter values of cookies are no sessions; taking them out of messages would only garble these. */
const shortestSecret = 8;

/** Sends a request until it succeeds or must not be sent again. Throws ServiceError without secrets. */
export function retry<T>(next: Send<T>): Send<T> {
	return async (call) => {
		const { connection, host, request } = call;
		for (let attempts = 1; ; attempts++) {
			try {
				return await next(call);
			} catch (thrown) {
				host.signal?.throwIfAborted();
				const failure = failureOf(thrown);
				const wait = waitBeforeRetry(failure, request, attempts);
				const isTooFrequent = failure.kind === 'tooFrequent';
				if (isTooFrequent || failure.details.status === busyStatus) {
					// A service that is busy refuses one request; one that counts them would refuse the next, too.
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

/** Returns the secrets of the credential as it was and as it is now: a session may have been renewed. */
export async function secretsOf(
	host: Host,
	connection: Connection,
	cookie = '',
): Promise<string[]> {
	const { secrets } = connectionOf(connection.credentialType, await host.credential());
	const ofCookie = cookie
		.split('; ')
		.map((pair) => pair.slice(pair.indexOf('=') + 1))
		.filter((value) => value.length >= shortestSecret);
	return [...new Set([...connection.secrets, ...secrets, ...ofCookie])];
}

/** Renews a session that has ended, and repeats the request once. The host logs in and stores the session when `sessionId` is empty. */
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
			// A login puts its session here. Without one the login failed, and repeating it may lock the account.
			if (!session.sessionId || !endsSession(failure)) throw failure;
		}
		// Requests of one account hold its mutex, so of several that fail together only the first logs in.
		return await sendWithin(next, { ...call, session: { ...session, sessionId: '' } });
	};
}

/** Sends a request with its session, or with a login before it, unless this run has had as many refused as it may. */
async function sendWithin<T>(next: Send<T>, call: Call): Promise<T> {
	const { session = {} } = call;
	if (session.sessionId) return await next(call);
	const refused = getOrInsert(call.cache.part(loginRefusals), loginKey(session), () => new Map());
	const [last] = [...refused.values()].reverse();
	if (last && refused.size >= mostRefusedLogins) throw last;
	return await next(call).catch((thrown: unknown) => {
		const failure = failureOf(thrown);
		const { nextLoginAt } = failure.details;
		// A login that is not due yet is refused without being sent: it has the time of the one before.
		if (nextLoginAt !== undefined) refused.set(nextLoginAt, failure);
		throw failure;
	});
}

/** Returns whether the request came without a valid session (specification, "Authentication"). */
function endsSession({ kind, details }: ServiceError): boolean {
	return kind === 'sessionExpired' || details.status === 401 || details.code === 105;
}
