import type { Remedy } from '../values/inputError';
import type { FailureKind } from './serviceError';

/** The meaning of an error code or an HTTP status, with advice for the user. */
interface Meaning {
	/** Kind of the failure. Default: `notFound` for HTTP 404 without a code, `rejected` for an invalid record, else `refused`. */
	kind?: FailureKind;
	meaning: string;
	/** Advice without labels of the editor. Advice with such labels is a `remedy`. */
	advice?: string;
	remedy?: Remedy;
	/** Advice that is used if neither the code nor the HTTP status has other advice. */
	fallbackAdvice?: string;
}

/** "Invalid form index": the sheet does not exist. */
export const noSheetCode = 103;
/** "No access right". The service also sends it for a key that it mistakes for a guest's. */
export const noAccessCode = 106;
/** "The account has expired". The key or password itself is valid. */
export const expiredCode = 303;

/** Advice for a refused identity. The client replaces it with the advice for its credential (see `withContext`). */
const authentication = { kind: 'authentication', remedy: 'checkIdentity' } as const;
const sessionEnded = { kind: 'sessionExpired', remedy: 'checkIdentity' } as const;
const fewerAdvice =
	'Lower the requests per second in the credential, or run fewer workflows at once.';
const tooFrequent = { kind: 'tooFrequent', advice: fewerAdvice } as const;
const renewAdvice = 'Renew the account with the service.';
const server = { kind: 'server', advice: 'Try again later.' } as const;
/** A gateway, proxy or load balancer answered in place of the service. */
const gateway = {
	kind: 'server',
	advice:
		'Try again later. If it lasts, ask whoever runs the service, or the proxy between n8n and the service.',
} as const;
const maintenance = {
	kind: 'server',
	advice: 'It is overloaded or in maintenance. Try again later.',
} as const;
const rightsAdvice =
	"Give the credential's user the right to do this on this sheet, or choose another credential.";

/** Further advice for code 106, if the request had an API key. */
export const guestAdvice =
	'A key that was copied incompletely is treated as a guest and gets the same answer.';

/** Advice for a record that does not exist. */
export const missingRecordAdvice =
	'The record may have been deleted or belong to another sheet. Check the ID and the sheet.';

/** Advice for missing items: the address may be wrong, or the ID if the request has one. */
const missingItem = {
	remedy: 'checkSheet',
	advice: 'Check the ID if the request is for one record, row or file: it may have been deleted.',
} as const;

/**
 * The error codes and HTTP statuses of the specification's tables. The meanings of codes are the words of the service, except
 * for 106. Code 402 and HTTP 402 are different.
 */
