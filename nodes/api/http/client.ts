import type { IHttpRequestOptions } from 'n8n-workflow';
import type { JsonObject, JsonValue } from '../json/orderedJson';
import { FormBody } from '../values/formBody';
import type { Remedy } from '../values/inputError';
import { plainWords } from '../values/plainWords';
import { apiQuery, type QueryParameter } from '../values/query';
import { sheetPath, type RecordAddress, type SheetAddress } from '../values/sheetAddress';
import { httpAnswer, readAnswer, writeAnswer, type RawAnswer } from './answer';
import type { Call, Decode, Host, Send, ServiceRequest, WriteRequest } from './call';
import { connectionOf, type Connection, type CredentialType } from './connection';
import { answerDeadline, withDeadline } from './deadline';
import { detectDialect } from './dialect';
import {
	codeSentence,
	guestAdvice,
	missingRecordAdvice,
	noAccessCode,
	noSheetCode,
} from './errorCodes';
import { timeoutMilliseconds } from './policies';
import { Journal } from './journal';
import { limitRate } from './rateLimiter';
import { redacting } from './redaction';
import { followRedirects } from './redirect';
import { renewSession, retry, secretsOf } from './retry';
import { ServiceError } from './serviceError';
import { RunCache } from './runCache';
import { acquire } from './waiting';

export type { ServiceRequest, WriteRequest } from './call';

export class Client {
	/** @param cache cache of the run; the clients that `endingWith` and `withJournal` return share it */
	private constructor(
		readonly host: Host,
		readonly connection: Connection,
		readonly cache = new RunCache(),
		private readonly journal = new Journal(),
	) {}

	/** Returns a client for a credential. Throws InputError if the credential cannot be used. */
	static async connect(host: Host, credentialType: CredentialType): Promise<Client> {
		return new Client(host, connectionOf(credentialType, await host.credential()));
	}

	/** When aborted, all requests and waits of the client end immediately. */
	get signal(): AbortSignal | undefined {
		return this.host.signal;
	}

	/** Returns a client whose requests and waits also end when the given signal is aborted. */
	endingWith(signal: AbortSignal): Client {
		const either = AbortSignal.any(this.signal ? [this.signal, signal] : [signal]);
		const host = { ...this.host, signal: either };
		return new Client(host, this.connection, this.cache, this.journal);
	}

	/** Returns a client for one item that does not send the confirmed steps of its journal again. */
	withJournal(journal: Journal): Client {
		return new Client(this.host, this.connection, this.cache, journal);
	}

	/** Sends a read and returns its JSON, or the result of `decode`. Repeats both after temporary failures. Throws ServiceError. */
	async read(request: ServiceRequest): Promise<JsonValue>;
	async read<T>(request: ServiceRequest, decode: Decode<T>): Promise<T>;
	async read(
		request: ServiceRequest,
		decode: Decode<unknown> = (answer) => readAnswer(answer),
	): Promise<unknown> {
		return await send(this.call(request), decode);
	}

	/**
	 * Sends a write, and sends it again only if it was certainly not carried out. Returns the result of `decode`, which must throw
	 * if the answer does not confirm the write. If an earlier attempt of the item confirmed the write, it is not sent: `decode`
	 * gets the earlier answer again. Throws ServiceError, with `isDoubtful` if the outcome is unknown.
	 */
	async write(request: WriteRequest): Promise<JsonObject>;
	async write<T>(request: WriteRequest, decode: (answer: RawAnswer) => T): Promise<T>;
	async write(
		request: WriteRequest,
		decode: (answer: RawAnswer) => unknown = (answer) => writeAnswer(answer),
	): Promise<unknown> {
		const call = this.call({ ...request, isWrite: true });
		const step = stepKey(request);
		const confirm = (answer: RawAnswer) => {
			const value = decode(answer);
			this.journal.confirm(step, answer);
			return value;
		};
		const confirmation = this.journal.answerOf(step);
		return confirmation ? confirm(confirmation) : await send(call, confirm);
	}

	/** Returns whether an earlier attempt of the item confirmed this write, so that `write` would not send it. */
	isConfirmed(request: WriteRequest): boolean {
		return this.journal.answerOf(stepKey(request)) !== undefined;
	}

	/** Returns a message of the service as plain text. Replaces a message that contains a secret with `redactedText`. */
	async redactedWords(message: string): Promise<string> {
		const words = plainWords(message);
		if (words === '') return words;
		return redacting([words], await secretsOf(this.host, this.connection))(words);
	}

	private call(request: ServiceRequest): Call {
		const { host, connection, cache } = this;
		const url = `${connection.baseUrl}${request.path}?${request.query}`;
		return { host, connection, cache, request, url };
	}
}

/** Returns the key of a write among the writes of its item: its step, and its path without the options in the query. */
function stepKey({ step, path }: WriteRequest): string {
	return `${step} ${path}`;
}

