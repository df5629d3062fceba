import type { IHttpRequestOptions } from 'n8n-workflow';
import { httpAnswer, readAnswer, writeAnswer } from './answer';
import type { HttpAnswer, RawAnswer } from './answer';
import { noAccessCode } from './errorCodes';
import { FormBody } from '../values/formBody';
import type { JsonObject, JsonValue } from '../json/orderedJson';
import { redacting } from './redaction';
import { discard } from './byteStream';
import { waitUnlessCancelled, withCancel } from './cancellation';
import { ConfirmedWrites } from './confirmedWrites';
import { readConnection } from './connection';
import type { Connection, CredentialType, ServiceContext } from './connection';
import { failureOf, finalFailure } from './failure';
import { RunCache } from './runCache';
import { countRequest, slowDown, untilPaceAllows } from './rateLimiter';
import { isRedirect, redirectTarget } from './redirect';
import { asksForFewer, guestMilliseconds, outcomeIsUnknown, waitBeforeRetry } from './retry';
import type { RequestPurpose } from './retry';
import { endsSession, readSession, renewedSession, type Session } from './session';
import { acquire } from './mutex';

/** Big pages take seconds, with spikes of half a minute; the service is given up after this. */
const timeoutMilliseconds = 120_000;

/** Shorter values of cookies are no sessions; taking them out of messages would only garble these. */
const shortestSecret = 8;

/** A request below the service address. */
export interface ServiceRequest {
	/** Encoded path, from the slash behind the host on. */
	path: string;
	/** Encoded query, without the question mark. */
	query: string;
	/** What a read is for, where it is no plain one. */
	purpose?: 'divisibleRead';
	/** How the body of the answer comes: as text, unless said otherwise. */
	encoding?: 'stream';
	/** Of a session that the service opened; it is sent beside the credential. */
	cookie?: string;
	/** Sent without identity or turn, for what the service tells everybody: no login and no long request is in the way. */
	isPublic?: boolean;
}

/** A request that changes something. */
export interface WriteRequest extends ServiceRequest {
	method: 'POST' | 'DELETE';
	body?: string | FormBody;
}

type AnyRequest = ServiceRequest & Partial<WriteRequest>;

/** Makes the value of an answer, in the turn of its request. */
type Decode<T> = (answer: HttpAnswer) => T | Promise<T>;

/**
 * The one place from which requests go out: identity, pace, time-out, retry, redirects, session renewal,
 * and telling an answer from a refusal.
 */
export class Client {
	/** How long the service took for all requests of this client, without waits for a turn. */
	serviceMilliseconds = 0;

	/** @param refused where access was refused since the last success, in the whole run: the next time it is believed at once */
	private constructor(
		private readonly context: ServiceContext,
		readonly connection: Connection,
		readonly signal: AbortSignal | undefined,
		private readonly refused = new Set<string>(),
		private readonly writes = new ConfirmedWrites(),
		/** Of the run: clients for a shorter time or one item share it. */
		readonly cache = new RunCache(),
	) {}

	/** A client with the node's credential. Throws InputError when the credential cannot be used. */
	static async connect(context: ServiceContext, credentialType: CredentialType): Promise<Client> {
		const connection = await readConnection(context, credentialType);
		const signal =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		return new Client(context, connection, signal);
	}

	/** The same client for a shorter time: whatever it does ends, at once, with the signal. */
	endingWith(signal: AbortSignal): Client {
		const signals = this.signal ? [this.signal, signal] : [signal];
		const either = AbortSignal.any(signals);
		return new Client(this.context, this.connection, either, this.refused, this.writes, this.cache);
	}

	/** The same client for one item, whose confirmed writes are not sent again. */
	confirming(writes: ConfirmedWrites): Client {
		return new Client(this.context, this.connection, this.signal, this.refused, writes, this.cache);
	}

	/**
	 * Asks for something, again and again while the failure may pass.
	 *
	 * @param decode makes the value of the answer; without it, its text is JSON
	 * @throws ServiceError
	 */
	async read(request: ServiceRequest): Promise<JsonValue>;
	async read<T>(request: ServiceRequest, decode: Decode<T>): Promise<T>;
	async read(request: ServiceRequest, decode: Decode<unknown> = readAnswer): Promise<unknown> {
		return await this.request(request.purpose ?? 'read', request, decode);
	}

	/**
	 * Changes something, once. It is sent again only when it surely was not carried out.
	 *
	 * @param decode makes the value of a confirmation; without it, the confirmation says `SUCCESS`
	 * @throws ServiceError; its description says so when nobody knows whether the change was made
	 */
	async write(request: WriteRequest): Promise<JsonObject>;
	async write<T>(request: WriteRequest, decode: (answer: RawAnswer) => T): Promise<T>;
	async write(
		request: WriteRequest,
		decode: (answer: RawAnswer) => unknown = writeAnswer,
	): Promise<unknown> {
		const write = this.writes.next(`${request.method} ${this.urlOf(request)}`);
		if (write.confirmation) return decode(write.confirmation);
		return await this.request('write', request, (answer) => {
			const value = decode(answer);
			write.confirmation = answer;
			return value;
		});
	}

