import { setImmediate as turn } from 'node:timers/promises';
import { sleep } from 'n8n-workflow';
import type { Call } from '../../../../nodes/api/http/call';
import { connectionOf } from '../../../../nodes/api/http/connection';
import {
	mayBeTooMuch,
	outcomeIsUnknown,
	waitBeforeRetry,
} from '../../../../nodes/api/http/policies';
import { schedule } from '../../../../nodes/api/http/rateLimiter';
import { retry } from '../../../../nodes/api/http/retry';
import { RunCache } from '../../../../nodes/api/http/runCache';
import { failureKinds, ServiceError } from '../../../../nodes/api/http/serviceError';
import type { FailureDetails, FailureKind } from '../../../../nodes/api/http/serviceError';
import { FakeService, inOrder } from './fakeService';
import type { FakeAnswer } from './fakeService';

const failure = (kind: FailureKind, details: Partial<FailureDetails> = {}) =>
	new ServiceError({ kind, message: 'x', ...details });

describe('a failed request', () => {
	const kinds = Object.keys(failureKinds) as FailureKind[];
	const again = (policy: { isWrite?: boolean }) =>
		kinds.filter((kind) => waitBeforeRetry(failure(kind), policy, 1) !== undefined);

	it('a failed read is sent again if the failure is temporary', () => {
		const passing = ['tooFrequent', 'server', 'malformed', 'unreachable', 'connectionLost'];
		expect(again({})).toEqual(passing);
	});

	it('a failed write is sent again only if it was certainly not carried out', () => {
		expect(again({ isWrite: true })).toEqual(['tooFrequent', 'unreachable']);
	});

	it('the delay grows with each retry, and there are at most five attempts', () => {
		const waits = [1, 2, 3, 4, 5, 6].map((attempts) =>
			waitBeforeRetry(failure('server'), {}, attempts),
		);
		expect(waits).toEqual([500, 1000, 2000, 4000, undefined, undefined]);
	});

	it('the delay is that of Retry-After, up to a minute', () => {
		const wait = (retryAfterSeconds: number) =>
			waitBeforeRetry(failure('tooFrequent', { retryAfterSeconds }), {}, 1);
		expect([0, 7, 60, 61, 86_400].map(wait)).toEqual([0, 7_000, 60_000, 60_000, 60_000]);
	});
});

describe('a request for less data', () => {
	it.each<[FailureKind, Partial<FailureDetails>, boolean]>([
		['server', { status: 500 }, true],
		['server', { status: 503 }, false],
		['malformed', {}, true],
		['connectionLost', {}, true],
		['connectionLost', { beforeRequest: true }, false],
		['refused', { code: 201 }, true],
		['refused', { code: 107 }, false],
	])('a request for less data may succeed: %s %j', (kind, details, isSo) => {
		expect(mayBeTooMuch(failure(kind, details))).toBe(isSo);
		const wait = isSo ? undefined : waitBeforeRetry(failure(kind, details), {}, 1);
		expect(waitBeforeRetry(failure(kind, details), { isDivisible: true }, 1)).toBe(wait);
	});
});

describe('whether a write was carried out', () => {
	it.each<[FailureKind, Partial<FailureDetails>, boolean]>([
		['tooFrequent', {}, false],
		['server', {}, true],
		['malformed', {}, true],
		['connectionLost', {}, true],
		['unreachable', {}, false],
		['refused', {}, false],
		['unconfirmed', {}, true],
		['webPage', { status: 200 }, true],
		// No handler ran with HTTP 404, so the write was certainly not carried out.
		['webPage', { status: 404 }, false],
	])('the outcome of a write is unknown after some failures: %s %j', (kind, details, isUnknown) => {
		expect(outcomeIsUnknown(failure(kind, details))).toBe(isUnknown);
		const mayGoAgain = kind === 'tooFrequent' || kind === 'unreachable';
		expect(waitBeforeRetry(failure(kind, details), { isWrite: true }, 1)).toBe(
			mayGoAgain ? 500 : undefined,
		);
	});

	it('a write whose login failed was not sent, so it may be sent again', () => {
		const error = failure('connectionLost', { beforeRequest: true });
		expect(outcomeIsUnknown(error)).toBe(false);
		expect(waitBeforeRetry(error, { isWrite: true }, 1)).toBe(500);
	});
});

