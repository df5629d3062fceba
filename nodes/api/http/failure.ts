import { InputError } from '../values/inputError';
import { outcomeIsUnknown, readPolicy, type RetryPolicy } from './policies';
import { redacting } from './redaction';
import { ServiceError, type FailureDetails } from './serviceError';

/** What came of a connection, or of a file; `noTls` is a kind of `untrusted`. */
const systemFailures = {
	unreachable: {
		kind: 'unreachable',
		message: 'The service cannot be reached',
		remedy: 'checkConnection',
	},
	untrusted: {
		kind: 'untrusted',
		message: "The service's certificate cannot be verified",
		remedy: 'trustCertificate',
	},
	noTls: {
		kind: 'untrusted',
		message: 'No encrypted connection to the service can be made',
		remedy: 'checkPort',
	},
	connectionLost: {
		kind: 'connectionLost',
		message: 'The connection to the service broke off before its answer was complete',
		description: 'Try again later.',
	},
	notStored: {
		kind: 'notStored',
		message: "The file could not be stored: the disk of n8n's host is full",
		description: 'Make room on the disk on which n8n keeps binary data.',
	},
} as const satisfies Record<string, FailureDetails>;

type SystemFailure = keyof typeof systemFailures;

/** Codes that say what failed; undefined where nothing of the network did: the request was not put together yet. */
const meanings = new Map<string, SystemFailure | undefined>([
	...codes('unreachable', 'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH'),
	...codes(
		'untrusted',
		`CERT_HAS_EXPIRED CERT_NOT_YET_VALID DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID
		SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY
		UNABLE_TO_VERIFY_LEAF_SIGNATURE`,
	),
	...codes('notStored', 'ENOSPC EDQUOT'),
	...codes(
		undefined,
		`EACCES EISDIR EMFILE ENFILE ENOENT EPERM ERR_BAD_OPTION ERR_BAD_OPTION_VALUE
		ERR_HTTP_INVALID_HEADER_VALUE ERR_INVALID_ARG_TYPE ERR_INVALID_ARG_VALUE ERR_INVALID_CHAR
		ERR_INVALID_HTTP_TOKEN ERR_INVALID_PROTOCOL ERR_INVALID_URL ERR_NOT_SUPPORT ERR_UNESCAPED_CHARACTERS`,
	),
]);
/** Other codes of the system, of the HTTP parser, of OpenSSL, of decompression and of Node.js. */
const anySystemCode = /^(?:E(?!RROR$)[A-Z0-9]{3,}|EAI_\w+|HPE_\w+|ERR_\w+|UND_ERR_\w+|Z_\w+)$/;
const lostWords = /stream has been aborted|socket hang up|^aborted$/;
/** Steps before a connection stands, and those that need one. */
const connectingCall = /^(?:connect|getaddrinfo|bind)$/;
const connectedCall = /^(?:read|write|writev|shutdown)$/;
/** OpenSSL's words for a handshake that could not be made: whoever answers speaks no TLS, or another one. */
const noHandshake =
	/wrong version number|unsupported protocol|protocol version|handshake failure|http request|no protocols available|unrecognized name|packet length too long/i;
const tlsCode = /^(?:EPROTO|ERR_SSL_\w+)$/;

function codes(meaning: SystemFailure | undefined, text: string): Array<[string, typeof meaning]> {
	return text.split(/\s+/).map((code) => [code, meaning]);
}

/** Returns whatever was thrown while a request was under way as a failure of one kind. */
export function failureOf(thrown: unknown): ServiceError {
	const links = [...chainOf(thrown)];
	const known = links.find((link) => link instanceof ServiceError) ?? systemFailureOf(links);
	if (known) return known;
	// Nothing of the network: what was thrown before anything was sent, such as a credential that is missing.
	const said = textMember(thrown, 'message');
	const description = textMember(thrown, 'description');
	const message = said ?? 'The request could not be sent';
	const quoted = [said, description].filter((text) => text !== undefined);
	const remedy = thrown instanceof InputError ? thrown.remedy : undefined;
	return new ServiceError({ kind: 'unsent', message, description, remedy, quoted });
}