/**
 * Returns a request to a sheet, or to a path below it: `below` is encoded, and begins with a slash. Throws InputError if a folder
 * or a parameter cannot be encoded.
 */
export function sheetRequest(
	{ connection }: Client,
	sheet: SheetAddress,
	parameters: readonly QueryParameter[],
	below = '',
): ServiceRequest {
	const path = `${sheetPath(connection.account, sheet)}${below}`;
	return { path, query: apiQuery(parameters), sheet };
}

export function recordRequest(
	client: Client,
	{ sheet, recordId }: RecordAddress,
	parameters: readonly QueryParameter[],
): ServiceRequest {
	return { ...sheetRequest(client, sheet, parameters, `/${recordId}`), recordId };
}

/** Sends a call through the layers, outermost first: retry, mutex, session, decoding, redirects, rate limit. */
async function send<T>(call: Call, decode: Decode<T>): Promise<T> {
	const exchange = followRedirects(limitRate(sendOnce));
	const sendAndDecode = async (authenticated: Call) => {
		const answer = await exchange(authenticated);
		detectDialect(authenticated.connection, answer.text);
		return await decode(answer);
	};
	const answered = retry(oneAtATime(renewSession(sendAndDecode)))(call);
	return await answered.catch((error: unknown) => {
		throw error instanceof ServiceError ? withContext(error, call) : error;
	});
}

/** Returns the error with the sheet or the record in its message if it does not exist, and with the advice for the credential. */
function withContext(error: ServiceError, { request, connection }: Call): ServiceError {
	if (error.kind === 'notFound') return withRecordId(error, request);
	const isKey = connection.credentialType === 'sheetRecordsApi';
	const { remedy, description = '', code } = error.details;
	if (remedy === 'checkIdentity') {
		return error.with({ remedy: isKey ? 'copyKey' : sessionRemedy(error) });
	}
	const mayBeGuest = isKey && code === noAccessCode;
	const advised = mayBeGuest
		? error.with({ description: `${description} ${guestAdvice}`.trim() })
		: error;
	return withSheetName(advised, request);
}

/** Returns the advice for a refused login, or for a session that was refused although its login was accepted. */
function sessionRemedy({ details }: ServiceError): Remedy {
	return details.nextLoginAt === undefined ? 'checkSession' : 'checkLogin';
}

/** Code of the service for a missing record. It also sends it for a missing row, and its words then say so. */
const noRecordCode = 404;

/** Returns the error of a request to a record that does not exist. HTTP 404 without a code may also be about the sheet. */
function withRecordId(error: ServiceError, { recordId }: ServiceRequest): ServiceError {
	const { code, message, serviceMessage = '' } = error.details;
	if (recordId === undefined || /\brow\b/i.test(serviceMessage)) return error;
	if (code !== noRecordCode) return error.with({ message: `${message}: record ${recordId}` });
	const words = serviceMessage === '' ? '' : ` (${serviceMessage})`;
	return error.with({
		message: `There is no record ${recordId} on this sheet${words}`,
		description: `${codeSentence(code)} ${missingRecordAdvice}`,
	});
}

function withSheetName(error: ServiceError, { sheet }: ServiceRequest): ServiceError {
	if (!sheet || error.details.code !== noSheetCode) return error;
	const folder = sheet.folders.join('/');
	const message = `There is no sheet ${sheet.sheetIndex} in the folder '${folder}' (${error.message})`;
	return error.with({ message });
}

/** Sends the requests of an account one after the other: holds the account's mutex until the answer is decoded. */
function oneAtATime<T>(next: Send<T>): Send<T> {
	return async (call) => {
		if (call.request.isPublic) return await next(call);
		const release = await acquire(call.connection.rateLimit.account, call.host.signal);
		return await next(call).finally(release);
	};
}

async function sendOnce({
	cache,
	connection,
	host,
	request,
	session,
	url,
}: Call): Promise<RawAnswer> {
	const { method = 'GET', body, encoding = 'arraybuffer', cookie, isPublic } = request;
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
	cache.sent.requests += 1;
	const files = body instanceof FormBody ? [body.signal] : [];
	const sendUntil = async (deadline: AbortSignal): Promise<unknown> => {
		const abortSignal = AbortSignal.any([deadline, ...files]);
		const sending = host.send({ ...options, abortSignal }, { isPublic, session });
		return await sending.catch((error: unknown) => {
			for (const { reason } of files) if (reason) throw reason;
			throw error;
		});
	};
	return await withDeadline(answerDeadline(request.encoding), sendUntil, host)
		.then(httpAnswer)
		.finally(() => {
			cache.serviceMilliseconds += performance.now() - begun;
			if (body instanceof FormBody) body.close();
		});
}
