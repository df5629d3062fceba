/** Errors that the service can return: their codes, the nearest HTTP status, their messages. */
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

/** An error with a code of the service (specification, "Errors"). */
export class ServiceError extends Error {
	readonly code: number;

	/** HTTP status. The specification lists none; internal errors of the service have 500. */
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

/** A write rejected by validation, which has its own status in the answer. */
export class InvalidRecordError extends Error {}

/** A failure that is a bare HTTP status, without an answer of the API. */
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

/** Returns the error for the position of a switch. */
export function refusal(position: keyof typeof refusals | 'status401' | 'http404'): Error {
	if (position === 'status401') return new StatusError(401, 'Unauthorized');
	if (position === 'http404') return new StatusError(404, 'Not Found');
	return new ServiceError(refusals[position]);
}

export function wrongMethod(): StatusError {
	return new StatusError(405, 'Method Not Allowed');
}
