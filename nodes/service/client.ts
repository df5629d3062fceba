import type { IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import { httpAnswer, readAnswer, writeAnswer } from '../wire/answer';
import type { HttpAnswer, RawAnswer } from '../wire/answer';
import { noAccessCode } from '../wire/errorCodes';
import { FormBody } from '../wire/formBody';
import type { JsonObject, JsonValue } from '../wire/orderedJson';
import { withholding } from '../wire/redaction';
import { waitUnlessCancelled, withCancel } from './cancel';
import type { ConfirmedWrites } from './confirmedWrites';
import { readConnection } from './connection';
import type { Connection, CredentialType, ServiceContext } from './connection';
import { discard } from './byteStream';
import { failureOf, finalFailure } from './failure';
import { holdBack, inTurn } from './pace';
import type { Paced } from './pace';
import { followRedirects, isRedirect } from './redirect';
import { guestMilliseconds, waitBeforeRetry } from './retry';
import type { RequestPurpose } from './retry';
import { endsSession, readSession, renewedSession } from './session';
import type { Session } from './session';

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
}

/** A request that changes something. */
export interface WriteRequest extends ServiceRequest {
	method: 'POST' | 'DELETE';
	/** A JSON text, a form, or nothing. */
	body?: string | FormBody;
}

interface PreparedRequest {
	method: IHttpRequestMethods;
	url: string;
	body?: string | FormBody;
	/** Text, unless said otherwise. */
	encoding?: 'text' | 'stream';
	/** A session's, in place of the credential. */
	cookie?: string;
	/** Sent without any identity. */
	isPublic?: boolean;
	/** What its attempts have taken so far. */
	spent?: { milliseconds: number };
}

type Decode<T> = (answer: HttpAnswer) => T | Promise<T>;

/**
 * The one place from which requests go out: identity, pace, time-out, retry, redirects, session renewal,
 * and telling an answer from a refusal.
 */
export class Client {
	/** @param access refusals of access in a row, in the whole run; a second one is believed at once */
	private constructor(
		private readonly context: ServiceContext,
		readonly connection: Connection,
		readonly signal: AbortSignal | undefined,
		private readonly access = { refusals: 0 },
		private readonly confirmed?: ConfirmedWrites,
	) {}

