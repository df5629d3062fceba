import type { IHttpRequestOptions } from 'n8n-workflow';
import { FormBody } from '../values/formBody';
import { httpAnswer, type RawAnswer } from './answer';
import type { Call, Decode, Send } from './call';
import { deadlineMilliseconds, timeoutMilliseconds } from './policies';
import { limitRate } from './rateLimiter';
import { followRedirects } from './redirect';
import { renewSession, retry } from './retry';
import { acquire, withDeadline } from './waiting';

/** Sends a request and returns what `decode` makes of its answer. Throws ServiceError. */
export async function send<T>(call: Call, decode: Decode<T>): Promise<T> {
	const exchange = followRedirects(limitRate(sendOnce));
	const decoded = async (one: Call) => await decode(await exchange(one));
	return await retry(oneAtATime(renewSession(decoded)))(call);
}

/** Holds the account's mutex until the answer is read. */
function oneAtATime<T>(next: Send<T>): Send<T> {
	return async (call) => {
		if (call.request.isPublic) return await next(call);
		const release = await acquire(call.connection.rateLimit.account, call.host.signal);
		return await next(call).finally(release);
	};
}

async function sendOnce(call: Call): Promise<RawAnswer> {
	const { connection, host, request, session, timing, url } = call;
	const { method = 'GET', body, encoding = 'arraybuffer', cookie } = request;
	const options: IHttpRequestOptions = {
		method,
		url,
		body,
		headers: {
			...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
			...(cookie === undefined ? {} : { cookie }),
		},
		encoding,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: timeoutMilliseconds,
		skipSslCertificateValidation: connection.ignoresCertificate,
	};
	const begun = performance.now();
	const authentication = { isPublic: request.isPublic, session };
	const sendUntil = async (abortSignal: AbortSignal): Promise<unknown> =>
		await host.send({ ...options, abortSignal }, authentication);
	const deadline = encoding === 'stream' ? Infinity : deadlineMilliseconds;
	return await withDeadline(deadline, sendUntil, host)
		.then(httpAnswer)
		.finally(() => {
			timing.serviceMilliseconds += performance.now() - begun;
			if (body instanceof FormBody) body.close();
		});
}
