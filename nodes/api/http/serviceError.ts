import type { Remedy } from '../values/inputError';

/** What kind of failure it is; retry, session renewal and messages depend on it. */
export type FailureKind =
	/** The service does not know who is asking: 401, codes 105, 303, 304, login answer `-1`. */
	| 'authentication'
	/** Codes 301 and 302. */
	| 'sessionExpired'
	/** Code 106. */
	| 'noAccess'
	/** Code 204, HTTP 429. */
	| 'tooFrequent'
	/** `INVALID`: what was sent does not fit the sheet's rules. */
	| 'rejected'
	/** A write answered by neither `SUCCESS` nor a refusal: it may have been carried out. */
	| 'unconfirmed'
	/** Code 402. */
	| 'locked'
	/** Code 404, and HTTP 404 unless a web page comes with it. */
	| 'notFound'
	/** HTTP 408 and 5xx. */
	| 'server'
	| 'webPage'
	/** No JSON, or not a whole one. */
	| 'malformed'
	/** The connection could not be made, or its certificate is not to be trusted: nothing was sent. */
	| 'unreachable'
	| 'untrusted'
	/** The connection broke, or no answer came in time: what was sent may have been carried out. */
	| 'connectionLost'
	/** The answer was coming, and had not come whole in five minutes. */
	| 'tooSlow'
	/** The file came, and n8n had no room for it. */
	| 'notStored'
	/** A task has not ended in time; it goes on. */
	| 'timeout'
	/** A redirect that is not followed. */
	| 'redirected'
	/** n8n could not send it, as for want of a credential. */
	| 'unsent'
	/** Any other refusal. */
	| 'refused';

export interface FailureDetails {
	kind: FailureKind;
	/** What happened, one sentence in the user's words. */
	message: string;
	/** More about it, in words that name no label of the editor. */
	description?: string;
	/** What to do about it, where that names parameters of the editor. */
	remedy?: Remedy;
	status?: number;
	/** The service's `code` or `errorCode`. */
	code?: number;
	/** The service's own `msg`. */
	serviceMessage?: string;
	/** What else of `message` and `description` is the words of what failed: redacted when they hold a secret. */
	quoted?: readonly string[];
	/** It was the login before the request that failed: the request itself was not sent. */
	beforeRequest?: boolean;
	/** It is a write, and nobody knows whether it was carried out. */
	isDoubtful?: boolean;
	retryAfterSeconds?: number;
	/** Of a refused login, when it may be tried again, by a clock that is never set. */
	nextLoginAt?: number;
}

/** Who may write need not be allowed to read. */
export const refusals: readonly FailureKind[] = ['noAccess', 'refused'];

/** For `catch`: yields the value in place of failures of these kinds, of all kinds when none is named. */
export function fallbackTo<Value>(
	value: Value,
	...kinds: FailureKind[]
): (error: unknown) => Value {
	return (error) => {
		if (!(error instanceof ServiceError)) throw error;
		if (kinds.length > 0 && !kinds.includes(error.kind)) throw error;
		return value;
	};
}

/** A request that failed, told apart by kind. Holds no request, no header and no address. */
export class ServiceError extends Error {
	constructor(readonly details: FailureDetails) {
		super(details.message);
		this.name = 'ServiceError';
	}

	get kind(): FailureKind {
		return this.details.kind;
	}

	/** The same failure in other words. */
	with(changes: Partial<FailureDetails>): ServiceError {
		return new ServiceError({ ...this.details, ...changes });
	}
}
