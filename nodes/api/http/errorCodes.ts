/** "No access right": also what a key gets that is taken for a guest's. */
export const noAccessCode = 106;
/** "The account has expired": nothing is wrong with key or password. */
export const expiredCode = 303;
/** "The POST request did not finish": some of it may have been done. */
export const unfinishedCode = 203;

/** The error codes of the specification's table, in the service's own words. */
const meanings = new Map<number, string>([
	[101, 'Invalid account name'],
	[102, 'Invalid path'],
	[103, 'Invalid form index'],
	[104, 'Cannot POST data to a custom form'],
	[105, 'Authentication required before using the API'],
	[noAccessCode, 'No access right'],
	[107, 'Resource bundle not found'],
	[108, 'Error loading the requested form'],
	[109, 'Cannot create more records'],
	[201, 'Error processing request parameters'],
	[202, 'Error executing the request'],
	[unfinishedCode, 'The POST request did not finish'],
	[204, 'Request frequency too high'],
	[301, 'The sid parameter or session has timed out'],
	[302, 'The session has expired'],
	[expiredCode, 'The account has expired'],
	[304, 'The secret key is invalid'],
	[402, 'Record locked'],
	[404, 'Record not found'],
]);

const slowDown = 'Lower the requests per second in the credential, or run fewer workflows at once.';

/** What to do about a code, for the person who runs the workflow. */
const remedies = new Map<number, string>([
	[101, "Check 'Account' in the credential: it is the first part of the address behind the host."],
	[102, 'Check the folder path of the sheet.'],
	[103, 'Check the sheet number at the end of the sheet address.'],
	[104, 'Choose a sheet that accepts new records.'],
	[105, 'Check the credential.'],
	[
		noAccessCode,
		"Check that the credential's user may do this on this sheet. A key that was copied incompletely is treated as a guest and gets the same answer.",
	],
	[
		107,
		'Try again later. If it stays, tell the support of the service: something is missing there.',
	],
	[108, 'Choose the sheet from the list, or paste its address.'],
	[109, "Check the limits of the account's plan."],
	[201, "A field, value or parameter is not understood: the service's own message names it."],
	[202, "The sheet's rules refuse it: the service's own message says why."],
	[unfinishedCode, 'If it happens again, send less at once, such as fewer rows or smaller files.'],
	[204, slowDown],
	[301, 'Check e-mail and password in the credential.'],
	[302, 'Check e-mail and password in the credential.'],
	[expiredCode, 'Renew the account with the service.'],
	[304, 'Copy the API key again from the personal settings of the service.'],
	// The nodes say what to do about a lock, in the words of their operations.
	[402, ''],
	[404, 'Check the record ID; the record may have been deleted.'],
]);

/** HTTP statuses of the specification's table; 402 is not code 402. */
const statusMeanings = new Map<number, string>([
	[400, 'The request was not understood, often because a required parameter is missing'],
	[401, 'The service did not accept the credential'],
	[402, 'The request was understood but could not be carried out'],
	[403, 'The service refuses access'],
	[404, 'The requested item does not exist'],
	[408, 'The service gave up waiting for the request'],
	[413, 'The request is larger than the service accepts'],
	[429, 'The service receives too many requests'],
	[502, 'A gateway in front of the service got no proper answer from it'],
	[503, 'The service is not available at the moment'],
	[504, 'A gateway in front of the service reports that it did not answer in time'],
]);

/** The meaning of an error code, or undefined when the specification does not list it. */
export function codeMeaning(code: number): string | undefined {
	return meanings.get(code);
}

/** What a person can do about an error code, or undefined when nothing particular helps. */
export function codeRemedy(code: number): string | undefined {
	return remedies.get(code);
}

/** The meaning of an HTTP status of 400 and above. */
export function statusMeaning(status: number): string {
	const known = statusMeanings.get(status);
	if (known !== undefined) return known;
	return status >= 500
		? 'The service could not process the request'
		: `The service refused the request with HTTP status ${status}`;
}

/**
 * What a person can do about an HTTP status that speaks of the service or a gateway in front of it, whatever page
 * comes with it; undefined for a status that may have another cause, such as a wrong address.
 */
export function statusRemedy(status: number): string | undefined {
	if (status === 429) return slowDown;
	return status === 408 || status >= 500 ? 'Try again later.' : undefined;
}
