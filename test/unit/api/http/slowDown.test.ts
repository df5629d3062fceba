import type { Call } from '../../../../nodes/api/http/call';
import { connectionOf } from '../../../../nodes/api/http/connection';
import {
	limitRate,
	schedule,
	slowDown,
	untilAllowed,
} from '../../../../nodes/api/http/rateLimiter';
import { RunCache } from '../../../../nodes/api/http/runCache';
import { newRateLimit, rest, sendWithinLimit, settle, useFakeTime } from './rateLimitedRequests';
import type { CancellableLimit } from './rateLimitedRequests';

useFakeTime();

/** Returns the number of requests that start at once. The others are cancelled. */
async function startedAtOnce(limit: CancellableLimit, count: number): Promise<number> {
	let started = 0;
	const waiting = new AbortController();
	const requests = Array.from({ length: count }, async () => {
		await sendWithinLimit({ ...limit, signal: waiting.signal }, async () => void started++);
	});
	await jest.advanceTimersByTimeAsync(0);
	waiting.abort(new Error('the others'));
	await Promise.allSettled(requests);
	return started;
}

const busy = 0;
const tooFrequent = 1;

it.each([
	{ title: 'once', refusals: [tooFrequent], perSecond: 16, first: 8 },
	{ title: 'twice', refusals: [tooFrequent, tooFrequent], perSecond: 16, first: 4 },
	{ title: 'many times', refusals: Array(20).fill(tooFrequent), perSecond: 128, first: 2 },
	{ title: 'many times as busy', refusals: Array(20).fill(busy), perSecond: 16, first: 2 },
	{
		title: 'as busy after many times as too frequent',
		refusals: [...Array(20).fill(tooFrequent), busy],
		perSecond: 128,
		first: 2,
	},
])('a rejected account has a lower rate: $title', async ({ refusals, perSecond, first }) => {
	const limit = newRateLimit(perSecond);
	for (const milliseconds of refusals) slowDown(limit, milliseconds);
	await jest.advanceTimersByTimeAsync(5);
	let started = 0;
	const send = async () => {
		started++;
		await rest(500);
	};
	const requests = Array.from(
		{ length: perSecond },
		async () => await sendWithinLimit(limit, send),
	);
	await jest.advanceTimersByTimeAsync(400);
	expect(started).toBe(first);
	await settle();
	await Promise.all(requests);
});

it('answers double the rate up to half of the rejected rate, and then raise it slowly', async () => {
	const limit = newRateLimit(8);
	for (const refusal of [busy, busy, busy]) slowDown(limit, refusal);
	const paces: number[] = [];
	for (let second = 0; second < 18; second++) {
		paces.push(await startedAtOnce(limit, 8));
		await jest.advanceTimersByTimeAsync(1_000);
	}
	expect(paces).toEqual([1, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8]);
});

it.each([
	{ minutes: 4.9, first: 4 },
	{ minutes: 5, first: 8 },
])('$minutes minutes after a rejection, $first of 8 requests start at once', async (row) => {
	const limit = newRateLimit(8);
	await jest.advanceTimersByTimeAsync(200_000);
	slowDown(limit, busy);
	await jest.advanceTimersByTimeAsync(row.minutes * 60_000);
	expect(await startedAtOnce(limit, 8)).toBe(row.first);
});

it('a rejection at a raised rate sets the rate up to which answers double it', async () => {
	const limit = newRateLimit(8);
	slowDown(limit, busy);
	for (let second = 0; second < 6; second++) {
		await startedAtOnce(limit, 8);
		await jest.advanceTimersByTimeAsync(1_000);
	}
	slowDown(limit, busy);
	expect(await startedAtOnce(limit, 8)).toBe(2);
});

it('a paused account does not delay another one', async () => {
	const [paused, other] = [newRateLimit(8), newRateLimit(8)];
	slowDown(paused, 5_000);
	const waiting = sendWithinLimit(paused, async () => {});
	expect(await startedAtOnce(other, 1)).toBe(1);
	await settle();
	await waiting;
});

