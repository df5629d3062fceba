import { isObject } from '../json/objects';
import { InputError } from '../values/inputError';
import { withCodeFirst } from './errorCodes';
import { outcomeIsUnknown } from './policies';
import { redacting } from './redaction';
import { ServiceError, type FailureDetails, type FailureKind } from './serviceError';

/** Messages of failures that the operating system reports for a connection or a file. */
const systemFailures = {
	unreachable: {
		message: 'The service cannot be reached over the network',
		remedy: 'checkConnection',
	},
	untrusted: {
		message: "The service's certificate cannot be verified",
		remedy: 'trustCertificate',
	},
	connectionLost: {
		message:
			'The connection to the service broke off before its answer was complete, probably in the network',
		description: 'Try again later.',
	},
	notStored: {
		message: "The file could not be stored: the disk of n8n's host is full",
		description: 'Make room on the disk on which n8n keeps binary data.',
	},
} satisfies Partial<Record<FailureKind, Omit<FailureDetails, 'kind'>>>;

/** Problems of certificates that have their own message and advice, by code of the error. */
const certificateFaults: Readonly<Record<string, Pick<FailureDetails, 'message' | 'remedy'>>> = {
	CERT_HAS_EXPIRED: {
		message: "The service's certificate cannot be verified, because it has expired",
		remedy: 'renewCertificate',
	},
	CERT_NOT_YET_VALID: {
		message: "The service's certificate cannot be verified, because it is not valid yet",
		remedy: 'renewCertificate',
	},
	ERR_TLS_CERT_ALTNAME_INVALID: {
		message: "The service's certificate cannot be verified, because it is for another host",
		remedy: 'checkBaseUrl',
	},
};

interface SystemErrorPattern {
	pattern: RegExp;
	kind: keyof typeof systemFailures;
}

/**
 * Patterns for `code syscall: message` of a system error or one of its causes, most specific first. A failure is `unreachable`
 * only if the request was certainly not sent.
 */
const systemErrorPatterns: readonly SystemErrorPattern[] = [
	// The syscall does not help: writing to a file and to a connection is both `write`.
	{ pattern: /^(?:ENOSPC|EDQUOT) /, kind: 'notStored' },
	// The server does not speak TLS, or has no version in common with n8n.
	{
		pattern:
			/^(?:EPROTO|ERR_SSL_).*(?:wrong.version|unsupported.protocol|protocol.version|handshake.failure|http.request|no.protocols.available|unrecognized.name|packet.length.too.long)/is,
		kind: 'unreachable',
	},
	{
		pattern: /before secure TLS connection|^\S* (?:connect|getaddrinfo|bind):/,
		kind: 'unreachable',
	},
	// The proxy closed the connection before it reached the service.
	{ pattern: /CONNECT response/, kind: 'unreachable' },
	// Before the code, because connecting and an established connection can fail with the same code.
	{ pattern: /^\S* (?:read|write|writev|shutdown):/, kind: 'connectionLost' },
	{
		pattern: /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH) /,
		kind: 'unreachable',
	},
	{
		pattern:
			/^(?:CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|SELF_SIGNED_|UNABLE_TO_(?:GET_ISSUER|VERIFY)_)\w+ /,
		kind: 'untrusted',
	},
	// All other codes, except codes of errors that occur before a request is sent.
	{
		pattern:
			/^(?!(?:EACCES|EISDIR|E[MN]FILE|ENOENT|EPERM|ERROR|ERR_(?:BAD_OPTION|HTTP_INVALID|INVALID|NOT_SUPPORT|UNESCAPED)\w*) )(?:E[A-Z0-9]{4,}|(?:EAI|HPE|ERR|UND_ERR|Z)_\w+) /,
		kind: 'connectionLost',
	},
	{
		pattern: /: (?:.*stream has been aborted|.*socket hang up|aborted$)/s,
		kind: 'connectionLost',
	},
];

const timeoutMessage = /^timeout of (\d+)ms exceeded/;

/** Advice after a write whose outcome is unknown. */
export const doubtfulNote =
	'It is unknown whether the change was made. It was not sent again; check the sheet before you run this again.';