// The behavior of the client after each fault is tested in test/engine/faults.

describe('a client that is taken for a guest', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	const guest: FakeAnswer = { body: { status: 'ERROR', code: 106, msg: 'No access right.' } };
	const good: FakeAnswer = { body: { status: 'SUCCESS' } };

	/** Returns the number of requests after each read. */
	async function requestsAfter(answers: FakeAnswer[], paths: string[]): Promise<number[]> {
		const service = new FakeService(inOrder(answers));
		const client = await service.connect();
		const counts: number[] = [];
		for (const path of paths) {
			const read = client.read({ path, query: 'api' }).catch(() => undefined);
			await jest.advanceTimersByTimeAsync(500);
			await read;
			counts.push(service.requests.length);
		}
		return counts;
	}

	it('a request with code 106 is sent again once, for every read', async () => {
		const paths = Array(3).fill('/acme/sales/1');
		expect(await requestsAfter([guest, guest, guest, good], paths)).toEqual([2, 4, 5]);
	});
});

it('after an error response with Retry-After, all requests of the account wait for that time', async () => {
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	const sleep = async (milliseconds: number) => {
		await turn();
		now += milliseconds;
	};
	const sentAt: number[] = [];
	const service = new FakeService(() => {
		sentAt.push(now);
		return sentAt.length > 1 ? {} : { status: 429, headers: { 'retry-after': '30' } };
	});
	const account = 'refused with Retry-After';
	const clients = [
		await service.connect({ account, sleep }),
		await service.connect({ account, sleep }),
	];
	await Promise.all(clients.map(async (client) => await client.read({ path: '/', query: 'api' })));
	jest.restoreAllMocks();
	const [refused, ...later] = sentAt;
	expect(refused).toBe(0);
	expect(later).toHaveLength(2);
	expect(Math.min(...later)).toBeGreaterThanOrEqual(30_000);
});