	/**
	 * A client with the node's credential.
	 *
	 * @throws InputError when the credential cannot be used
	 */
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
		return new Client(this.context, this.connection, either, this.access, this.confirmed);
	}

	/** The same client for one item, whose confirmed writes are not sent again. */
	confirming(writes: ConfirmedWrites): Client {
		return new Client(this.context, this.connection, this.signal, this.access, writes);
	}

	/**
	 * Asks for something, again and again while the failure may pass.
	 *
	 * @param decode makes the value of the answer's text; without it, the text is JSON
	 * @throws ServiceError
	 */
	async read(request: ServiceRequest): Promise<JsonValue>;
	async read<T>(request: ServiceRequest, decode: (answer: RawAnswer) => T): Promise<T>;
	async read(
		request: ServiceRequest,
		decode: (answer: RawAnswer) => unknown = readAnswer,
	): Promise<unknown> {
		const spent = { milliseconds: 0 };
		const prepared = { method: 'GET', url: this.urlOf(request), spent } as const;
		return await this.attempt(request.purpose ?? 'read', prepared, ofText(decode));
	}

	/** As `read`, without identity, for what the service tells everybody: no login that fails is in the way. */
	async readPublic<T>(request: ServiceRequest, decode: (answer: RawAnswer) => T): Promise<T> {
		const prepared = { method: 'GET', url: this.urlOf(request), isPublic: true } as const;
		return await this.attempt('read', prepared, ofText(decode));
	}

	/**
	 * Asks for a file, again from its beginning while the failure may pass.
	 *
	 * @param receive takes the answer with its body as a stream, to its end
	 * @param cookie of a session that the service opened; it is sent in place of the credential
	 * @throws ServiceError
	 */
	async download<T>(
		request: ServiceRequest,
		receive: (answer: HttpAnswer) => Promise<T>,
		cookie?: string,
	): Promise<T> {
		const url = this.urlOf(request);
		const prepared = { method: 'GET', url, encoding: 'stream', cookie } as const;
		return await this.attempt('read', prepared, receive);
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
		{ method, body, ...request }: WriteRequest,
		decode: (answer: RawAnswer) => unknown = writeAnswer,
	): Promise<unknown> {
		const url = this.urlOf(request);
		const send = async (confirm: typeof decode) =>
			await this.attempt('write', { method, url, body }, ofText(confirm));
		return await (this.confirmed?.once(`${method} ${url}`, decode, send) ?? send(decode));
	}

	/**
	 * As `write`, by GET, for a change whose outcome the caller looks up after a doubt: the error says nothing
	 * of it.
	 *
	 * @throws ServiceError
	 */
	async writeChecked<T>(request: ServiceRequest, decode: (answer: RawAnswer) => T): Promise<T> {
		const prepared = { method: 'GET', url: this.urlOf(request) } as const;
		return await this.attempt('checkedWrite', prepared, ofText(decode));
	}

	private urlOf({ path, query }: ServiceRequest): string {
		return `${this.connection.baseUrl}${path}?${query}`;
	}

	private async attempt<T>(
		purpose: RequestPurpose,
		request: PreparedRequest,
		decode: Decode<T>,
	): Promise<T> {
		for (let attempts = 1; ; attempts++) {
			try {
				const value = await this.takeTurn(request, decode);
				this.access.refusals = 0;
				return value;
			} catch (thrown) {
				this.signal?.throwIfAborted();
				const failure = failureOf(thrown);
				const isGuest = failure.details.code === noAccessCode && this.access.refusals++ === 0;
				const wait = isGuest ? guestMilliseconds : waitBeforeRetry(failure, purpose, attempts);
				if (wait === undefined) {
					throw finalFailure(failure, purpose, attempts, await this.secrets(request.cookie));
				}
				if (failure.kind === 'tooFrequent') holdBack(this.connection.pace.account, wait);
				await waitUnlessCancelled(wait, this.signal);
			}
		}
	}

	private async takeTurn<T>(request: PreparedRequest, decode: Decode<T>): Promise<T> {
		const pace = { ...this.connection.pace, signal: this.signal };
		return await inTurn(pace, async (paced) => await this.sendWithSession(request, decode, paced));
	}

	/** Renews a session that has ended and repeats the request, once: without identity it did nothing. */
	private async sendWithSession<T>(
		request: PreparedRequest,
		decode: Decode<T>,
		paced: Paced,
	): Promise<T> {
		if (request.isPublic || this.connection.credentialType !== 'sheetRecordsSessionApi') {
			return await decode(await this.sendFollowing(request, paced));
		}
		const session = await readSession(this.context);
		try {
			return await decode(await this.sendFollowing(request, paced, session));
		} catch (thrown) {
			// Still without a session: it was the login that failed, and repeating it may lock the account.
			const wasSent = Boolean(session.sessionId);
			if (!wasSent || !endsSession(failureOf(thrown))) throw failureOf(thrown);
		}
		const renewed = await renewedSession(this.context, session);
		return await decode(await this.sendFollowing(request, paced, renewed));
	}

	private async sendFollowing(
		request: PreparedRequest,
		paced: Paced,
		session?: Session,
	): Promise<HttpAnswer> {
		return await followRedirects(request.method, request.url, async (url) => {
			const send = async () => await this.send({ ...request, url }, session);
			const answer = await paced(send);
			if (isRedirect(answer)) discard(answer);
			return answer;
		});
	}

	/**
	 * n8n adds the identity, and the signal that cancels the request, to the options. Not so to those of a
	 * login, which may come first: nobody waits for its end.
	 */
	private async send(request: PreparedRequest, session?: Session): Promise<HttpAnswer> {
		const { credentialType } = this.connection;
		const { method, url, body, encoding = 'text', cookie, isPublic } = request;
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
		};
		this.signal?.throwIfAborted();
		const begun = performance.now();
		// The session of the cookie is the identity; beside a key the service might not look at it.
		const needsNoCredential = isPublic === true || cookie !== undefined;
		const answer: Promise<unknown> = needsNoCredential
			? this.context.helpers.httpRequest({ ...options, abortSignal: this.signal })
			: this.context.helpers.httpRequestWithAuthentication.call(
					this.context,
					credentialType,
					options,
					session && {
						credentialsDecrypted: { id: '', name: '', type: credentialType, data: session },
					},
				);
		const { spent = { milliseconds: 0 } } = request;
		const { milliseconds: before } = spent;
		try {
			const answered = httpAnswer(await withCancel(answer, this.signal));
			return { ...answered, milliseconds: before + performance.now() - begun };
		} finally {
			spent.milliseconds = before + performance.now() - begun;
			if (body instanceof FormBody) body.close();
		}
	}

	/** Words of the service that are shown, or a sentence in place of those that hold a secret. */
	async shownWords(words: string): Promise<string> {
		return withholding([words], await this.secrets())(words);
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

function ofText<T>(decode: (answer: RawAnswer) => T): Decode<T> {
	return ({ body, ...head }) => decode({ ...head, text: typeof body === 'string' ? body : '' });
}
