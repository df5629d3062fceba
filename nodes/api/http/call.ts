import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { FormBody } from '../values/formBody';
import type { HttpAnswer } from './answer';
import type { Connection, ServiceContext } from './connection';
import type { RetryPolicy } from './policies';
import type { RunCache } from './runCache';

/** A request below the service address. */
export interface ServiceRequest {
	/** Encoded path, from the slash behind the host on. */
	path: string;
	/** Encoded query, without the question mark. */
	query: string;
	/** When a read is sent again; `readPolicy` by default. */
	retry?: RetryPolicy;
	/** How the body of the answer comes: as text by default. */
	encoding?: 'stream';
	/** Of a session that the service opened; it is sent beside the credential. */
	cookie?: string;
	/** Sent without authentication and beside other requests, for what the service tells everybody. */
	isPublic?: boolean;
	/** By which a later try of the run knows a write, where its address does not tell. */
	identity?: string;
}

/** A request that changes something. */
export interface WriteRequest extends ServiceRequest {
	method: 'POST' | 'DELETE';
	body?: string | FormBody;
}

/** One request on its way through the layers of `send`. */
export interface Call {
	readonly context: ServiceContext;
	readonly connection: Connection;
	readonly cache: RunCache;
	readonly signal?: AbortSignal;
	readonly request: ServiceRequest & Partial<WriteRequest>;
	readonly url: string;
	readonly policy: RetryPolicy;
	/** Whether the change is made; asked when nobody knows. Then the failure is thrown. */
	readonly isDone?: () => Promise<boolean>;
	/** Set by the layer that renews sessions. */
	readonly session?: ICredentialDataDecryptedObject;
	/** Counts how long the service took, in milliseconds. */
	readonly timing: { serviceMilliseconds: number };
}

/** Makes the value of an answer while no other request of the account is under way. */
export type Decode<T> = (answer: HttpAnswer) => T | Promise<T>;

/** One concern of sending, around the rest of them. */
export type Send<T> = (call: Call) => Promise<T>;