const meanings: Readonly<Record<string, Meaning>> = {
	101: { meaning: 'Invalid account name', remedy: 'checkAccount' },
	102: { meaning: 'Invalid path', remedy: 'checkSheet' },
	[noSheetCode]: { meaning: 'Invalid form index', remedy: 'checkSheet' },
	104: {
		meaning: 'Cannot POST data to a custom form',
		advice: 'Choose another sheet: this form does not accept records from the API.',
	},
	105: { ...authentication, meaning: 'Authentication required before using the API' },
	[noAccessCode]: {
		kind: 'noAccess',
		meaning: 'This user has no permission for this request',
		advice: rightsAdvice,
	},
	107: { meaning: 'Resource bundle not found', advice: server.advice },
	108: { meaning: 'Error loading the requested form', remedy: 'checkSheet' },
	109: { meaning: 'Cannot create more records', advice: "Check the limits of the account's plan." },
	201: {
		meaning: 'Error processing request parameters',
		fallbackAdvice:
			'Check the fields, values and IDs of this request: the service names the one that it does not accept. A number may be the ID of a field that was deleted.',
	},
	202: {
		meaning: 'Error executing the request',
		fallbackAdvice:
			'Check the values and IDs against the rules of the sheet, and try the same in the browser as the same user.',
	},
	// A part of the request may have been carried out.
	203: {
		kind: 'unconfirmed',
		meaning: 'The POST request did not finish',
		fallbackAdvice: 'Check in the sheet which part was carried out.',
	},
	204: { ...tooFrequent, meaning: 'Request frequency too high' },
	301: { ...sessionEnded, meaning: 'The sid parameter or session has timed out' },
	302: { ...sessionEnded, meaning: 'The session has expired' },
	[expiredCode]: {
		...authentication,
		meaning: 'The account has expired',
		remedy: undefined,
		advice: renewAdvice,
	},
	304: { ...authentication, meaning: 'The secret key is invalid' },
	402: { kind: 'locked', meaning: 'Record locked', remedy: 'unlockRecord' },
	404: { kind: 'notFound', meaning: 'Record not found', advice: missingRecordAdvice },

	'HTTP 400': {
		meaning: 'The request was not understood; a required parameter may be missing',
		advice: 'Check that no required value is missing, and the format of IDs, dates and conditions.',
	},
	'HTTP 401': { ...authentication, meaning: 'The service did not accept the credential' },
	'HTTP 402': {
		meaning: 'The request was understood but could not be carried out',
		advice:
			'Check the values against the rules of the sheet, and whether the account has reached a limit of its plan.',
	},
	'HTTP 403': {
		kind: 'noAccess',
		meaning: 'The service refuses access',
		advice: `${rightsAdvice} A firewall or proxy may also refuse a request.`,
	},
	'HTTP 404': { meaning: 'The requested item does not exist', ...missingItem },
	'HTTP 405': {
		meaning: 'The service does not accept this kind of request at this address',
		remedy: 'checkAddress',
		advice: 'A proxy may also block requests that change data.',
	},
	'HTTP 407': {
		meaning: "A proxy between n8n's network and the service asks for a login",
		advice: "Ask whoever runs the proxy, and set its login in the proxy settings of n8n's host.",
	},
	'HTTP 408': { ...server, meaning: 'The service gave up waiting for the request' },
	'HTTP 410': { meaning: 'The requested item no longer exists', ...missingItem },
	'HTTP 413': {
		meaning: 'The request is larger than the service accepts',
		advice: 'Send smaller or fewer files, or fewer rows, in one request.',
	},
	'HTTP 414': {
		meaning: 'The address of the request is longer than the service accepts',
		advice: 'Use fewer or shorter conditions.',
	},
	'HTTP 415': {
		meaning: 'The service does not accept the format of the request',
		advice: 'Check the type of the file, and whether a proxy changes requests.',
	},
	'HTTP 422': {
		meaning: 'The service cannot process the values',
		advice: 'Check the values against the types and rules of the fields.',
	},
	'HTTP 429': { ...tooFrequent, meaning: 'The service receives too many requests' },
	'HTTP 502': { ...gateway, meaning: 'A gateway or proxy got no proper answer from the service' },
	'HTTP 503': { ...maintenance, meaning: 'The service is not available at the moment' },
	'HTTP 504': {
		...gateway,
		meaning: 'A gateway or proxy says that the service did not answer in time',
	},
};

/**
 * Returns the meaning of an HTTP status of 400 or above, listed or not, and of a listed error code. The code takes precedence. If
 * the code has no kind, that of the status remains; if it has neither advice nor remedy, those of the status remain. `meaning` is
 * undefined for a status below 400 without a listed code.
 */
export function meaningOf(status: number, code?: number): Partial<Meaning> {
	const ofStatus = meaningOfStatus(status);
	const ofCode = meanings[String(code)];
	const { advice, remedy } = ofCode?.advice || ofCode?.remedy ? ofCode : ofStatus;
	return { ...ofStatus, ...ofCode, advice, remedy };
}

/** Returns the sentence that tells the code of the service. It precedes advice, so that no message ends in a number. */
export function codeSentence(code: number): string {
	return `The service gave code ${code}.`;
}

/** Returns a description with the sentence about the code at its beginning. Unchanged without a code, or if it is not in it. */
export function withCodeFirst(description: string, code?: number): string {
	const sentence = code === undefined ? '' : codeSentence(code);
	if (sentence === '' || !description.includes(sentence)) return description;
	const rest = description.replace(sentence, '').replace(/ {2,}/g, ' ').trim();
	return `${sentence} ${rest}`.trim();
}

/** Advice for an error response with an unlisted code, and for one without code and words that help. */
export const unknownCodeAdvice =
	'Try the same in the browser as the same user, or look the code up in the documentation of the service.';

function meaningOfStatus(status: number): Partial<Meaning> {
	if (status < 400) return {};
	const meaning = `The service answered with HTTP ${status}`;
	const unlisted: Meaning =
		status >= 500 ? { ...server, meaning } : { meaning, remedy: 'checkProxy' };
	return meanings[`HTTP ${status}`] ?? unlisted;
}
