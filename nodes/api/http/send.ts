import type { IHttpRequestOptions } from 'n8n-workflow';
import { FormBody } from '../values/formBody';
import { httpAnswer, type HttpAnswer } from './answer';
import { compose, type Call, type Decode, type Send } from './call';
import { timeoutMilliseconds } from './policies';
import { limitRate } from './rateLimiter';
import { followRedirects } from './redirect';
import { renewSession, retry } from './retry';
import { acquire, withCancel } from './waiting';

/** Sends a request and returns what `decode` makes of its answer. Throws ServiceError. */
export async function send<T>(call: Call, decode: Decode<T>): Promise<T> {
	const exchange = compose(followRedirects, limitRate)(n8nHttp);
	const decoded = async (one: Call) => await decode(await exchange(one));
	return await compose<T>(retry, oneAtATime, renewSession)(decoded)(call);
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
	const { context, connection, request, session, signal, timing, url } = call;
	const { credentialType } = connection;
	const { method = 'GET', body, encoding = 'text', cookie } = request;
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
	signal?.throwIfAborted();
	const begun = performance.now();
	const sent: Promise<unknown> = request.isPublic
		? context.helpers.httpRequest({ ...options, abortSignal: signal })
		: context.helpers.httpRequestWithAuthentication.call(
				context,
				credentialType,
				options,
				session && {
					credentialsDecrypted: { id: '', name: '', type: credentialType, data: session },
				},
			);
	return await withCancel(sent, signal)
		.then(httpAnswer)
		.finally(() => {
			timing.serviceMilliseconds += performance.now() - begun;
			if (body instanceof FormBody) body.close();
		});
}
