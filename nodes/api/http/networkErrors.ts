import { ServiceError, type FailureDetails } from './serviceError';

/** What came of a connection, or of a file; `noTls` is a kind of `untrusted`. */
type SystemFailure = 'unreachable' | 'untrusted' | 'noTls' | 'connectionLost' | 'notStored';

const unreachableCodes = setOf('ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH');
const untrustedCodes = setOf(
	`CERT_HAS_EXPIRED CERT_NOT_YET_VALID DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID
	SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY
	UNABLE_TO_VERIFY_LEAF_SIGNATURE`,
);

/** No connection fails so: the disk is full, or the share of it that n8n may use. */
const fullDiskCodes = setOf('ENOSPC EDQUOT');

/** Codes of the system, of the HTTP parser, of OpenSSL, of decompression and of Node.js. */
const anySystemCode = /^(?:E(?!RROR$)[A-Z0-9]{3,}|EAI_\w+|HPE_\w+|ERR_\w+|UND_ERR_\w+|Z_\w+)$/;
/** What is thrown while the request is put together, and files that cannot be opened. */
const codesBeforeSending = setOf(
	`EACCES EISDIR EMFILE ENFILE ENOENT EPERM ERR_BAD_OPTION ERR_BAD_OPTION_VALUE
	ERR_HTTP_INVALID_HEADER_VALUE ERR_INVALID_ARG_TYPE ERR_INVALID_ARG_VALUE ERR_INVALID_CHAR
	ERR_INVALID_HTTP_TOKEN ERR_INVALID_PROTOCOL ERR_INVALID_URL ERR_NOT_SUPPORT ERR_UNESCAPED_CHARACTERS`,
);

/** Steps before a connection stands, and those that need one. */
const connectingCalls = setOf('connect getaddrinfo bind');
const connectedCalls = setOf('read write writev shutdown');

/** OpenSSL's words for a handshake that could not be made: whoever answers speaks no TLS, or another one. */
const noHandshake =
	/wrong version number|unsupported protocol|protocol version|handshake failure|http request|no protocols available|unrecognized name|packet length too long/i;
const tlsCode = /^(?:EPROTO|ERR_SSL_\w+)$/;

const details: Record<SystemFailure, FailureDetails> = {
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
};

/**
 * What an error of the network says of the request: that nothing was sent, only where that is sure. A full
 * disk is told apart from it.
 *
 * @param links the error and its causes, the outermost first; which step failed may stand in a cause only
 * @returns undefined when none of them is such an error
 */
export function systemFailureOf(links: readonly unknown[]): ServiceError | undefined {
	for (const judge of [failureOfDisk, failureOfHandshake, failureOfStep, failureOfCode]) {
		for (const link of links) {
			const failure = judge(link);
			if (failure) return failureWith(failure, textMember(link, 'code'));
		}
	}
	return undefined;
}

function failureWith(failure: SystemFailure, code: string | undefined): ServiceError {
	const { description = '' } = details[failure];
	const named = code === undefined ? '' : `The error is ${code}.`;
	const sentences = `${description} ${named}`.trim();
	return new ServiceError({ ...details[failure], description: sentences || undefined });
}

/** A file is written with the same call as a connection: the code tells which of them it was. */
function failureOfDisk(link: unknown): SystemFailure | undefined {
	return fullDiskCodes.has(textMember(link, 'code') ?? '') ? 'notStored' : undefined;
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
	const attempts = attemptsOf(link);
	if (attempts.length > 0 && attempts.every(isConnecting)) return 'unreachable';
	if (isConnecting(link)) return 'unreachable';
	return connectedCalls.has(textMember(link, 'syscall') ?? '') &&
		textMember(link, 'path') === undefined
		? 'connectionLost'
		: undefined;
}

function failureOfCode(link: unknown): SystemFailure | undefined {
	const code = textMember(link, 'code') ?? '';
	if (unreachableCodes.has(code)) return 'unreachable';
	if (untrustedCodes.has(code)) return 'untrusted';
	if (/stream has been aborted|socket hang up|^aborted$/.test(textMember(link, 'message') ?? '')) {
		return 'connectionLost';
	}
	return anySystemCode.test(code) && !codesBeforeSending.has(code) ? 'connectionLost' : undefined;
}

function isConnecting(link: unknown): boolean {
	return connectingCalls.has(textMember(link, 'syscall') ?? '');
}

/** A host with several addresses is tried at each. */
function attemptsOf(link: unknown): unknown[] {
	if (typeof link !== 'object' || link === null || !('errors' in link)) return [];
	return Array.isArray(link.errors) ? link.errors : [];
}

/** The text that whatever was thrown has under a name; undefined when it has none. */
export function textMember(link: unknown, key: string): string | undefined {
	if (typeof link !== 'object' || link === null || !(key in link)) return undefined;
	const value: unknown = Reflect.get(link, key);
	return typeof value === 'string' ? value : undefined;
}

function setOf(text: string): ReadonlySet<string> {
	return new Set(text.split(/\s+/));
}
