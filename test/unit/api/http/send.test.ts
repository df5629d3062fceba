import type { IHttpRequestHelper } from 'n8n-workflow';
import { SheetRecordsSessionApi } from '../../../../credentials/SheetRecordsSessionApi.credentials';
import { compose, type Call, type Layer } from '../../../../nodes/api/http/call';
import { schedule } from '../../../../nodes/api/http/rateLimiter';
import { followRedirects } from '../../../../nodes/api/http/redirect';
import { renewSession } from '../../../../nodes/api/http/retry';
import { ServiceError } from '../../../../nodes/api/http/serviceError';
import { newPace, rest, settle, useFakeTime } from './rateLimitedRequests';

/** Of a call, what a layer looks at. */
const call = (part: object) => part as Call;

it('layers are put around each other, the first one outermost', async () => {
	const named =
		(name: string): Layer<string> =>
		(next) =>
		async (sent) =>
			`${name}(${await next(sent)})`;
	const send = compose(named('a'), named('b'))(async () => 'sent');
	expect(await send(call({}))).toBe('a(b(sent))');
});

describe('a session', () => {
	const ended = new ServiceError({ kind: 'sessionExpired', message: 'x' });

	/** The sessions with which a request is sent, and what comes of it. */
	async function sentWith(stored: string[], refused: readonly string[], error = ended) {
		const sessions: unknown[] = [];
		const getCredentials = async () => ({ sessionId: stored.shift() });
		const connection = { credentialType: 'sheetRecordsSessionApi' };
		const send = renewSession(async ({ session }) => {
			sessions.push(session?.sessionId);
			if (refused.includes(String(session?.sessionId))) throw error;
			return 'answer';
		});
		const sent = send(call({ connection, context: { getCredentials }, request: {} }));
		return { sessions, answer: await sent.catch((thrown: unknown) => thrown) };
	}

	it.each([
		['that is good is used once', ['one'], ['one'], 'answer'],
		['that has ended is renewed by n8n', ['old', 'old'], ['old', ''], 'answer'],
		['that another execution has renewed is used', ['old', 'new'], ['old', 'new'], 'answer'],
		['that ends again is not renewed again', ['old', 'older'], ['old', 'older'], ended],
		['is not asked for again when the login failed', [''], [''], ended],
	])('%s', async (_, stored, expected, outcome) => {
		const refused = outcome === 'answer' ? ['old'] : ['old', 'older', ''];
		const { sessions, answer } = await sentWith([...stored], refused);
		expect(sessions).toEqual(expected);
		expect(answer).toBe(outcome);
	});

	it('is not renewed for another failure', async () => {
		const other = new ServiceError({ kind: 'server', message: 'x' });
		expect((await sentWith(['one'], ['one'], other)).answer).toBe(other);
	});
});

it('redirects are followed to the end, which is answered', async () => {
	const urls: string[] = [];
	const send = followRedirects(async ({ url }) => {
		urls.push(url);
		const headers: Record<string, string> = urls.length < 3 ? { location: `/${urls.length}` } : {};
		return { status: urls.length < 3 ? 302 : 200, headers, text: '', body: '' };
	});
	const { status } = await send(call({ url: 'https://host/0', request: {} }));
	expect([status, ...urls]).toEqual([200, 'https://host/0', 'https://host/1', 'https://host/2']);
});

describe('the rate limit', () => {
	useFakeTime();

	it('counts a request that fails from its end, as one that succeeds', async () => {
		const pace = newPace(1);
		const begun = performance.now();
		const failing = async () => {
			await rest(500);
			throw new Error('broken');
		};
		const failed = expect(schedule(pace, failing)).rejects.toThrow('broken');
		await jest.advanceTimersByTimeAsync(500);
		const next = schedule(pace, async () => performance.now() - begun);
		await settle();
		await failed;
		expect(await next).toBeGreaterThanOrEqual(1500);
	});

	it('counts a login that fails', async () => {
		const account = newPace(1).account.split('/').at(-1);
		const credential = {
			baseUrl: 'https://host',
			account: String(account),
			email: 'a',
			password: 'b',
		};
		const logins: number[] = [];
		const helpers = {
			httpRequest: async () => {
				logins.push(performance.now());
				throw new Error('broken');
			},
		} as unknown as IHttpRequestHelper['helpers'];
		const logIn = async () =>
			await new SheetRecordsSessionApi().preAuthentication
				.call({ helpers }, { ...credential, requestsPerSecond: 1 })
				.catch(() => undefined);
		const both = Promise.all([logIn(), logIn()]);
		await settle();
		await both;
		const [first = 0, second = 0] = logins;
		expect(second - first).toBeGreaterThanOrEqual(1000);
	});
});