it('a later rejection does not shorten a pause', async () => {
	const limit = newRateLimit(8);
	slowDown(limit, 5_000);
	slowDown(limit, 1_000);
	const begun = performance.now();
	const allowed = untilAllowed(limit, { sleep: rest as never });
	await settle();
	await allowed;
	expect(begun).toBeLessThan(performance.now() - 4_999);
});

it('the lowest rate of the requests of the last second counts', async () => {
	const limit = newRateLimit(2);
	const begun = performance.now();
	const starts: number[] = [];
	const send = async () => void starts.push(Math.round((performance.now() - begun) / 100) / 10);
	const requests = [
		sendWithinLimit(limit, send),
		sendWithinLimit({ ...limit, requestsPerSecond: 8 }, send),
		sendWithinLimit({ ...limit, requestsPerSecond: 8 }, send),
		sendWithinLimit({ ...limit, requestsPerSecond: 0 }, send),
	];
	await settle();
	await Promise.all(requests);
	expect(starts).toEqual([0, 0, 1, 1]);
});

it('a rate below one per second also delays a request that is sent later', async () => {
	const limit = newRateLimit(0.5);
	expect(await startedAtOnce(limit, 1)).toBe(1);
	await jest.advanceTimersByTimeAsync(1_500);
	expect(await startedAtOnce(limit, 1)).toBe(0);
	await jest.advanceTimersByTimeAsync(500);
	expect(await startedAtOnce(limit, 1)).toBe(1);
});

it('a lower rate counts for one second at most', async () => {
	const limit = newRateLimit(1);
	for (const requestsPerSecond of [1, 8]) {
		expect(await startedAtOnce({ ...limit, requestsPerSecond }, 1)).toBe(1);
		await jest.advanceTimersByTimeAsync(1_000);
	}
	expect(await startedAtOnce({ ...limit, requestsPerSecond: 8 }, 8)).toBe(8);
});

it('the limit counts from the end of the previous request', async () => {
	const limit = newRateLimit(1);
	const begun = performance.now();
	const starts: number[] = [];
	const send = async () => {
		starts.push(Math.round((performance.now() - begun) / 100) / 10);
		await rest(400);
	};
	const requests = (async () => {
		await schedule(limit, send, { sleep: rest as never });
		await schedule(limit, send, { sleep: rest as never });
	})();
	await settle();
	await requests;
	expect(starts).toEqual([0, 1.4]);
});

describe('the delay that a run stores', () => {
	const callOf = (account: string): Call => {
		const credential = { baseUrl: 'https://host', account, apiKey: 'a', requestsPerSecond: 1 };
		const connection = connectionOf('sheetRecordsApi', credential);
		const host = { credential: async () => credential, send: rest as never, sleep: rest as never };
		return { host, connection, cache: new RunCache(), request: { path: '', query: '' }, url: '' };
	};
	const answer = { status: 200, headers: {}, text: '{}' };
	let accounts = 0;

	it.each([
		{ refused: true, milliseconds: 2_000, title: 'is the time after a refusal' },
		{ refused: false, milliseconds: 0, title: 'is nothing for the usual pace' },
	])('$title', async ({ refused, milliseconds }) => {
		await jest.advanceTimersByTimeAsync(700);
		const call = callOf(`noted${++accounts}`);
		if (refused) slowDown(call.connection.rateLimit, 2_000);
		const next = jest.fn(async () => answer);
		const sending = Promise.all([
			limitRate(next)(call),
			refused ? undefined : limitRate(next)(call),
		]);
		await settle();
		expect((await sending)[0]).toBe(answer);
		expect(next).toHaveBeenCalledWith(call);
		expect(Math.round(call.cache.waited.milliseconds / 10) * 10).toBe(milliseconds);
	});
});
