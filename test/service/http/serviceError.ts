/** An error that the service answers with one of its codes (specification, "Errors"). */
export class ServiceError extends Error {
	constructor(
		readonly code: number,
		message: string,
	) {
		super(message);
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

export const errorCodes = {
	invalidAccount: 101,
	invalidPath: 102,
	invalidIndex: 103,
	customForm: 104,
	authenticationRequired: 105,
	noAccessRight: 106,
	tooManyRecords: 109,
	parameters: 201,
	execution: 202,
	frequencyTooHigh: 204,
	sessionTimedOut: 301,
	sessionExpired: 302,
	secretKeyInvalid: 304,
	recordLocked: 402,
	recordNotFound: 404,
} as const;
