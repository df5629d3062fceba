import { isObject } from '../json/objects';
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

const diskCode = /^(?:ENOSPC|EDQUOT)$/;
const unreachableCode = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const certificateCode =
	/^(?:CERT_\w+|DEPTH_ZERO_\w+|ERR_TLS_CERT_\w+|SELF_SIGNED_\w+|UNABLE_TO_(?:GET_ISSUER|VERIFY)_\w+)$/;
/** Nothing of the network failed: the request was not put together yet. */
const localCode =
	/^(?:EACCES|EISDIR|[EN]+FILE|ENOENT|EPERM|ERROR|ERR_(?:BAD_OPTION|HTTP_INVALID|INVALID|NOT_SUPPORT|UNESCAPED)\w*)$/;
/** Other codes of the system, of the HTTP parser, of OpenSSL, of decompression and of Node.js. */
const anySystemCode = /^(?:E[A-Z0-9]{4,}|EAI_\w+|HPE_\w+|ERR_\w+|UND_ERR_\w+|Z_\w+)$/;
const lostWords = /stream has been aborted|socket hang up|^aborted$/;
/** Steps before a connection stands, and those that need one. */
const connectingCall = /^(?:connect|getaddrinfo|bind)$/;
const connectedCall = /^(?:read|write|writev|shutdown)$/;
/** OpenSSL's words for a handshake that could not be made: whoever answers speaks no TLS, or another one. */
const noHandshake =
	/wrong version number|unsupported protocol|protocol version|handshake failure|http request|no protocols available|unrecognized name|packet length too long/i;
const tlsCode = /^(?:EPROTO|ERR_SSL_\w+)$/;

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
			'It is not known whether the change was made. It was not sent again; look in the sheet before you run this again.',
		details.description &&
			clean(isDoubtful ? withoutRepeat(details.description) : details.description),
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

/** Leaves out the advice to repeat what may have been done. */
function withoutRepeat(advice: string): string {
	return advice.replace(/Try again later\.\s*/, '');
}

/** Yields the thrown thing and its causes, the outermost first. */
function* chainOf(thrown: unknown): Generator<unknown> {
	let link = thrown;
	for (let depth = 0; depth < 6 && isObject(link); depth++) {
		yield link;
		link = link.cause;
	}
}

/** Returns what an error of the network says of the request: that nothing was sent, only where that is sure. */
function systemFailureOf(links: readonly unknown[]): ServiceError | undefined {
	// Which step failed may stand in a cause only, and says more than a code.
	for (const judge of [failureOfDisk, failureOfStep, failureOfCode]) {
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
	return diskCode.test(textMember(link, 'code') ?? '') ? 'notStored' : undefined;
}

/** By the step that failed: one code may come from connecting as well as from a connection that stood. */
function failureOfStep(link: unknown): SystemFailure | undefined {
	const code = textMember(link, 'code') ?? '';
	const words = `${textMember(link, 'message')} ${code.replace(/_/g, ' ')}`;
	if (tlsCode.test(code) && noHandshake.test(words)) return 'noTls';
	// One that broke off has carried no request yet, although its code says "reset".
	if (words.includes('before secure TLS connection')) return 'unreachable';
	const step = stepOf(link);
	// A host with several addresses is tried at each.
	const errors: unknown = isObject(link) ? link.errors : [];
	const attempts = Array.isArray(errors) ? errors.map(stepOf) : [];
	if (connectingCall.test(step)) return 'unreachable';
	if (attempts[0] && attempts.every((each) => connectingCall.test(each))) return 'unreachable';
	const isOfFile = textMember(link, 'path') !== undefined;
	return connectedCall.test(step) && !isOfFile ? 'connectionLost' : undefined;
}

function stepOf(link: unknown): string {
	return textMember(link, 'syscall') ?? '';
}

function failureOfCode(link: unknown): SystemFailure | undefined {
	const code = textMember(link, 'code') ?? '';
	if (unreachableCode.test(code)) return 'unreachable';
	if (certificateCode.test(code)) return 'untrusted';
	const isLost = anySystemCode.test(code) && !localCode.test(code);
	return isLost || lostWords.test(textMember(link, 'message') ?? '') ? 'connectionLost' : undefined;
}

/** Returns the text that whatever was thrown has under a name, if any. */
export function textMember(link: unknown, key: string): string | undefined {
	const value = isObject(link) ? link[key] : undefined;
	return typeof value === 'string' ? value : undefined;
}
