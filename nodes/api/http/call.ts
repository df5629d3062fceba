import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import type { FormBody } from '../values/formBody';
import type { SheetAddress } from '../values/sheetAddress';
import type { RawAnswer } from './answer';
import type { Connection } from './connection';
import type { RunCache } from './runCache';
import type { Waiting } from './waiting';

/** Where this library runs: what sends its requests, and whose signal ends them. */
export interface Host extends Waiting {
	/** Reads the credential as it is stored now. */
	readonly credential: () => Promise<ICredentialDataDecryptedObject>;
	/** Yields `statusCode`, `headers` and `body`. Authenticates by the credential, or by `session`, logging in when its `sessionId` is empty. */
	readonly send: (
		request: IHttpRequestOptions & { abortSignal: AbortSignal },
		authentication: { isPublic?: boolean; session?: ICredentialDataDecryptedObject },
	) => Promise<unknown>;
}

/** A request below the service address. */
export interface ServiceRequest {
	/** Encoded path, from the slash behind the host on. */
	path: string;
	/** Encoded query, without the question mark. */
	query: string;
	/** Sheet that the request is about. Set if the path is that of a sheet or below it. */
	sheet?: SheetAddress;
	/** How the body of the answer comes: as text by default. */
	encoding?: 'stream';
	/** Of a session that the service opened; it is sent beside the credential. */
	cookie?: string;
	/** Sent without authentication and outside the rate limit, for what is public. */
	isPublic?: boolean;
	/** It changes something, and must not be carried out twice. */
	isWrite?: boolean;
	/** It asks for what can be had in smaller parts. */
	isDivisible?: boolean;
	/** Identifies a write for later attempts of the run, where its address does not. */
	identity?: string;
}

export interface WriteRequest extends ServiceRequest {
	method: 'GET' | 'POST' | 'DELETE';
	body?: string | FormBody;
}

/** One request on its way through the layers of sending. */
export interface Call {
	readonly host: Host;
	readonly connection: Connection;
	readonly cache: RunCache;
	readonly request: ServiceRequest & Partial<WriteRequest>;
	readonly url: string;
	/** Set by the layer that renews sessions. */
	readonly session?: ICredentialDataDecryptedObject;
}

/** Makes the value of an answer while no other request of the account is under way. */
export type Decode<T> = (answer: RawAnswer) => T | Promise<T>;

/** One concern of sending, around the rest of them. */
export type Send<T> = (call: Call) => Promise<T>;