/** Returns the failure without secrets, and with a word on what may have happened when the outcome of a write is unknown. */
export function finalFailure(
	failure: ServiceError,
	secrets: readonly string[],
	{ policy = readPolicy, attempts = 1 }: { policy?: RetryPolicy; attempts?: number } = {},
): ServiceError {
	const { quoted = [], ...details } = failure.details;
	const clean = redacting([...quoted, details.serviceMessage ?? ''], secrets);
	const isDoubtful = policy.isWrite === true && outcomeIsUnknown(failure);
	const notes = [
		isDoubtful &&
			'It is not known whether the change was made. It was not sent again; look at the record before you run this again.',
		details.description && clean(details.description),
		attempts > 1 && `Tried ${attempts} times.`,
	];
	return new ServiceError({
		...details,
		...(isDoubtful ? { isDoubtful } : {}),
		message: clean(details.message),
		description: notes.filter(Boolean).join(' ') || undefined,
		serviceMessage: details.serviceMessage && clean(details.serviceMessage),
	});
}

/** Yields the thrown thing and its causes, the outermost first. */
function* chainOf(thrown: unknown): Generator<unknown> {
	let link = thrown;
	for (let depth = 0; depth < 6 && typeof link === 'object' && link !== null; depth++) {
		yield link;
		link = 'cause' in link ? link.cause : undefined;
	}
}

/** Returns what an error of the network says of the request: that nothing was sent, only where that is sure. */
function systemFailureOf(links: readonly unknown[]): ServiceError | undefined {
	// Which step failed may stand in a cause only, and says more than a code.
	for (const judge of [failureOfDisk, failureOfHandshake, failureOfStep, failureOfCode]) {
		for (const link of links) {
			const failure = judge(link);
			if (failure === undefined) continue;
			const details: FailureDetails = systemFailures[failure];
			const code = textMember(link, 'code');
			const named = code === undefined ? '' : `The error is ${code}.`;
			const description = `${details.description ?? ''} ${named}`.trim() || undefined;
			return new ServiceError({ ...details, description });
		}
	}
	return undefined;
}

/** A file is written with the same call as a connection: the code says which of them it was. */
function failureOfDisk(link: unknown): SystemFailure | undefined {
	const failure = meanings.get(textMember(link, 'code') ?? '');
	return failure === 'notStored' ? failure : undefined;
}

function failureOfHandshake(link: unknown): SystemFailure | undefined {
	const code = textMember(link, 'code') ?? '';
	const words = `${textMember(link, 'message')} ${code.replace(/_/g, ' ')}`;
	// One that broke off has carried no request yet, although its code says "reset".
	if (words.includes('before secure TLS connection')) return 'unreachable';
	return tlsCode.test(code) && noHandshake.test(words) ? 'noTls' : undefined;
}

/** By the step that failed: one code may come from connecting as well as from a connection that stood. */
function failureOfStep(link: unknown): SystemFailure | undefined {
	const step = textMember(link, 'syscall') ?? '';
	const attempts = attemptsOf(link).map((attempt) => textMember(attempt, 'syscall') ?? '');
	if (attempts.length > 0 && attempts.every((each) => connectingCall.test(each))) {
		return 'unreachable';
	}
	if (connectingCall.test(step)) return 'unreachable';
	const isOfFile = textMember(link, 'path') !== undefined;
	return connectedCall.test(step) && !isOfFile ? 'connectionLost' : undefined;
}

function failureOfCode(link: unknown): SystemFailure | undefined {
	const code = textMember(link, 'code') ?? '';
	const meaning = meanings.get(code);
	if (meaning) return meaning;
	const isLost =
		lostWords.test(textMember(link, 'message') ?? '') ||
		(anySystemCode.test(code) && !meanings.has(code));
	return isLost ? 'connectionLost' : undefined;
}

/** A host with several addresses is tried at each. */
function attemptsOf(link: unknown): unknown[] {
	if (typeof link !== 'object' || link === null || !('errors' in link)) return [];
	return Array.isArray(link.errors) ? link.errors : [];
}

/** Returns the text that whatever was thrown has under a name, if any. */
export function textMember(link: unknown, key: string): string | undefined {
	if (typeof link !== 'object' || link === null || !(key in link)) return undefined;
	const value: unknown = Reflect.get(link, key);
	return typeof value === 'string' ? value : undefined;
}
