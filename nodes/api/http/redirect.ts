import { urlOf } from '../values/serviceAddress';
import { isByteStream, type RawAnswer } from './answer';
import { maxRedirects } from './policies';
import { ServiceError } from './serviceError';

/** Authentication parameters. n8n adds them to each request. */
const identityParameter = /^(?:apikey|sid)(?:=|$)/i;

/** Follows redirects to the same origin. Throws ServiceError for a forbidden redirect, and for more than `maxRedirects`. */
export function followRedirects<Sent extends { url: string; request: { method?: string } }>(
	next: (call: Sent) => Promise<RawAnswer>,
	redirects = 0,
): (call: Sent) => Promise<RawAnswer> {
	return async (call) => {
		const received = await next(call);
		const answer = redirects === 0 ? received : { ...received, isRedirected: true };
		const { status, headers, body } = answer;
		const { location } = headers;
		if (status < 300 || status > 399 || status === 304 || location === undefined) return answer;
		// The body of a redirect is not needed.
		if (isByteStream(body)) body.destroy();
		const url = redirectTarget(location, status, call.request.method ?? 'GET', call.url);
		if (redirects < maxRedirects)
			return await followRedirects(next, redirects + 1)({ ...call, url });
		const message = 'The service sends this request on again and again';
		throw new ServiceError({ kind: 'redirected', message, remedy: 'checkBaseUrl', status });
	};
}

/**
 * Returns the address of the redirected request. Throws ServiceError if it would send the authentication to another origin, or
 * turn another method into GET. A write that is sent with GET is redirected like a read.
 */
export function redirectTarget(location: string, status: number, method: string, url: string) {
	const target = urlOf(location, url);
	const refusal = { kind: 'redirected', status } as const;
	if (target?.origin !== new URL(url).origin) {
		const host = target?.origin ?? 'which it does not name';
		const message = `The service sends this request on to another host, ${host}`;
		throw new ServiceError({ ...refusal, message, remedy: 'followAccount', quoted: [host] });
	}
	if (method !== 'GET' && status !== 307 && status !== 308) {
		const message = 'The service answered with a redirect, which does not confirm the change';
		throw new ServiceError({ ...refusal, message, remedy: 'checkAddress' });
	}
	// Do not decode and encode the query: this could change a filter.
	const parts = target.search.slice(1).split('&');
	const query = parts.filter((part) => !identityParameter.test(part)).join('&');
	return `${target.origin}${target.pathname}${query === '' ? '' : `?${query}`}`;
}