describe('the layer that repeats requests', () => {
	let accounts = 0;

	/** Returns a call of a new account, and the list of its delays. */
	function newCall(request: Partial<Call['request']> = {}, signal?: AbortSignal) {
		const waits: number[] = [];
		const credential = {
			...{ baseUrl: 'https://host', account: `retry${++accounts}` },
			...{ apiKey: 'a+secret/key==', requestsPerSecond: 4 },
		};
		const host = {
			credential: async () => credential,
			send: async () => undefined,
			sleep: async (milliseconds: number) => void waits.push(milliseconds),
			signal,
		};
		const connection = connectionOf('sheetRecordsApi', credential);
		const cache = new RunCache();
		const call: Call = {
			host,
			connection,
			cache,
			request: { path: '', query: '', ...request },
			url: '',
		};
		return { call, waits };
	}

	/** Returns a next layer that throws these failures in order and then answers. */
	const failing = (...failures: ServiceError[]) =>
		jest.fn<Promise<string>, [Call]>(async () => {
			const thrown = failures.shift();
			if (thrown) throw thrown;
			return 'answer';
		});

	it('returns the answer after delays that the run stores with their reasons', async () => {
		const { call, waits } = newCall();
		const next = failing(failure('server', { message: 'Busy' }), failure('malformed'));
		expect(await retry(next)(call)).toBe('answer');
		expect(next.mock.calls).toEqual([[call], [call], [call]]);
		expect(waits).toEqual([500, 1_000]);
		expect(call.cache.waited).toEqual({ milliseconds: 1_500, reason: 'x' });
	});

	it('throws an error that must not be repeated, with the number of attempts', async () => {
		const { call } = newCall();
		const next = failing(failure('server'), failure('refused', { description: 'No.' }));
		const sending = retry(next)(call);
		await expect(sending).rejects.toMatchObject({ details: { description: 'No. Tried 2 times.' } });
	});

	it('reports that the outcome of a write is unknown', async () => {
		const { call } = newCall({ isWrite: true });
		const sending = retry(failing(failure('server')))(call);
		await expect(sending).rejects.toMatchObject({ details: { isDoubtful: true } });
	});

	it('redacts the key, and long cookies', async () => {
		const { call } = newCall({ cookie: 'JSESSIONID=0123456789ABCDEF' });
		for (const secret of ['a+secret/key==', '0123456789ABCDEF']) {
			const serviceMessage = `No access with ${secret}`;
			const refusal = failure('refused', { message: serviceMessage, serviceMessage });
			const sending = retry(failing(refusal))(call);
			await expect(sending).rejects.toHaveProperty(
				'message',
				'What the service said is redacted, because it holds a secret of the credential',
			);
		}
	});

	it('throws the reason of a cancelled execution in place of the failure', async () => {
		const reason = new Error('stopped by the user');
		const { call, waits } = newCall({}, AbortSignal.abort(reason));
		await expect(retry(failing(failure('server')))(call)).rejects.toBe(reason);
		expect(waits).toEqual([]);
	});

	/** Returns the time of the account's next request, and the number of requests that then start at once. */
	async function paceAfter(errors: ServiceError[], answers = 1) {
		jest.useFakeTimers();
		const { call } = newCall();
		const send = retry(failing(...errors));
		for (let count = 0; count < answers; count++) await send(call).catch(() => undefined);
		const limit = { ...call.connection.rateLimit };
		const begun = performance.now();
		const starts: number[] = [];
		const requests = Promise.all(
			Array.from({ length: 6 }, async () =>
				schedule(limit, async () => void starts.push(performance.now() - begun), { sleep }),
			),
		);
		await jest.advanceTimersByTimeAsync(60_000);
		await requests;
		jest.useRealTimers();
		return starts.map((at) => Math.round(at / 100) / 10);
	}

	it.each<{ title: string; error: ServiceError; starts: number[] }>([
		{
			title: 'refused as too frequent: a pause, then half the pace',
			error: failure('tooFrequent', { retryAfterSeconds: 7 }),
			starts: [7, 7, 8, 8, 9, 9],
		},
		{
			title: 'busy: half the pace at once',
			error: failure('server', { status: 503 }),
			starts: [0, 0, 1, 1, 2, 2],
		},
		{
			title: 'another failure: the pace stays',
			error: failure('server', { status: 500 }),
			starts: [0, 0, 0, 0, 1, 1],
		},
	])('other requests of the account start later: $title', async ({ error, starts }) => {
		expect(await paceAfter([error])).toEqual(starts);
	});

	it('only answers raise the rate again: they double it up to half of the rejected rate', async () => {
		const busy = failure('server', { status: 503 });
		expect(await paceAfter([busy, busy, busy, busy], 1)).toEqual([0, 1, 2, 3, 4, 5]);
		expect(await paceAfter([busy, busy, busy, busy], 2)).toEqual([0, 0, 1, 1, 2, 2]);
	});
});

it('a request that fails because the run was cancelled ends with the reason, and slows no other request down', async () => {
	const cancel = new AbortController();
	const reason = new Error('stopped by the user');
	const service = new FakeService(() => {
		cancel.abort(reason);
		return { status: 429 };
	});
	const client = await service.connect({ signal: cancel.signal, requestsPerSecond: 2 });
	await expect(client.read({ path: '/acme', query: 'api' })).rejects.toBe(reason);
	const begun = performance.now();
	const { rateLimit } = client.connection;
	await schedule(rateLimit, async () => await Promise.resolve(), { sleep });
	expect(performance.now() - begun).toBeLessThan(400);
});
