import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import type { FormBody } from '../values/formBody';
import type { SheetAddress } from '../values/sheetAddress';
import type { RawAnswer } from './answer';
import type { Connection } from './connection';
import type { RunCache } from './runCache';
import type { Waiting } from './waiting';

/** The environment of the library: it sends the requests, waits, and signals when an execution is cancelled. */
export interface Host extends Waiting {
	/** Reads the stored credential again, because a session in it may have been renewed. */
	readonly credential: () => Promise<ICredentialDataDecryptedObject>;
	/**
	 * Sends a request and yields its `statusCode`, `headers` and `body`. Authenticates with the credential, or with `session` if
	 * it is set. Logs in first if the `sessionId` of `session` is empty.
	 */
	readonly send: (
		request: IHttpRequestOptions & { abortSignal: AbortSignal },
		authentication: { isPublic?: boolean; session?: ICredentialDataDecryptedObject },
	) => Promise<unknown>;
}

/** A request below the service address. */
export interface ServiceRequest {
	/** Encoded path, from the slash after the host. */
	path: string;
	/** Encoded query, without the question mark. */
	query: string;
	/** Sheet that the request is about. Set if the path is that of a sheet or below it. */
	sheet?: SheetAddress;
	/** Record that the request is about. Set if the path is that of a record or below it. */
	recordId?: string;
	/** Set if the body of the answer is needed as a stream. It is text otherwise. */
	encoding?: 'stream';
	/** Cookies of a session that the service opened. They are sent in addition to the credential. */
	cookie?: string;
	/**
	 * Set for public resources: the request is sent without authentication, and does not wait for the answer to another request of
	 * the account. The rate limit counts it.
	 */
	isPublic?: boolean;
	/** Set if the request changes something, so it must not be carried out twice. */
	isWrite?: boolean;
	/** Set if the same data can be requested in smaller parts. */
	isDivisible?: boolean;
}

export interface WriteRequest extends ServiceRequest {
	method: 'GET' | 'POST' | 'DELETE';
	/**
	 * Name of the write, which is the same in each attempt of Retry On Fail. Together with the path, it distinguishes the write from
	 * the other writes of the item.
	 */
	step: string;
	body?: string | FormBody;
}

/** A request on its way through the layers of sending. */
export interface Call {
	readonly host: Host;
	readonly connection: Connection;
	readonly cache: RunCache;
	readonly request: ServiceRequest & Partial<WriteRequest>;
	readonly url: string;
	/** Set by the layer that renews sessions. */
	readonly session?: ICredentialDataDecryptedObject;
}

/** Decodes an answer. Runs while the account's mutex is held, so no other request of the account is in progress. */
export type Decode<T> = (answer: RawAnswer) => T | Promise<T>;

/** A layer of sending, such as the retry or the rate limit. Each layer wraps the next one. */
export type Send<T> = (call: Call) => Promise<T>;
