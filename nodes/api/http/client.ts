import type { IHttpRequestOptions } from 'n8n-workflow';
import type { JsonObject, JsonValue } from '../json/orderedJson';
import { FormBody } from '../values/formBody';
import { plainWords } from '../values/plainWords';
import { apiQuery, type QueryParameter } from '../values/query';
import { sheetPath, type RecordAddress, type SheetAddress } from '../values/sheetAddress';
import { httpAnswer, readAnswer, writeAnswer, type RawAnswer } from './answer';
import type { Call, Decode, Host, Send, ServiceRequest, WriteRequest } from './call';
import { connectionOf, type Connection, type CredentialType } from './connection';
import { answerDeadline, withDeadline } from './deadline';
import { noSheetCode } from './errorCodes';
import { timeoutMilliseconds } from './policies';
import { limitRate } from './rateLimiter';
import { redacting } from './redaction';
import { followRedirects } from './redirect';
import { renewSession, retry, secretsOf } from './retry';
import { ServiceError } from './serviceError';
import { RunCache } from './runCache';
import { acquire } from './waiting';

export type { ServiceRequest, WriteRequest } from './call';

/** The answers that confirmed the writes of one item: when n8n's Retry On Fail starts it over, they are handed out instead of sending again. */
export class ConfirmedWrites {
	readonly answers = new Map<string, RawAnswer>();
	private readonly sent = new Map<string, number>();

	/** From now on writes are counted from the first one again. */
	startOver(): void {
		this.sent.clear();
	}

	/** Returns the key of the next write to an address: its place among those to it. Its content does not count: `$now` differs in each try. */
	next(address: string): string {
		const place = (this.sent.get(address) ?? 0) + 1;
		this.sent.set(address, place);
		return `${place} ${address}`;
	}
}

export class Client {
	/** @param cache of the run: clients for a shorter time or for one item share it */
	private constructor(
		readonly host: Host,
		readonly connection: Connection,
		readonly cache = new RunCache(),
		private readonly writes = new ConfirmedWrites(),
	) {}

	/** Returns a client with a credential. Throws InputError when the credential cannot be used. */
	static async connect(host: Host, credentialType: CredentialType): Promise<Client> {
		return new Client(host, connectionOf(credentialType, await host.credential()));
	}

	/** Ends whatever the client does, at once. */
	get signal(): AbortSignal | undefined {
		return this.host.signal;
	}

	/** Returns the same client for a shorter time: whatever it does ends, at once, with the signal. */
	endingWith(signal: AbortSignal): Client {
		const either = AbortSignal.any(this.signal ? [this.signal, signal] : [signal]);
		const host = { ...this.host, signal: either };
		return new Client(host, this.connection, this.cache, this.writes);
	}

	/** Returns the same client for one item, whose confirmed writes are not sent again. */
	confirming(writes: ConfirmedWrites): Client {
		return new Client(this.host, this.connection, this.cache, writes);
	}

	/** Reads JSON, or what `decode` makes of the answer, again and again while the failure may pass. Throws ServiceError. */
	async read(request: ServiceRequest): Promise<JsonValue>;
	async read<T>(request: ServiceRequest, decode: Decode<T>): Promise<T>;
	async read(request: ServiceRequest, decode: Decode<unknown> = readAnswer): Promise<unknown> {
		return await send(this.call(request), decode);
	}

	/** Changes something once, and returns what `decode` makes of the confirmation. Throws ServiceError, which says when nobody knows the outcome. */
	async write(request: WriteRequest): Promise<JsonObject>;
	async write<T>(request: WriteRequest, decode: (answer: RawAnswer) => T): Promise<T>;
	async write(
		request: WriteRequest,
		decode: (answer: RawAnswer) => unknown = writeAnswer,
	): Promise<unknown> {
		const call = this.call({ ...request, isWrite: true });
		const { answers } = this.writes;
		const key = this.writes.next(`${request.method} ${request.identity ?? call.url}`);
		const confirmation = answers.get(key);
		if (confirmation) return decode(confirmation);
		return await send(call, (answer) => {
			const value = decode(answer);
			answers.set(key, answer);
			return value;
		});
	}

	/** Returns a message of the service as plain text, or a sentence instead of a message that contains a secret. */
	async shownWords(message: string): Promise<string> {
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

/** Returns a request on a sheet, or on something below it. */
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
	return sheetRequest(client, sheet, parameters, `/${recordId}`);
}

async function send<T>(call: Call, decode: Decode<T>): Promise<T> {
	const exchange = followRedirects(limitRate(sendOnce));
	const decoded = async (one: Call) => await decode(await exchange(one));
	const answered = retry(oneAtATime(renewSession(decoded)))(call);
	return await answered.catch((error: unknown) => {
		throw error instanceof ServiceError ? namingSheet(error, call.request) : error;
	});
}

/** Returns the error, with the sheet in its message if the service says that the sheet does not exist. */
function namingSheet(error: ServiceError, { sheet }: ServiceRequest): ServiceError {
	if (!sheet || error.details.code !== noSheetCode) return error;
	const folder = sheet.folders.join('/');
	const message = `There is no sheet ${sheet.sheetIndex} in the folder '${folder}' (${error.message})`;
	return error.with({ message });
}

/** Holds the account's mutex until the answer is read. */
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
	const sendUntil = async (abortSignal: AbortSignal): Promise<unknown> =>
		await host.send({ ...options, abortSignal }, { isPublic, session });
	return await withDeadline(answerDeadline(request.encoding), sendUntil, host)
		.then(httpAnswer)
		.finally(() => {
			cache.serviceMilliseconds += performance.now() - begun;
			if (body instanceof FormBody) body.close();
		});
}
