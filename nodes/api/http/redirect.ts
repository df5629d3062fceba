import { urlOf } from '../values/serviceAddress';
import { discard, type HttpAnswer } from './answer';
import { mostRedirects } from './policies';
import { ServiceError } from './serviceError';

/** Parameters that carry identity; n8n adds them to each request. */
const identityParameter = /^(?:apikey|sid)(?:=|$)/i;

/** Follows redirects to the same origin. Throws ServiceError as `redirectTarget`. */
export function followRedirects<Sent extends { url: string; request: { method?: string } }>(
	next: (call: Sent) => Promise<HttpAnswer>,
): (call: Sent) => Promise<HttpAnswer> {
	return async (call) => {
		let { url } = call;
		for (let redirects = 0; ; redirects++) {
			const answer = await next({ ...call, url });
			// The body of a redirect is of no interest.
			if (locationOf(answer) !== undefined) discard(answer);
			const target = redirectTarget(answer, call.request.method ?? 'GET', url, redirects);
			if (target === undefined) return answer;
			url = target;
		}
	};
}

type AnswerHead = Pick<HttpAnswer, 'status' | 'headers'>;

/** Returns where an answer sends the request on to, if it does. */
function locationOf({ status, headers }: AnswerHead): string | undefined {
	return status >= 300 && status <= 399 && status !== 304 ? headers.location : undefined;
}

/**
 * Returns the address of the same origin to which an answer sends the request on; undefined when it is no redirect.
 * Throws ServiceError when following would carry identity to another host, or turn a write into a read, and when there
 * is no end.
 */
export function redirectTarget(
	answer: AnswerHead,
	method: string,
	url: string,
	redirects = 0,
): string | undefined {
	const { status } = answer;
	const location = locationOf(answer);
	if (location === undefined) return undefined;
	const target = urlOf(location, url);
	if (target?.origin !== new URL(url).origin) {
		const message = `The service sends this request on to another host, ${target?.origin ?? 'which it does not name'}`;
		const quoted = target && [target.origin];
		throw new ServiceError({
			kind: 'redirected',
			message,
			remedy: 'followAccount',
			status,
			quoted,
		});
	}
	if (method !== 'GET' && status !== 307 && status !== 308) {
		const message = 'The service answered with a redirect, which does not confirm the change';
		throw new ServiceError({ kind: 'redirected', message, remedy: 'checkAddress', status });
	}
	if (redirects >= mostRedirects) {
		const message = 'The service sends this request on again and again';
		throw new ServiceError({ kind: 'redirected', message });
	}
	// The text of the query stays as it is: decoding and encoding it again could change a filter.
	const parts = target.search.slice(1).split('&');
	const query = parts.filter((part) => !identityParameter.test(part)).join('&');
	return `${target.origin}${target.pathname}${query === '' ? '' : `?${query}`}`;
}
