import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Call } from '../../../../nodes/api/http/call';
import { connectionOf, type CredentialType } from '../../../../nodes/api/http/connection';
import { renewSession, secretsOf } from '../../../../nodes/api/http/retry';
import { RunCache } from '../../../../nodes/api/http/runCache';
import { ServiceError, type FailureDetails } from '../../../../nodes/api/http/serviceError';
import { storedSession } from '../../../../nodes/api/http/session';

const login = { baseUrl: 'https://host', account: 'acme', email: 'a@b', password: 'a word' };
const withSession = (sessionId: string) => ({
	...login,
	sessionId: storedSession(login, sessionId),
});
const failure = (details: Omit<FailureDetails, 'message'>) =>
	new ServiceError({ message: 'x', ...details });

/** Returns a call of a run, as passed to the session layer. */
function callOf(
	credential: ICredentialDataDecryptedObject,
	{
		type = 'sheetRecordsSessionApi' as CredentialType,
		isPublic = false,
		cache = new RunCache(),
	} = {},
): Call {
	const host = {
		credential: async () => credential,
		send: async () => undefined,
		sleep: async () => {},
	};
	const connection = connectionOf(type, credential);
	return { host, connection, cache, request: { path: '/acme', query: 'api', isPublic }, url: '' };
}

/** Returns a next layer that stores the session of each call and throws these failures in order. */
function nextLayer(...failures: ServiceError[]) {
	const sessions: unknown[] = [];
	const next = async (call: Call) => {
		sessions.push(call.session?.sessionId);
		const thrown = failures.shift();
		if (thrown) throw thrown;
		return 'answer';
	};
	return { sessions, send: renewSession(next) };
}

it('a request is sent with the stored session', async () => {
	const credential = withSession('0123456789');
	const { sessions, send } = nextLayer();
	expect(await send(callOf(credential))).toBe('answer');
	expect(sessions).toEqual([credential.sessionId]);
});

it.each([
	{ title: 'without a session', sessionId: '' },
	{ title: 'with the session of another login', sessionId: 'x:0123456789' },
])('a request $title is sent after a login', async ({ sessionId }) => {
	const { sessions, send } = nextLayer();
	await send(callOf({ ...login, sessionId }));
	expect(sessions).toEqual(['']);
});

it.each<Omit<FailureDetails, 'message'>>([
	{ kind: 'sessionExpired' },
	{ kind: 'authentication', status: 401 },
	{ kind: 'authentication', code: 105 },
])('an expired session is renewed once, and the request repeated: %j', async (details) => {
	const credential = withSession('0123456789');
	const { sessions, send } = nextLayer(failure(details));
	expect(await send(callOf(credential))).toBe('answer');
	expect(sessions).toEqual([credential.sessionId, '']);
});

it('a renewed session that has expired is not renewed again', async () => {
	const second = failure({ kind: 'sessionExpired' });
	const { sessions, send } = nextLayer(failure({ kind: 'sessionExpired' }), second);
	await expect(send(callOf(withSession('0123456789')))).rejects.toBe(second);
	expect(sessions).toHaveLength(2);
});

it.each<Omit<FailureDetails, 'message'>>([
	{ kind: 'noAccess', status: 403, code: 106 },
	{ kind: 'authentication', status: 403 },
	{ kind: 'server', status: 500 },
])('no other failure renews a session: %j', async (details) => {
	const refusal = failure(details);
	const { sessions, send } = nextLayer(refusal);
	await expect(send(callOf(withSession('0123456789')))).rejects.toBe(refusal);
	expect(sessions).toHaveLength(1);
});

it('a failed login is not repeated, because the account might be locked', async () => {
	const refusal = failure({ kind: 'authentication', status: 401 });
	const { sessions, send } = nextLayer(refusal);
	await expect(send(callOf({ ...login, sessionId: '' }))).rejects.toBe(refusal);
	expect(sessions).toEqual(['']);
});

