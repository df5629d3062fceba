import type { Call, Send } from './call';
import { waitUnlessCancelled } from './cancellation';
import { readConnection, type Connection, type ServiceContext } from './connection';
import { noAccessCode } from './errorCodes';
import { failureOf, finalFailure } from './failure';
import { asksForFewer, guestMilliseconds, outcomeIsUnknown, waitBeforeRetry } from './policies';
import { slowDown } from './rateLimiter';
import type { CachePart } from './runCache';

/** Where access was refused since the last success, in the whole run: the next time it is believed at once. */
const refusals: CachePart<true> = { name: 'refusals' };
/** Shorter values of cookies are no sessions; taking them out of messages would only garble these. */
const shortestSecret = 8;

/** Sends a request until it succeeds or must not be sent again. Throws ServiceError without secrets. */
export function retry<T>(next: Send<T>): Send<T> {
	return async (call) => {
		const { connection, policy, signal } = call;
		for (let attempts = 1; ; attempts++) {
			try {
				const value = await next(call);
				call.cache.part(refusals).clear();
				return value;
			} catch (thrown) {
				signal?.throwIfAborted();
				const failure = failureOf(thrown);
				if (outcomeIsUnknown(failure) && (await call.isDone?.())) throw failure;
				const isGuest = failure.details.code === noAccessCode && isNewRefusal(call);
				const wait = isGuest ? guestMilliseconds : waitBeforeRetry(failure, policy, attempts);
				if (asksForFewer(failure)) {
					// A service that is busy refuses one request; one that counts them would refuse the next, too.
					slowDown(connection.rateLimit, failure.kind === 'tooFrequent' ? (wait ?? 0) : 0);
				}
				if (wait === undefined) {
					const secrets = await secretsOf(call.context, connection, call.request.cookie);
					throw finalFailure(failure, secrets, { policy, attempts });
				}
				await waitUnlessCancelled(wait, signal);
			}
		}
	};
}

/** Of the records of a sheet, one stands for all. */
function isNewRefusal({ cache, request }: Call): boolean {
	const refused = cache.part(refusals);
	const place = request.path.replace(/(\/\d+)\/\d+$/, '$1');
	const isNew = !refused.has(place);
	refused.set(place, true);
	return isNew;
}

/** Returns the secrets of the credential as it was and as it is now: a session may have been renewed. */
export async function secretsOf(
	context: ServiceContext,
	connection: Connection,
	cookie = '',
): Promise<string[]> {
	const { secrets } = await readConnection(context, connection.credentialType);
	const ofCookie = cookie
		.split('; ')
		.map((pair) => pair.slice(pair.indexOf('=') + 1))
		.filter((value) => value.length >= shortestSecret);
	return [...new Set([...connection.secrets, ...secrets, ...ofCookie])];
}
