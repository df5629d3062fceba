import type { JsonObject, JsonValue } from '../json/orderedJson';
import { readAnswer, writeAnswer, type RawAnswer } from './answer';
import type { Call, Decode, ServiceRequest, WriteRequest } from './call';
import { ConfirmedWrites } from './confirmedWrites';
import { readConnection } from './connection';
import type { Connection, CredentialType, ServiceContext } from './connection';
import { readPolicy, writePolicy } from './policies';
import { redacting } from './redaction';
import { secretsOf } from './retry';
import { RunCache } from './runCache';
import { send } from './send';

export type { ServiceRequest, WriteRequest } from './call';

/** Sends requests with the node's credential. */
export class Client {
	private readonly timing = { serviceMilliseconds: 0 };

	/** @param cache of the run: clients for a shorter time or for one item share it */
	private constructor(
		private readonly context: ServiceContext,
		readonly connection: Connection,
		readonly signal: AbortSignal | undefined,
		readonly cache = new RunCache(),
		private readonly writes = new ConfirmedWrites(),
	) {}

	/** Returns a client with the node's credential. Throws InputError when the credential cannot be used. */
	static async connect(context: ServiceContext, credentialType: CredentialType): Promise<Client> {
		const connection = await readConnection(context, credentialType);
		const signal =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		return new Client(context, connection, signal);
	}

	/** How long the service took for all requests of this client, without waits before them. */
	get serviceMilliseconds(): number {
		return this.timing.serviceMilliseconds;
	}

	/** Returns the same client for a shorter time: whatever it does ends, at once, with the signal. */
	endingWith(signal: AbortSignal): Client {
		const either = AbortSignal.any(this.signal ? [this.signal, signal] : [signal]);
		return new Client(this.context, this.connection, either, this.cache, this.writes);
	}

	/** Returns the same client for one item, whose confirmed writes are not sent again. */
	confirming(writes: ConfirmedWrites): Client {
		return new Client(this.context, this.connection, this.signal, this.cache, writes);
	}

	/**
	 * Reads something, again and again while the failure may pass.
	 *
	 * @param decode makes the value of the answer; without it, its text is JSON
	 * @throws ServiceError
	 */
	async read(request: ServiceRequest): Promise<JsonValue>;
	async read<T>(request: ServiceRequest, decode: Decode<T>): Promise<T>;
	async read(request: ServiceRequest, decode: Decode<unknown> = readAnswer): Promise<unknown> {
		return await send(this.call(request), decode);
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
		const call = { ...this.call(request), policy: writePolicy };
		const write = this.writes.next(`${request.method} ${call.url}`);
		if (write.confirmation) return decode(write.confirmation);
		return await send(call, (answer) => {
			const value = decode(answer);
			write.confirmation = answer;
			return value;
		});
	}

	/**
	 * Changes something by GET, and returns whether it is done: `isDone` is asked when it was confirmed, and before it
	 * is sent again when nobody knows whether it was carried out. Throws ServiceError.
	 */
	async writeChecked(
		request: ServiceRequest,
		decode: Decode<JsonValue>,
		isDone: () => Promise<boolean>,
	): Promise<boolean> {
		let done = false;
		const call = { ...this.call(request), isDone: async () => (done = await isDone()) };
		await send(call, decode).catch((error: unknown) => {
			if (!done) throw error;
		});
		return done || (await isDone());
	}

	/** Returns words of the service as they may be shown, or a sentence in place of those that hold a secret. */
	async shownWords(words: string): Promise<string> {
		return redacting([words], await secretsOf(this.context, this.connection))(words);
	}

	private call(request: ServiceRequest): Call {
		const { context, connection, cache, signal, timing } = this;
		const url = `${connection.baseUrl}${request.path}?${request.query}`;
		const policy = request.retry ?? readPolicy;
		return { context, connection, cache, signal, timing, request, url, policy };
	}
}