it('an error of another class is converted to a service error', async () => {
	const next = async () => await Promise.reject(new Error('broken'));
	const sending = renewSession(next)(callOf({ ...login, sessionId: '' }));
	await expect(sending).rejects.toMatchObject({ kind: 'unsent', message: 'broken' });
});

it.each([
	{ title: 'a public request', type: 'sheetRecordsSessionApi' as const, isPublic: true },
	{ title: 'a request with an API key', type: 'sheetRecordsApi' as const, isPublic: false },
])('$title has no session', async ({ type, isPublic }) => {
	const { sessions, send } = nextLayer();
	await send(callOf(withSession('0123456789'), { type, isPublic }));
	expect(sessions).toEqual([undefined]);
});

describe('rejected logins', () => {
	const rejected = (nextLoginAt?: number) => failure({ kind: 'authentication', nextLoginAt });

	/** Sends requests without a session in one run, and returns the number of logins. */
	async function loginsOf(failures: ServiceError[], count: number) {
		const cache = new RunCache();
		const { sessions, send } = nextLayer(...failures);
		const errors: unknown[] = [];
		for (let request = 0; request < count; request++) {
			const sending = send(callOf({ ...login, sessionId: '' }, { cache }));
			await sending.catch((error: unknown) => errors.push(error));
		}
		return { logins: sessions.length, errors };
	}

	it('are two at most in one run, and the last rejection is thrown again', async () => {
		const [first, second] = [rejected(10), rejected(20)];
		const { logins, errors } = await loginsOf([first, second], 4);
		expect(logins).toBe(2);
		expect(errors).toEqual([first, second, second, second]);
		expect(errors[3]).toBe(second);
	});

	it('count once if the second one was not sent', async () => {
		const { logins, errors } = await loginsOf([rejected(10), rejected(10), rejected(20)], 4);
		expect(logins).toBe(3);
		expect(errors).toHaveLength(4);
	});

	it('do not count if the login failed for another reason', async () => {
		const failures = [rejected(), rejected(), rejected()];
		expect(await loginsOf(failures, 4)).toEqual({ logins: 4, errors: failures });
	});

	it('without a retry time are counted separately from rejections with one', async () => {
		const { logins } = await loginsOf([rejected(), rejected(10)], 3);
		expect(logins).toBe(3);
	});

	it('do not stop a request that has a session', async () => {
		const cache = new RunCache();
		const { sessions, send } = nextLayer(rejected(10), rejected(20));
		const withoutSession = callOf({ ...login, sessionId: '' }, { cache });
		for (const sending of [send(withoutSession), send(withoutSession)]) {
			await expect(sending).rejects.toHaveProperty('kind', 'authentication');
		}
		expect(await send(callOf(withSession('0123456789'), { cache }))).toBe('answer');
		expect(sessions).toHaveLength(3);
	});

	it('count for their login only', async () => {
		const cache = new RunCache();
		const { sessions, send } = nextLayer(rejected(10), rejected(20));
		for (const sent of [1, 2, 3]) {
			const sending = send(callOf({ ...login, sessionId: '' }, { cache }));
			await expect(sending).rejects.toHaveProperty('kind', 'authentication');
			expect(sessions).toHaveLength(Math.min(sent, 2));
		}
		const other = callOf({ ...login, email: 'c@d', sessionId: '' }, { cache });
		expect(await send(other)).toBe('answer');
	});
});

it('secrets are those of the run, of the stored credential and of long cookies, each once', async () => {
	const { host } = callOf(withSession('renewed session'));
	const connection = connectionOf('sheetRecordsSessionApi', withSession('old session'));
	const cookies = 'JSESSIONID=01234567; short=0123456; a=b=c=long enough; a word';
	expect(await secretsOf(host, connection, cookies)).toEqual([
		...['a word', 'old session', 'renewed session', '01234567', 'b=c=long enough'],
	]);
	expect(await secretsOf(host, connection)).toEqual(['a word', 'old session', 'renewed session']);
});