/** Returns any error of sending a request as a ServiceError. */
export function failureOf(thrown: unknown): ServiceError {
	const links = chainOf(thrown);
	const known =
		links.find((link) => link instanceof ServiceError) ??
		timeoutIn(links) ??
		systemFailureOf(links);
	if (known) return known;
	// Not a network error: it was thrown before anything was sent, for example because the credential is missing.
	const thrownMessage = textMember(thrown, 'message');
	const description = textMember(thrown, 'description');
	const message = thrownMessage ?? 'The request could not be sent';
	const quoted = [thrownMessage ?? '', description ?? ''];
	const remedy = thrown instanceof InputError ? thrown.remedy : undefined;
	return new ServiceError({ kind: 'unsent', message, description, remedy, quoted });
}

/** Returns the failure without secrets. Its description says if the outcome of a write is unknown, and how often it was tried. */
export function finalFailure(
	failure: ServiceError,
	secrets: readonly string[],
	isWrite = false,
	attempts = 1,
): ServiceError {
	const { quoted = [], ...details } = failure.details;
	const redact = redacting([...quoted, details.serviceMessage ?? ''], secrets);
	const advice = redact(details.description ?? '');
	const isDoubtful = isWrite && outcomeIsUnknown(failure);
	const notes = isDoubtful
		? [doubtfulNote, advice.replace(/Try again later\.\s*/, '').trim()]
		: [advice];
	if (attempts > 1) notes.push(`Tried ${attempts} times.`);
	return new ServiceError({
		...details,
		...(isDoubtful ? { isDoubtful } : {}),
		message: redact(details.message),
		description: withCodeFirst(notes.filter(Boolean).join(' '), details.code) || undefined,
		serviceMessage: details.serviceMessage && redact(details.serviceMessage),
	});
}

/** Returns the thrown value and its causes, outermost first. */
function chainOf(thrown: unknown, depth = 0): unknown[] {
	return depth < 6 && isObject(thrown) ? [thrown, ...chainOf(thrown.cause, depth + 1)] : [];
}

/** Returns the failure for a time-out of n8n's HTTP helper: no data arrived for that long, before or during the answer. */
function timeoutIn(links: readonly unknown[]): ServiceError | undefined {
	for (const link of links) {
		const [, milliseconds] = timeoutMessage.exec(textMember(link, 'message') ?? '') ?? [];
		if (milliseconds === undefined) continue;
		const message = `The service sent nothing for ${Number(milliseconds) / 1000} seconds`;
		return new ServiceError({ kind: 'connectionLost', message, description: 'Try again later.' });
	}
	return undefined;
}

/** Returns the failure for the first pattern that matches one of the links; undefined if none matches. */
function systemFailureOf(links: readonly unknown[]): ServiceError | undefined {
	for (const { pattern, kind } of systemErrorPatterns) {
		const link = links.find((error) => pattern.test(systemErrorText(error)));
		if (link === undefined) continue;
		const code = textMember(link, 'code');
		const ofCertificate = kind === 'untrusted' ? certificateFaults[code ?? ''] : undefined;
		const details: FailureDetails = { kind, ...systemFailures[kind], ...ofCertificate };
		const notes = [details.description, code && `The error is ${code}.`];
		const description = notes.filter(Boolean).join(' ') || undefined;
		return new ServiceError({ ...details, description });
	}
	return undefined;
}

/**
 * Returns `code syscall: message` of an error. If several addresses of a host were tried, the syscall is that of the attempts,
 * and left out if they differ. It is also left out if the error has a path, because the error then is about a file.
 */
function systemErrorText(link: unknown): string {
	const attempts: unknown = isObject(link) ? link.errors : undefined;
	const errors = Array.isArray(attempts) ? attempts : [link];
	const syscalls = new Set(errors.map((error) => textMember(error, 'syscall')));
	const isOfConnection = syscalls.size === 1 && textMember(link, 'path') === undefined;
	const [syscall] = isOfConnection ? syscalls : [];
	return `${textMember(link, 'code') ?? ''} ${syscall ?? ''}: ${textMember(link, 'message') ?? ''}`;
}

/** Returns a text property of a thrown value; undefined if it does not exist. */
export function textMember(link: unknown, key: string): string | undefined {
	const value = isObject(link) ? link[key] : undefined;
	return typeof value === 'string' ? value : undefined;
}
