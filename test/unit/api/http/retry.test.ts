import { setImmediate as turn } from 'node:timers/promises';
import {
	mayBeTooMuch,
	outcomeIsUnknown,
	waitBeforeRetry,
} from '../../../../nodes/api/http/policies';
import { failureKinds, ServiceError } from '../../../../nodes/api/http/serviceError';
import type { FailureDetails, FailureKind } from '../../../../nodes/api/http/serviceError';
import { FakeService, inOrder } from './fakeService';
import type { FakeAnswer } from './fakeService';

const failure = (kind: FailureKind, more: Partial<FailureDetails> = {}) =>
	new ServiceError({ kind, message: 'x', ...more });

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

describe('less may be had', () => {
	it.each<[FailureKind, Partial<FailureDetails>, boolean]>([
		['server', { status: 500 }, true],
		['server', { status: 503 }, false],
		['malformed', {}, true],
		['connectionLost', {}, true],
		['connectionLost', { beforeRequest: true }, false],
		['refused', { code: 201 }, true],
		['refused', { code: 107 }, false],
	])('a request for less data may succeed: %s %j', (kind, more, isSo) => {
		expect(mayBeTooMuch(failure(kind, more))).toBe(isSo);
		const wait = isSo ? undefined : waitBeforeRetry(failure(kind, more), {}, 1);
		expect(waitBeforeRetry(failure(kind, more), { isDivisible: true }, 1)).toBe(wait);
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
		// There was nothing at the address that could have done the work.
		['webPage', { status: 404 }, false],
	])('the outcome of a write is unknown after some failures: %s %j', (kind, more, isUnknown) => {
		expect(outcomeIsUnknown(failure(kind, more))).toBe(isUnknown);
		const mayGoAgain = kind === 'tooFrequent' || kind === 'unreachable';
		expect(waitBeforeRetry(failure(kind, more), { isWrite: true }, 1)).toBe(
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

	/** Number of requests after each read. */
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

	it('a request with code 106 is sent a second time, each time', async () => {
		const paths = Array(3).fill('/acme/sales/1');
		expect(await requestsAfter([guest, guest, guest, good], paths)).toEqual([2, 4, 5]);
	});
});

it('after a refusal with Retry-After, all requests of the account wait for that time', async () => {
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
