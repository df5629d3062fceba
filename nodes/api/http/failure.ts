import { isObject } from '../json/objects';
import { InputError } from '../values/inputError';
import { outcomeIsUnknown } from './policies';
import { redacting } from './redaction';
import { ServiceError, type FailureDetails, type FailureKind } from './serviceError';

/** What came of a connection, or of a file. */
const systemFailures = {
	unreachable: { message: 'The service cannot be reached', remedy: 'checkConnection' },
	untrusted: {
		message: "The service's certificate cannot be verified",
		remedy: 'trustCertificate',
	},
	connectionLost: {
		message: 'The connection to the service broke off before its answer was complete',
		description: 'Try again later.',
	},
	notStored: {
		message: "The file could not be stored: the disk of n8n's host is full",
		description: 'Make room on the disk on which n8n keeps binary data.',
	},
} satisfies Partial<Record<FailureKind, Omit<FailureDetails, 'kind'>>>;

/** What an error of the network, in whichever cause, says as `code step: message`; the surest first. Not sent is only what surely was not. */
const signs: ReadonlyArray<[RegExp, keyof typeof systemFailures]> = [
	// A file is written with the same call as a connection.
	[/^(?:ENOSPC|EDQUOT) /, 'notStored'],
	// Whoever answers speaks no TLS, or another one.
	[
		/^(?:EPROTO|ERR_SSL_).*(?:wrong.version|unsupported.protocol|protocol.version|handshake.failure|http.request|no.protocols.available|unrecognized.name|packet.length.too.long)/is,
		'unreachable',
	],
	[/before secure TLS connection|^\S* (?:connect|getaddrinfo|bind):/, 'unreachable'],
	// The same code may come from connecting and from an established connection.
	[/^\S* (?:read|write|writev|shutdown):/, 'connectionLost'],
	[/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH) /, 'unreachable'],
	[
		/^(?:CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|SELF_SIGNED_|UNABLE_TO_(?:GET_ISSUER|VERIFY)_)\w+ /,
		'untrusted',
	],
	// Not the codes of a request that was not put together yet.
	[
		/^(?!(?:EACCES|EISDIR|[EN]+FILE|ENOENT|EPERM|ERROR|ERR_(?:BAD_OPTION|HTTP_INVALID|INVALID|NOT_SUPPORT|UNESCAPED)\w*) )(?:E[A-Z0-9]{4,}|(?:EAI|HPE|ERR|UND_ERR|Z)_\w+) /,
		'connectionLost',
	],
	[/: (?:.*stream has been aborted|.*socket hang up|aborted$)/s, 'connectionLost'],
];

const timeoutMessage = /^timeout of (\d+)ms exceeded/;

/** Returns whatever was thrown while a request was under way as a failure of one kind. */
export function failureOf(thrown: unknown): ServiceError {
	const links = chainOf(thrown);
	const known =
		links.find((link) => link instanceof ServiceError) ??
		timeoutIn(links) ??
		systemFailureOf(links);
	if (known) return known;
	// Nothing of the network: what was thrown before anything was sent, such as a credential that is missing.
	const said = textMember(thrown, 'message');
	const description = textMember(thrown, 'description');
	const message = said ?? 'The request could not be sent';
	const quoted = [said ?? '', description ?? ''];
	const remedy = thrown instanceof InputError ? thrown.remedy : undefined;
	return new ServiceError({ kind: 'unsent', message, description, remedy, quoted });
}

/** Returns the failure without secrets, and with a word on what may have happened when the outcome of a write is unknown. */
export function finalFailure(
	failure: ServiceError,
	secrets: readonly string[],
	isWrite = false,
	attempts = 1,
): ServiceError {
	const { quoted = [], ...details } = failure.details;
	const clean = redacting([...quoted, details.serviceMessage ?? ''], secrets);
	const advice = details.description && clean(details.description);
	const isDoubtful = isWrite && outcomeIsUnknown(failure);
	const notes = [
		isDoubtful &&
			'It is unknown whether the change was made. It was not sent again; check the sheet before you run this again.',
		isDoubtful ? advice?.replace(/Try again later\.\s*/, '') : advice,
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

/** Returns the thrown thing and its causes, the outermost first. */
function chainOf(thrown: unknown, depth = 0): unknown[] {
	return depth < 6 && isObject(thrown) ? [thrown, ...chainOf(thrown.cause, depth + 1)] : [];
}

/** Returns the failure for the time-out of n8n's HTTP helper, which ends silence: before the answer, or in the middle of it. */
function timeoutIn(links: readonly unknown[]): ServiceError | undefined {
	for (const link of links) {
		const [, milliseconds] = timeoutMessage.exec(textMember(link, 'message') ?? '') ?? [];
		if (milliseconds === undefined) continue;
		const message = `The service sent nothing for ${Number(milliseconds) / 1000} seconds`;
		return new ServiceError({ kind: 'connectionLost', message, description: 'Try again later.' });
	}
	return undefined;
}

function systemFailureOf(links: readonly unknown[]): ServiceError | undefined {
	for (const [sign, kind] of signs) {
		const link = links.find((one) => sign.test(signOf(one)));
		if (link === undefined) continue;
		const details: FailureDetails = { kind, ...systemFailures[kind] };
		const code = textMember(link, 'code');
		const notes = [details.description, code && `The error is ${code}.`];
		const description = notes.filter(Boolean).join(' ') || undefined;
		return new ServiceError({ ...details, description });
	}
	return undefined;
}

/** A host with several addresses is tried at each; a step that has a path is one of a file. */
function signOf(link: unknown): string {
	const attempts: unknown = isObject(link) ? link.errors : undefined;
	const one = Array.isArray(attempts) ? attempts : [link];
	const steps = new Set(one.map((each) => textMember(each, 'syscall')));
	const [step] = steps.size === 1 && textMember(link, 'path') === undefined ? steps : [];
	return `${textMember(link, 'code') ?? ''} ${step ?? ''}: ${textMember(link, 'message') ?? ''}`;
}

/** Returns the text that whatever was thrown has under a name, if any. */
export function textMember(link: unknown, key: string): string | undefined {
	const value = isObject(link) ? link[key] : undefined;
	return typeof value === 'string' ? value : undefined;
}
