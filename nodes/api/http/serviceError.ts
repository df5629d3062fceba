import type { Remedy } from '../values/inputError';

/** What follows from a kind of failure. */
interface Consequences {
	/** How often a read is sent at most: the failure may pass. Once where this is missing. */
	reads?: number;
	/** How often a write is sent at most: it was surely not carried out. */
	writes?: number;
	/** A write may have been carried out. */
	isDoubtful?: true;
}

/** The kinds of failures; retry, session renewal and messages depend on them. */
const kinds = {
	authentication: {},
	sessionExpired: {},
	noAccess: {},
	/** Code 204, HTTP 429: refused at the door, and others of the account may take long to make room. */
	tooFrequent: { reads: 8, writes: 8 },
	/** `INVALID`: what was sent does not fit the sheet's rules. */
	rejected: {},
	/** A write answered by neither `SUCCESS` nor a refusal. */
	unconfirmed: { isDoubtful: true },
	locked: {},
	notFound: {},
	/** HTTP 408 and 5xx. */
	server: { reads: 5, isDoubtful: true },
	webPage: { isDoubtful: true },
	/** No JSON, or not a whole one. */
	malformed: { reads: 5, isDoubtful: true },
	/** The connection could not be made: nothing was sent. */
	unreachable: { reads: 5, writes: 5 },
	/** The certificate is not to be trusted: nothing was sent. */
	untrusted: {},
	/** The connection broke, or no answer came in time. */
	connectionLost: { reads: 5, isDoubtful: true },
	/** The answer was coming, and had not come whole in five minutes. */
	tooSlow: { isDoubtful: true },
	/** The file came, and n8n had no room for it. */
	notStored: {},
	/** A task has not ended in time; it goes on. */
	timeout: {},
	redirected: { isDoubtful: true },
	/** It could not be sent, as for want of a credential. */
	unsent: {},
	refused: {},
} satisfies Record<string, Consequences>;

export type FailureKind = keyof typeof kinds;

export const failureKinds: Readonly<Record<FailureKind, Consequences>> = kinds;

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
export function fallbackTo<Value>(value: Value, ...kinds: FailureKind[]) {
	return (error: unknown): Value => {
		if (!(error instanceof ServiceError)) throw error;
		if (kinds.length > 0 && !kinds.includes(error.kind)) throw error;
		return value;
	};
}

/** A failed request, by kind. Contains no request, no header and no address. */
export class ServiceError extends Error {
	constructor(readonly details: FailureDetails) {
		super(details.message);
		this.name = 'ServiceError';
	}

	get kind(): FailureKind {
		return this.details.kind;
	}

	with(changes: Partial<FailureDetails>): ServiceError {
		return new ServiceError({ ...this.details, ...changes });
	}
}
