import type { Remedy } from '../values/inputError';
import { discard, type HttpAnswer } from './answer';
import type { Send } from './call';
import { mostRedirects } from './policies';
import { ServiceError } from './serviceError';

/** Parameters that carry identity; n8n adds them anew to each request. */
const identityParameters = new Set(['apikey', 'sid']);

type AnswerHead = Pick<HttpAnswer, 'status' | 'headers'>;

/** Follows redirects to the same origin. Throws ServiceError as `redirectTarget`. */
export function followRedirects(next: Send<HttpAnswer>): Send<HttpAnswer> {
	return async (call) => {
		let { url } = call;
		for (let redirects = 0; ; redirects++) {
			const answer = await next({ ...call, url });
			if (isRedirect(answer)) discard(answer);
			const target = redirectTarget(answer, call.request.method ?? 'GET', url, redirects);
			if (target === undefined) return answer;
			url = target;
		}
	};
}

/** Whether an answer sends the request on; its body is of no interest then. */
function isRedirect({ status, headers }: AnswerHead): boolean {
	return status >= 300 && status <= 399 && status !== 304 && headers.location !== undefined;
}

/**
 * The address of the same origin to which an answer sends the request on.
 *
 * @param redirects how often it was sent on before
 * @returns undefined when the answer is no redirect
 * @throws ServiceError when following would carry identity to another host, or turn a write into a read, and
 *   when there is no end
 */
export function redirectTarget(
	answer: AnswerHead,
	method: string,
	url: string,
	redirects = 0,
): string | undefined {
	const { status, headers } = answer;
	const location = headers.location;
	if (!isRedirect(answer) || location === undefined) return undefined;
	const target = parseTarget(location, url);
	if (target?.origin !== new URL(url).origin) throw leavesOrigin(new URL(url), status, target);
	if (method !== 'GET' && status !== 307 && status !== 308) {
		throw refusedRedirect(
			'The service answered with a redirect, which does not confirm the change',
			'checkAddress',
			status,
		);
	}
	if (redirects >= mostRedirects) {
		throw refusedRedirect('The service sends this request on again and again');
	}
	return withoutIdentity(target);
}

function leavesOrigin(from: URL, status: number, target?: URL): ServiceError {
	const isUnencrypted = target?.protocol === 'http:' && target.hostname === from.hostname;
	return isUnencrypted
		? refusedRedirect(
				`The service sends this request on to an address without encryption, ${target.origin}`,
				'checkForwarding',
				status,
				target,
			)
		: refusedRedirect(
				`The service sends this request on to another host, ${target?.origin ?? 'which it does not name'}`,
				'followAccount',
				status,
				target,
			);
}

function refusedRedirect(
	message: string,
	remedy?: Remedy,
	status?: number,
	target?: URL,
): ServiceError {
	const quoted = target && [target.origin];
	return new ServiceError({ kind: 'redirected', message, remedy, status, quoted });
}

function parseTarget(location: string, base: string): URL | undefined {
	try {
		return new URL(location, base);
	} catch {
		return undefined;
	}
}

/** The text of the query stays as it is: decoding and encoding it again could change a filter. */
function withoutIdentity(target: URL): string {
	const query = target.search
		.slice(1)
		.split('&')
		.filter((part) => !identityParameters.has((part.split('=')[0] ?? '').toLowerCase()))
		.join('&');
	return `${target.origin}${target.pathname}${query === '' ? '' : `?${query}`}`;
}
