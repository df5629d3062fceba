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

/** The refusal of a method that an address does not have. */
export function wrongMethod(): StatusError {
	return new StatusError(405, 'Method Not Allowed');
}

/** The codes of the errors that the service has a cause for. */
export const errorCodes = {
	invalidAccount: 101,
	invalidPath: 102,
	invalidIndex: 103,
	customForm: 104,
	authenticationRequired: 105,
	noAccessRight: 106,
	resourceBundle: 107,
	loadingForm: 108,
	tooManyRecords: 109,
	parameters: 201,
	execution: 202,
	unfinished: 203,
	frequencyTooHigh: 204,
	sessionTimedOut: 301,
	sessionExpired: 302,
	accountExpired: 303,
	secretKeyInvalid: 304,
	recordLocked: 402,
	recordNotFound: 404,
} as const;
