import { valueOrRefusal } from '../../../../nodes/api/http/answer';
import { everyEntryMatters } from '../../everyEntry';
import { answerDeadline } from '../../../../nodes/api/http/deadline';
import { failureOf, finalFailure } from '../../../../nodes/api/http/failure';
import { redactedText } from '../../../../nodes/api/http/redaction';
import { ServiceError } from '../../../../nodes/api/http/serviceError';
import type { FailureKind } from '../../../../nodes/api/http/serviceError';

const systemError = (code: string, message = 'x') => Object.assign(new Error(message), { code });

const kinds: ReadonlyArray<[kind: FailureKind, says: string, codes: string]> = [
	[
		'unreachable',
		'The service cannot be reached',
		'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH',
	],
	[
		'untrusted',
		"The service's certificate cannot be verified",
		'CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN ERR_TLS_CERT_ALTNAME_INVALID ' +
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	],
	[
		'connectionLost',
		'The connection to the service broke off',
		'ECONNRESET ETIMEDOUT ECONNABORTED EPIPE ERR_BAD_RESPONSE ERR_STREAM_PREMATURE_CLOSE ERR_STRING_TOO_LONG ' +
			'HPE_INVALID_CONSTANT HPE_HEADER_OVERFLOW HPE_INVALID_TRANSFER_ENCODING EPROTO Z_BUF_ERROR ENETRESET ' +
			'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
	],
];
const cases = kinds.flatMap(([kind, says, codes]) =>
	codes.split(' ').map((code) => ({ kind, code, says })),
);

describe('an error thrown by a request', () => {
	it.each(cases)(
		'the code of a thrown error decides its kind: $code is $kind',
		({ kind, code, says }) => {
			const thrown = [systemError(code), new Error('outer', { cause: systemError(code) })];
			for (const error of thrown) {
				const failure = failureOf(error);
				expect(failure.kind).toBe(kind);
				expect(failure.message).toContain(says);
				expect(failure.details.description).toContain(`The error is ${code}.`);
			}
		},
	);

	it.each(['socket hang up', 'stream has been aborted', 'aborted'])(
		'the message of a thrown error without a code decides its kind: %s',
		(message) => {
			const failure = failureOf(new Error(message));
			expect(failure.kind).toBe('connectionLost');
			expect(failure.details.description).toBe('Try again later.');
		},
	);

	it.each([
		{ code: 'ECONNABORTED', milliseconds: 120_000, seconds: 120 },
		{ code: 'ETIMEDOUT', milliseconds: 60_000, seconds: 60 },
		{ code: '', milliseconds: 1_500, seconds: 1.5 },
	])('a time-out names its $seconds seconds', ({ code, milliseconds, seconds }) => {
		const timeout = systemError(code, `timeout of ${milliseconds}ms exceeded`);
		for (const error of [timeout, new Error('outer', { cause: timeout })]) {
			expect(failureOf(error).details).toMatchObject({
				kind: 'connectionLost',
				message: `The service sent nothing for ${seconds} seconds`,
				description: 'Try again later.',
			});
		}
	});

	it.each<[code: string, syscall: string, kind: FailureKind]>([
		['EHOSTUNREACH', 'read', 'connectionLost'],
		['ETIMEDOUT', 'connect', 'unreachable'],
		['ECONNRESET', 'connect', 'unreachable'],
		['EACCES', 'connect', 'unreachable'],
	])(
		'the failed syscall of a thrown error decides its kind: %s of %s is %s',
		(code, syscall, kind) => {
			const thrown = Object.assign(systemError(code), { syscall });
			expect(failureOf(thrown).kind).toBe(kind);
			const outer = Object.assign(new Error(thrown.message, { cause: thrown }), { code });
			expect(failureOf(outer).kind).toBe(kind);
		},
	);

	it('a request is unreachable if no address of the host could be connected to', () => {
		const attempt = (syscall: string) => Object.assign(systemError('ETIMEDOUT'), { syscall });
		const ofAll = (...syscalls: string[]) =>
			Object.assign(new AggregateError(syscalls.map(attempt)), { code: 'ETIMEDOUT' });
		expect(failureOf(ofAll('connect', 'connect')).kind).toBe('unreachable');
		expect(failureOf(new Error('x', { cause: ofAll('connect') })).kind).toBe('unreachable');
		expect(failureOf(ofAll('connect', 'read')).kind).toBe('connectionLost');
		expect(failureOf(ofAll()).kind).toBe('connectionLost');
	});

	it.each([
		['EPROTO', 'write EPROTO error:0A00010B:SSL routines:ssl3_get_record:wrong version number:'],
		['ECONNRESET', 'Client network socket disconnected before secure TLS connection'],
	])('a request is unreachable if the server does not speak TLS: %s', (code, message) => {
		const failure = failureOf(Object.assign(systemError(code, message), { syscall: 'write' }));
		expect(failure.details).toMatchObject({ kind: 'unreachable', remedy: 'checkConnection' });
	});

	it.each([undefined, null, 'a text', 5, {}, { message: 5 }])(
		'a thrown value that is not an Error becomes a failure: %p',
		(thrown) => {
			expect(failureOf(thrown).details).toMatchObject({
				kind: 'unsent',
				message: 'The request could not be sent',
			});
		},
	);
});

