import type { Remedy } from '../values/inputError';

/** Facts about a kind of failure. */
interface FailureFacts {
	/** Set if the same request may succeed later. */
	isTemporary?: true;
	/** Set if a write may have been carried out. */
	isDoubtful?: true;
}

/** The kinds of failures. Retry (see `retryPolicy`), session renewal and messages depend on them. */
const kinds = {
	authentication: {},
	sessionExpired: {},
	noAccess: {},
	/** Code 204 or HTTP 429. */
	tooFrequent: { isTemporary: true },
	/** Status `INVALID`: the sent values do not fit the rules of the sheet. */
	rejected: {},
	/** The answer to a write was neither `SUCCESS` nor an error response. */
	unconfirmed: { isDoubtful: true },
	locked: {},
	notFound: {},
	/** HTTP 408 and 5xx. */
	server: { isTemporary: true, isDoubtful: true },
	webPage: { isDoubtful: true },
	/** The answer is not JSON, or not complete. */
	malformed: { isTemporary: true, isDoubtful: true },
	/** No connection was established, so nothing was sent. */
	unreachable: { isTemporary: true },
	/** The TLS certificate is not valid. Nothing was sent. */
	untrusted: {},
	/** The connection broke, or no answer arrived in time. */
	connectionLost: { isTemporary: true, isDoubtful: true },
	/** The answer started, but was not complete within five minutes. */
	tooSlow: { isDoubtful: true },
	/** The file was received, but the disk of n8n is full. */
	notStored: {},
	/** A task has not finished in time. It continues on the service. */
	taskUnfinished: {},
	redirected: { isDoubtful: true },
	/** The request was not sent, for example because the credential is missing. */
	unsent: {},
	/** The answer is JSON, but not the requested data, such as records of another sheet. */
	unexpected: {},
	/** Any other error response, and a change that the service did not carry out. */
	refused: {},
} satisfies Record<string, FailureFacts>;

export type FailureKind = keyof typeof kinds;

export const failureKinds: Readonly<Record<FailureKind, FailureFacts>> = kinds;

export interface FailureDetails {
	kind: FailureKind;
	/** One sentence for the user that says what happened. */
	message: string;
	/** Details and advice. Contains no label of the editor. */
	description?: string;
	/** Key of advice that contains labels of the editor. */
	remedy?: Remedy;
	status?: number;
	/** The service's `code` or `errorCode`. */
	code?: number;
	/** The `msg` of the service. */
	serviceMessage?: string;
	/** Other parts of `message` and `description` that repeat words of the service or of an error. Redacted if they contain a secret. */
	quoted?: readonly string[];
	/** Set if the login before the request failed, so the request itself was not sent. */
	beforeRequest?: boolean;
	/** Set if the request is a write with an unknown outcome. */
	isDoubtful?: boolean;
	retryAfterSeconds?: number;
	/** Monotonic time in ms from which a rejected login may be sent again. */
	nextLoginAt?: number;
}

/** Failures of a read that mean: this user may not read. Users with write access do not always have read access. Some services answer such a read with other data. */
export const accessRefusals: readonly FailureKind[] = ['noAccess', 'refused', 'unexpected'];

/** Returns a handler for `catch` that returns the value instead of a ServiceError of these kinds. Without kinds, of any kind. */
export function fallbackTo<Value>(value: Value, ...kinds: FailureKind[]) {
	return (error: unknown): Value => {
		if (!(error instanceof ServiceError)) throw error;
		if (kinds.length > 0 && !kinds.includes(error.kind)) throw error;
		return value;
	};
}

/** A failed request. Contains no request, no header and no address. */
export class ServiceError extends Error {
	constructor(readonly details: FailureDetails) {
		super(details.message);
		this.name = 'ServiceError';
	}

	get kind(): FailureKind {
		return this.details.kind;
	}

	/** Returns a copy with changed details. */
	with(changes: Partial<FailureDetails>): ServiceError {
		return new ServiceError({ ...this.details, ...changes });
	}
}