	/**
	 * Changes something by GET, and looks up whether it is done: when it was confirmed, and before it is sent
	 * again when nobody knows whether it was carried out. Throws ServiceError.
	 */
	async writeChecked(
		request: ServiceRequest,
		decode: Decode<JsonValue>,
		isDone: () => Promise<boolean>,
	): Promise<boolean> {
		const confirmation = await this.request('read', request, decode, isDone);
		return confirmation === undefined || (await isDone());
	}

	private urlOf({ path, query }: ServiceRequest): string {
		return `${this.connection.baseUrl}${path}?${query}`;
	}

	/**
	 * Sends a request until it is answered, or must not be sent again. Undefined when only `isDone` tells that it
	 * was carried out.
	 */
	private async request<T>(
		purpose: RequestPurpose,
		request: AnyRequest,
		decode: Decode<T>,
		isDone?: () => Promise<boolean>,
	): Promise<T | undefined> {
		for (let attempts = 1; ; attempts++) {
			try {
				const value = await this.attempt(request, decode);
				this.refused.clear();
				return value;
			} catch (thrown) {
				this.signal?.throwIfAborted();
				const failure = failureOf(thrown);
				if (isDone && outcomeIsUnknown(failure) && (await isDone())) return undefined;
				const isGuest = failure.details.code === noAccessCode && this.isNewRefusal(request);
				const wait = isGuest ? guestMilliseconds : waitBeforeRetry(failure, purpose, attempts);
				if (asksForFewer(failure)) {
					// A service that is busy refuses one request; one that counts them would refuse the next, too.
					slowDown(this.connection.rateLimit, failure.kind === 'tooFrequent' ? (wait ?? 0) : 0);
				}
				if (wait === undefined) {
					throw finalFailure(failure, purpose, attempts, await this.secrets(request.cookie));
				}
				await waitUnlessCancelled(wait, this.signal);
			}
		}
	}

	/** Of the records of a sheet, one stands for all. */
	private isNewRefusal({ path }: ServiceRequest): boolean {
		const place = path.replace(/(\/\d+)\/\d+$/, '$1');
		const isNew = !this.refused.has(place);
		this.refused.add(place);
		return isNew;
	}

	/**
	 * Sends a request in a turn of the account, which ends when the answer is read. A session that has ended is
	 * renewed, and the request repeated, once: without identity it did nothing.
	 */
	private async attempt<T>(request: AnyRequest, decode: Decode<T>): Promise<T> {
		if (request.isPublic) return await decode(await this.send(request));
		const release = await acquire(this.connection.rateLimit.account, this.signal);
		try {
			if (this.connection.credentialType !== 'sheetRecordsSessionApi') {
				return await decode(await this.send(request));
			}
			const session = await readSession(this.context);
			try {
				return await decode(await this.send(request, session));
			} catch (thrown) {
				// Still without a session: it was the login that failed, and repeating it may lock the account.
				const wasSent = Boolean(session.sessionId);
				const failure = failureOf(thrown);
				if (!wasSent || !endsSession(failure)) throw failure;
			}
			return await decode(await this.send(request, await renewedSession(this.context, session)));
		} finally {
			release();
		}
	}

	/** Sends a request at the account's pace, and on to where the service redirects it. */
	private async send(request: AnyRequest, session?: Session): Promise<HttpAnswer> {
		const { method = 'GET', body, isPublic } = request;
		const { credentialType, ignoresCertificate: skipSslCertificateValidation } = this.connection;
		const pace = { ...this.connection.rateLimit, isBeside: isPublic };
		let url = this.urlOf(request);
		for (let redirects = 0; ; redirects++) {
			const options = { ...httpOptions(request, url), skipSslCertificateValidation };
			await untilPaceAllows(pace, this.signal);
			this.signal?.throwIfAborted();
			const begun = performance.now();
			// n8n adds the identity, and the signal that cancels the request, to the options. Not so to those of
			// a login, which may come first: nobody waits for its end.
			const sent: Promise<unknown> = isPublic
				? this.context.helpers.httpRequest({ ...options, abortSignal: this.signal })
				: this.context.helpers.httpRequestWithAuthentication.call(
						this.context,
						credentialType,
						options,
						session && {
							credentialsDecrypted: { id: '', name: '', type: credentialType, data: session },
						},
					);
			const answer = await withCancel(sent, this.signal)
				.then(httpAnswer)
				.finally(() => {
					countRequest(pace);
					this.serviceMilliseconds += performance.now() - begun;
					if (body instanceof FormBody) body.close();
				});
			if (isRedirect(answer)) discard(answer);
			const target = redirectTarget(answer, method, url, redirects);
			if (target === undefined) return answer;
			url = target;
		}
	}

	/** Words of the service that are shown, or a sentence in place of those that hold a secret. */
	async shownWords(words: string): Promise<string> {
		return redacting([words], await this.secrets())(words);
	}

	/** Read anew: a session may have been renewed since the client was made. */
	private async secrets(cookie = ''): Promise<string[]> {
		const { secrets } = await readConnection(this.context, this.connection.credentialType);
		const ofCookie = cookie
			.split('; ')
			.map((pair) => pair.slice(pair.indexOf('=') + 1))
			.filter((value) => value.length >= shortestSecret);
		return [...new Set([...this.connection.secrets, ...secrets, ...ofCookie])];
	}
}

function httpOptions(request: AnyRequest, url: string): IHttpRequestOptions {
	const { method = 'GET', body, encoding = 'text', cookie } = request;
	return {
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
	};
}
