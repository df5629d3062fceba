import { ServiceError } from '../wire/serviceError';
import type { FailureKind } from '../wire/serviceError';
import { redact } from '../wire/redaction';
import { outcomeIsUnknown } from './retry';
import type { RequestPurpose } from './retry';

const kindsOfSystemCodes = new Map<string, FailureKind>([
	...names('unreachable', [
		'ECONNREFUSED',
		'ENOTFOUND',
		'EAI_AGAIN',
		'EHOSTUNREACH',
		'ENETUNREACH',
	]),
	...names('untrusted', [
		'CERT_HAS_EXPIRED',
		'CERT_NOT_YET_VALID',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'EPROTO',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'SELF_SIGNED_CERT_IN_CHAIN',
		'UNABLE_TO_GET_ISSUER_CERT',
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	]),
	...names('connectionLost', [
		'ECONNABORTED',
		'ECONNRESET',
		'EPIPE',
		'ERR_BAD_RESPONSE',
		'ERR_STREAM_PREMATURE_CLOSE',
		'ETIMEDOUT',
	]),
]);

const messages = new Map<FailureKind, [message: string, description: string]>([
	[
		'unreachable',
		[
			'The service cannot be reached',
			"Check 'Base URL' in the credential, and whether n8n's host may open connections to it.",
		],
	],
	[
		'untrusted',
		[
			"The service's certificate cannot be verified",
			"Check 'Base URL' in the credential. For a private certificate authority, give its certificate to n8n with NODE_EXTRA_CA_CERTS. If it is said to have expired, or not to be valid yet, check the clock of n8n's host.",
		],
	],
	[
		'connectionLost',
		['The connection to the service broke off before its answer was complete', 'Try again later.'],
	],
]);

/** Whatever was thrown while a request was under way, as a failure of one kind. */
export function failureOf(thrown: unknown): ServiceError {
	for (const link of chainOf(thrown)) {
		if (link instanceof ServiceError) return link;
	}
	for (const link of chainOf(thrown)) {
		const kind = kindOfSystemError(link);
		const [message, description] = (kind && messages.get(kind)) ?? [];
		if (kind && message) {
			const code = textOf(link, 'code');
			const named = code === undefined ? '' : ` (${code})`;
			return new ServiceError({ kind, message, description: `${description}${named}` });
		}
	}
	const message = textOf(thrown, 'message') ?? 'The request could not be sent';
	return new ServiceError({ kind: 'input', message, description: textOf(thrown, 'description') });
}

/**
 * The failure as it is thrown at last: without secrets, and with a word on what may have happened when
 * nobody knows whether a write was carried out.
 */
export function finalFailure(
	failure: ServiceError,
	purpose: RequestPurpose,
	attempts: number,
	secrets: readonly string[],
): ServiceError {
	const clean = (text?: string) => (text === undefined ? undefined : redact(text, secrets));
	const notes: string[] = [];
	if (purpose === 'write' && outcomeIsUnknown(failure)) {
		notes.push(
			'It is not known whether the change was made. It was not sent again; look at the record before you run this again.',
		);
	}
	if (failure.details.description) notes.push(failure.details.description);
	if (attempts > 1) notes.push(`Tried ${attempts} times.`);
	return new ServiceError({
		...failure.details,
		message: redact(failure.message, secrets),
		description: notes.length > 0 ? redact(notes.join(' '), secrets) : undefined,
		serviceMessage: clean(failure.details.serviceMessage),
	});
}

/** The thrown thing and its causes, the outermost first. */
function* chainOf(thrown: unknown): Generator<unknown> {
	let link = thrown;
	for (let depth = 0; depth < 6 && typeof link === 'object' && link !== null; depth++) {
		yield link;
		link = 'cause' in link ? link.cause : undefined;
	}
}

function kindOfSystemError(link: unknown): FailureKind | undefined {
	const message = textOf(link, 'message') ?? '';
	// A handshake that broke off has carried no request yet, although its code says "reset".
	if (message.includes('before secure TLS connection')) return 'unreachable';
	const kind = kindsOfSystemCodes.get(textOf(link, 'code') ?? '');
	if (kind) return kind;
	return /stream has been aborted|socket hang up|^aborted$/.test(message)
		? 'connectionLost'
		: undefined;
}

function textOf(link: unknown, key: 'code' | 'message' | 'description'): string | undefined {
	if (typeof link !== 'object' || link === null || !(key in link)) return undefined;
	const value: unknown = Reflect.get(link, key);
	return typeof value === 'string' ? value : undefined;
}

function names(kind: FailureKind, codes: string[]): Array<[string, FailureKind]> {
	return codes.map((code) => [code, kind]);
}
