/** The errors that the service has a cause for: their codes, the nearest HTTP status, what they say. */
const errors = {
	invalidAccount: [101, 404],
	invalidPath: [102, 404],
	invalidIndex: [103, 404],
	customForm: [104, 402, 'Cannot POST data to a custom form.'],
	authenticationRequired: [105, 401, 'Authentication required before using the API.'],
	noAccessRight: [106, 403, 'No access right.'],
	tooManyRecords: [109, 402, 'Cannot create more records.'],
	parameters: [201, 400],
	execution: [202, 402],
	frequencyTooHigh: [204, 429, 'Request frequency too high.'],
	sessionTimedOut: [301, 401, 'The sid parameter or session has timed out.'],
	sessionExpired: [302, 401, 'The session has expired.'],
	secretKeyInvalid: [304, 401, 'The secret key is invalid.'],
	recordLocked: [402, 402, 'Record locked.'],
	recordNotFound: [404, 404, 'Record not found.'],
} satisfies Record<string, [code: number, status: number, message?: string]>;

/** An error that the service answers with one of its codes (specification, "Errors"). */
export class ServiceError extends Error {
	readonly code: number;

	/** The specification shows none; the faults of the service itself have 500. */
	readonly status: number;

	constructor(
		readonly kind: keyof typeof errors,
		message?: string,
	) {
		const [code, status, usualMessage = ''] = errors[kind];
		super(message ?? usualMessage);
		this.code = code;
		this.status = status;
	}
}

/** A save that validation has rejected: it has a status of its own. */
export class InvalidRecordError extends Error {}

/** A failure that is no answer of the interface but a bare HTTP status. */
export class StatusError extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

const refusals = {
	code105: 'authenticationRequired',
	code106: 'noAccessRight',
	code301: 'sessionTimedOut',
	code302: 'sessionExpired',
	code304: 'secretKeyInvalid',
	code404: 'recordNotFound',
} as const;

/** The refusal that the position of a switch names. */
export function refusal(position: keyof typeof refusals | 'status401' | 'http404'): Error {
	if (position === 'status401') return new StatusError(401, 'Unauthorized');
	if (position === 'http404') return new StatusError(404, 'Not Found');
	return new ServiceError(refusals[position]);
}

export function wrongMethod(): StatusError {
	return new StatusError(405, 'Method Not Allowed');
}
