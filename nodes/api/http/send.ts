import type { IHttpRequestOptions } from 'n8n-workflow';
import { FormBody } from '../values/formBody';
import { httpAnswer, type HttpAnswer } from './answer';
import type { Call, Decode, Send } from './call';
import type { ServiceContext } from './connection';
import { deadlineMilliseconds, timeoutMilliseconds } from './policies';
import { limitRate } from './rateLimiter';
import { followRedirects } from './redirect';
import { renewSession, retry } from './retry';
import { acquire, withDeadline } from './waiting';

/** Sends a request and returns what `decode` makes of its answer. Throws ServiceError. */
export async function send<T>(call: Call, decode: Decode<T>): Promise<T> {
	const exchange = followRedirects(limitRate(n8nHttp));
	const decoded = async (one: Call) => await decode(await exchange(one));
	return await retry(oneAtATime(renewSession(decoded)))(call);
}

/** Holds the account's mutex until the answer is read. */
function oneAtATime<T>(next: Send<T>): Send<T> {
	return async (call) => {
		if (call.request.isPublic) return await next(call);
		const release = await acquire(call.connection.rateLimit.account, call.signal);
		return await next(call).finally(release);
	};
}

/**
 * Sends by n8n's helper, which adds authentication and the signal that cancels the request; not the latter to a login,
 * which may come first: nobody waits for its end.
 */
async function n8nHttp(call: Call): Promise<HttpAnswer> {
	const { connection, request, session, timing, url } = call;
	const { credentialType } = connection;
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
	const sendUntil = async (abortSignal: AbortSignal): Promise<unknown> => {
		const context = cancelledBy(call.context, abortSignal);
		if (request.isPublic) return await context.helpers.httpRequest({ ...options, abortSignal });
		return await context.helpers.httpRequestWithAuthentication.call(
			context,
			credentialType,
			{ ...options, abortSignal },
			session && {
				credentialsDecrypted: { id: '', name: '', type: credentialType, data: session },
			},
		);
	};
	const deadline = encoding === 'stream' ? Infinity : deadlineMilliseconds;
	return await withDeadline(deadline, sendUntil, call.signal)
		.then(httpAnswer)
		.finally(() => {
			timing.serviceMilliseconds += performance.now() - begun;
			if (body instanceof FormBody) body.close();
		});
}

/** n8n puts the signal of the context in place of the one in the options. */
function cancelledBy(context: ServiceContext, signal: AbortSignal): ServiceContext {
	if (!('getExecutionCancelSignal' in context)) return context;
	return new Proxy(context, {
		get(target, name) {
			if (name === 'getExecutionCancelSignal') return () => signal;
			return Reflect.get(target, name);
		},
	});
}