describe('the final failure of a request', () => {
	const failure = new ServiceError({
		kind: 'server',
		message: 'Your password: it is wordplay',
		description: "Check the password. The page's title is 'passwordplay'.",
		status: 500,
		code: 7,
		serviceMessage: 'it is wordplay',
		quoted: ['passwordplay', 'never said'],
	});

	it('the final failure omits words of the service that contain a secret, and keeps everything else', () => {
		expect(finalFailure(failure, ['wordplay']).details).toEqual({
			kind: 'server',
			message: `Your password: ${redactedText}`,
			description: `Check the password. The page's title is '${redactedText}'.`,
			status: 500,
			code: 7,
			serviceMessage: redactedText,
		});
	});

	it('the final failure contains no secret from any other source than the service', () => {
		const thrown = Object.assign(new Error('Bad: https://host/AUTH?u=a&p=pw'), {
			description: 'It was wordplay.',
		});
		const { message, description } = finalFailure(failureOf(thrown), ['wordplay']).details;
		expect([message, description]).toEqual([redactedText, redactedText]);
	});
});

describe('a write of unknown outcome', () => {
	const answered = (status: number, text: string) => {
		const failure = valueOrRefusal({ status, text, headers: {} });
		if (failure instanceof ServiceError) return failure;
		throw new Error('No failure');
	};
	const failures = [
		...[500, 502, 503, 504].map((status) => [`HTTP ${status}`, answered(status, '{}')] as const),
		['an answer that is no JSON', answered(200, 'Ok?')],
		['maintenance', answered(200, '<html><title>Maintenance</title></html>')],
		['a lost connection', failureOf(systemError('ECONNRESET'))],
		['silence', failureOf(new Error('timeout of 120000ms exceeded'))],
		['an answer without an end', answerDeadline().error()],
	] as const;

	it.each(failures)('is not advised to be tried again: %s', (_, failure) => {
		const { isDoubtful, description } = finalFailure(failure, [], true).details;
		expect(isDoubtful).toBe(true);
		expect(description).toContain('It is unknown whether the change was made');
		expect(description).not.toMatch(/try again/i);
	});
});

describe('codes of system errors', () => {
	type Sample = readonly [kind: FailureKind, code: string, syscall: string, message?: string];
	const withoutTls = [
		...['wrong version', 'unsupported protocol', 'protocol version', 'handshake failure'],
		...['http request', 'no protocols available', 'unrecognized name', 'packet length too long'],
	];
	const beforeSending = [
		...['EACCES', 'EISDIR', 'ENFILE', 'EMFILE', 'ENOENT', 'EPERM', 'ERROR', 'ERR_BAD_OPTION'],
		...['ERR_HTTP_INVALID_HEADER_VALUE', 'ERR_INVALID_URL', 'ERR_NOT_SUPPORT'],
		...['ERR_NOT_SUPPORTED', 'ERR_UNESCAPED_CHARACTERS'],
	];
	const afterSending = [
		...['ECONNRESET', 'EAI_FAIL', 'HPE_INVALID_CONSTANT', 'ERR_STREAM_PREMATURE_CLOSE'],
		...['UND_ERR_SOCKET', 'Z_DATA_ERROR'],
	];
	const untrusted = [
		...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'],
		...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_VERIFY_LEAF'],
	];
	const unreachable = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];
	const samples: readonly Sample[] = [
		...['ENOSPC', 'EDQUOT'].map((code): Sample => ['notStored', code, 'write']),
		...withoutTls.map((words): Sample => ['unreachable', 'EPROTO', 'write', words]),
		['unreachable', 'ERR_SSL_WRONG_VERSION_NUMBER', '', 'wrong version'],
		...['connect', 'getaddrinfo', 'bind'].map((call): Sample => ['unreachable', 'EPERM', call]),
		['unreachable', 'ECONNRESET', '', 'socket disconnected before secure TLS connection'],
		['unreachable', 'ECONNRESET', '', 'Proxy connection ended before receiving CONNECT response'],
		...['read', 'write', 'writev', 'shutdown'].map((call): Sample => [
			...(['connectionLost', 'EHOSTUNREACH', call] as const),
		]),
		...unreachable.map((code): Sample => ['unreachable', code, '']),
		...untrusted.map((code): Sample => ['untrusted', code, '']),
		...beforeSending.map((code): Sample => ['unsent', code, '']),
		...afterSending.map((code): Sample => ['connectionLost', code, '']),
		['connectionLost', '', '', 'stream has been aborted'],
		['connectionLost', '', '', 'socket hang up'],
		['connectionLost', '', '', 'aborted'],
	];
	const kindOf = (tested: typeof failureOf, [, code, syscall, message]: Sample) =>
		tested(Object.assign(systemError(code, message), syscall === '' ? {} : { syscall })).kind;

	it.each(samples.map((sample) => ({ sample })))('$sample', ({ sample }) => {
		expect(kindOf(failureOf, sample)).toBe(sample[0]);
	});

	everyEntryMatters<{ failureOf: typeof failureOf }>('nodes/api/http/failure.ts', (tested) =>
		samples.map((sample) => kindOf(tested.failureOf, sample)),
	);
});
