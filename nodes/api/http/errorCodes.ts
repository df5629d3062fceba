import type { Remedy } from '../values/inputError';
import type { FailureKind } from './serviceError';

/** What an error code or an HTTP status means, and what a person can do about it. */
interface Meaning {
	/** Another one than `refused`. */
	kind?: FailureKind;
	meaning: string;
	/** A sentence that names no label of the editor. */
	advice?: string;
	remedy?: Remedy;
}

/** "No access right": also what a key gets that is taken for a guest's. */
export const noAccessCode = 106;
/** "The account has expired": nothing is wrong with key or password. */
export const expiredCode = 303;
/** "The POST request did not finish": some of it may have been done. */
export const unfinishedCode = 203;

const authentication = { kind: 'authentication', advice: 'Check the credential.' } as const;
const ended = {
	kind: 'sessionExpired',
	advice: 'Check e-mail and password in the credential.',
} as const;
const tooFrequent = {
	kind: 'tooFrequent',
	advice: 'Lower the requests per second in the credential, or run fewer workflows at once.',
} as const;
const server = { kind: 'server', advice: 'Try again later.' } as const;
const chooseSheet = 'Choose the sheet from the list, or paste its address.';
const seeMessage = "The service's own message says what is wrong.";
const guestAdvice =
	"Check that the credential's user may do this on this sheet. A key that was copied incompletely is treated as a guest and gets the same answer.";

/** The error codes of the specification's table, in the service's own words. */
const codes: Readonly<Record<number, Meaning>> = {
	101: { meaning: 'Invalid account name', remedy: 'checkAccount' },
	102: { meaning: 'Invalid path', advice: 'Check the folder path of the sheet.' },
	103: {
		meaning: 'Invalid form index',
		advice: 'Check the sheet number at the end of the address.',
	},
	104: { meaning: 'Cannot POST data to a custom form', advice: chooseSheet },
	105: { ...authentication, meaning: 'Authentication required before using the API' },
	[noAccessCode]: { kind: 'noAccess', meaning: 'No access right', advice: guestAdvice },
	107: { meaning: 'Resource bundle not found', advice: server.advice },
	108: { meaning: 'Error loading the requested form', advice: chooseSheet },
	109: { meaning: 'Cannot create more records', advice: "Check the limits of the account's plan." },
	201: { meaning: 'Error processing request parameters', advice: seeMessage },
	202: { meaning: 'Error executing the request', advice: seeMessage },
	[unfinishedCode]: {
		kind: 'unconfirmed',
		meaning: 'The POST request did not finish',
		advice: 'If it happens again, send less at once, such as fewer rows or smaller files.',
	},
	204: { ...tooFrequent, meaning: 'Request frequency too high' },
	301: { ...ended, meaning: 'The sid parameter or session has timed out' },
	302: { ...ended, meaning: 'The session has expired' },
	[expiredCode]: {
		kind: 'authentication',
		meaning: 'The account has expired',
		advice: 'Renew the account with the service.',
	},
	304: {
		kind: 'authentication',
		meaning: 'The secret key is invalid',
		advice: 'Copy the API key again from the personal settings of the service.',
	},
	402: { kind: 'locked', meaning: 'Record locked', remedy: 'unlockRecord' },
	404: {
		kind: 'notFound',
		meaning: 'Record not found',
		advice: 'Check the record ID; the record may have been deleted.',
	},
};

/** HTTP statuses of the specification's table; 402 is not code 402. */
const statuses: Readonly<Record<number, Meaning>> = {
	400: { meaning: 'The request was not understood, often because a required parameter is missing' },
	401: { ...authentication, meaning: 'The service did not accept the credential' },
	402: { meaning: 'The request was understood but could not be carried out' },
	403: { kind: 'noAccess', meaning: 'The service refuses access' },
	404: { meaning: 'The requested item does not exist' },
	408: { ...server, meaning: 'The service gave up waiting for the request' },
	413: { meaning: 'The request is larger than the service accepts' },
	429: { ...tooFrequent, meaning: 'The service receives too many requests' },
	502: { ...server, meaning: 'A gateway in front of the service got no proper answer from it' },
	503: { ...server, meaning: 'The service is not available at the moment' },
	504: { ...server, meaning: 'A gateway says that the service did not answer in time' },
};

/** Returns the meaning of an error code; undefined when the specification does not list it. */
export function meaningOfCode(code: number | undefined): Meaning | undefined {
	return code === undefined ? undefined : codes[code];
}

/** Returns the meaning of an HTTP status of 400 and above, and of an error code, which says more; nothing for others. */
export function meaningOf(status: number, code?: number): Partial<Meaning> {
	return { ...meaningOfStatus(status), ...meaningOfCode(code) };
}

function meaningOfStatus(status: number): Meaning | undefined {
	if (status < 400 || status in statuses) return statuses[status];
	if (status >= 500) return { ...server, meaning: 'The service could not process the request' };
	return { meaning: `The service refused the request with HTTP status ${status}` };
}
