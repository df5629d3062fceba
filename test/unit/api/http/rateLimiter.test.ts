import fc from 'fast-check';
import { sleep, type IHttpRequestHelper } from 'n8n-workflow';
import { SheetRecordsSessionApi } from '../../../../credentials/SheetRecordsSessionApi.credentials';
import { slowDown, untilAllowed } from '../../../../nodes/api/http/rateLimiter';
import { withCancel } from '../../../../nodes/api/http/waiting';
import { inTurn, names, newRateLimit, newTrace, request, rest } from './rateLimitedRequests';
import { sendWithinLimit, settle, startsOf, useFakeTime } from './rateLimitedRequests';
import type { CancellableLimit, Trace } from './rateLimitedRequests';
import { runs } from '../../../amount';

useFakeTime();

/** Sends a number of requests in sequence, each with this duration. */
const requests = (rateLimit: CancellableLimit, trace: Trace, count: number, milliseconds = 0) =>
	Array.from({ length: count }, (_, name) => request(rateLimit, trace, name, milliseconds));

describe('requests of one account', () => {
	it.each([
		{
			perSecond: 5,
			count: 11,
			lasts: 100,
			expected: [0, 0.1, 0.2, 0.3, 0.4, 1, 1.1, 1.2, 1.3, 1.4, 2],
		},
		{ perSecond: 4.5, count: 6, lasts: 0, expected: [0, 0, 0, 0, 1, 1] },
		{ perSecond: 0.5, count: 3, lasts: 100, expected: [0, 2.1, 4.2] },
		{ perSecond: 0, count: 8, lasts: 0, expected: [0, 0, 0, 0, 0, 0, 0, 0] },
	])(
		'requests of an account start as soon as the rounded-down limit allows: $perSecond',
		async ({ perSecond, count, lasts, expected }) => {
			const rateLimit = newRateLimit(perSecond);
			expect(await startsOf((trace) => requests(rateLimit, trace, count, lasts))).toEqual(expected);
		},
	);

	it('all waiting requests of an account wait longer if the service asks for fewer', async () => {
		const rateLimit = newRateLimit(0);
		slowDown(rateLimit, 5000);
		slowDown(rateLimit, 100);
		expect(await startsOf((trace) => requests(rateLimit, trace, 2, 100))).toEqual([5, 5.1]);
		const otherPace = newRateLimit(1);
		const starts = await startsOf(async (trace) => {
			const all = requests(otherPace, trace, 2);
			await jest.advanceTimersByTimeAsync(500);
			slowDown(otherPace, 3000);
			return all;
		});
		expect(starts).toEqual([0, 3.5]);
	});
});

describe('a failed request', () => {
	const failing = async () => {
		await rest(500);
		throw new Error('broken');
	};

	it('a failed request counts towards the limit from its end', async () => {
		const rateLimit = newRateLimit(1);
		const begun = performance.now();
		const failed = expect(sendWithinLimit(rateLimit, failing)).rejects.toThrow('broken');
		await jest.advanceTimersByTimeAsync(500);
		const next = sendWithinLimit(rateLimit, async () => performance.now() - begun);
		await settle();
		await failed;
		expect(await next).toBeGreaterThanOrEqual(1500);
	});

	it('a failed login counts towards the limit', async () => {
		const [, account = ''] = newRateLimit(1).account.split('/').slice(-2);
		const logins: number[] = [];
		const httpRequest = async () => {
			logins.push(performance.now());
			return await failing();
		};
		const helpers = { httpRequest } as unknown as IHttpRequestHelper['helpers'];
		const credential = { baseUrl: 'https://host', account, email: 'a', password: 'b' };
		const logIn = async () =>
			await new SheetRecordsSessionApi().preAuthentication
				.call({ helpers }, { ...credential, requestsPerSecond: 1 })
				.catch(() => undefined);
		const loginRequests = Promise.all([logIn(), logIn()]);
		await settle();
		await loginRequests;
		expect(Number(logins[1]) - Number(logins[0])).toBeGreaterThanOrEqual(1000);
	});
});

it('a login ends when the next request is allowed, because n8n sends that at once', async () => {
	const [, account = ''] = newRateLimit(1).account.split('/').slice(-2);
	const httpRequest = async () => ({ statusCode: 200, headers: {}, body: 'session' });
	const helpers = { httpRequest } as unknown as IHttpRequestHelper['helpers'];
	const credential = { baseUrl: 'https://host', account, email: 'c', password: 'd' };
	const begun = performance.now();
	const login = new SheetRecordsSessionApi().preAuthentication
		.call({ helpers }, { ...credential, requestsPerSecond: 1 })
		.then(() => performance.now() - begun);
	await settle();
	expect(await login).toBeGreaterThanOrEqual(1000);
});

describe('cancelling', () => {
	const reason = new Error('stopped by the user');

	it('a cancelled request leaves the queue, and the other requests keep their order', async () => {
		const places = fc.uniqueArray(fc.nat({ max: 11 }), { maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(
				places,
				fc.nat({ max: 400 }),
				fc.nat({ max: 3 }),
				async (cancelled, at, perSecond) => {
					const rateLimit = newRateLimit(perSecond);
					const trace = newTrace();
					const cancel = new AbortController();
					const all = Array.from({ length: 12 }, (_, name) =>
						request(
							{ ...rateLimit, signal: cancelled.includes(name) ? cancel.signal : undefined },
							trace,
							name,
							// A request with an odd duration fails.
							40 + (name % 3),
						),
					);
					const settled = Promise.allSettled(all);
					await jest.advanceTimersByTimeAsync(at);
					const begun = names(trace);
					cancel.abort(reason);
					await settle();
					const expected = Array.from({ length: 12 }, (_, name) => name).filter(
						(name) => begun.includes(name) || !cancelled.includes(name),
					);
					expect(names(trace)).toEqual(expected);
					expect(trace.mostRunning).toBe(1);
					(await settled).forEach((result, name) => {
						const isFulfilled = expected.includes(name) && name % 3 !== 1;
						expect(result.status).toBe(isFulfilled ? 'fulfilled' : 'rejected');
					});
				},
			),
			{ numRuns: runs(60) },
		);
	});
});

describe('a request outside the mutex', () => {
	/** Sends a request without the mutex, like the request for a public key. */
	async function beside(rateLimit: CancellableLimit, trace: Trace, name: number, milliseconds = 0) {
		await sendWithinLimit(rateLimit, async () => {
			trace.starts.push({ name, at: performance.now() });
			await rest(milliseconds);
		});
	}

	it.each([
		[2, 100, [0, 0.1, 1]],
		[1, 100, [0, 1, 2]],
		[1, 5_000, [0, 5, 6]],
	])(
		'a request outside the mutex waits for the limit (%d a second), not for a long request: after %i ms',
		async (perSecond, after, expected) => {
			const rateLimit = newRateLimit(perSecond);
			const starts = await startsOf(async (trace) => {
				const long = request(rateLimit, trace, 0, 60_000);
				await jest.advanceTimersByTimeAsync(after);
				return [long, beside(rateLimit, trace, 1), beside(rateLimit, trace, 2)];
			});
			expect(starts).toEqual(expected);
		},
	);
});

describe('any combination of requests', () => {
	interface Turn {
		perSecond: number;
		begins: number;
		/** Duration of each request, and the fraction of it after which the request reaches the service. */
		requests: Array<{ milliseconds: number; arrives: number; fails: boolean; logsIn: boolean }>;
		/** Cancelled after this time in ms. Never cancelled if undefined. */
		cancelled?: number;
	}
	interface Arrival {
		at: number;
		perSecond: number;
	}

	const sent = (milliseconds: number, logsIn: boolean, arrives = 0) => {
		return { milliseconds, arrives, fails: false, logsIn };
	};
	/** Two requests without a limit start two seconds after one with half a request per second, which arrived some ms late. */
	const sentAtOnceAfterALowLimit: Turn[] = [
		{ perSecond: 0.3, begins: 0, requests: [sent(0, true)], cancelled: 5 },
		{ perSecond: 0, begins: 1, requests: [sent(0, false)] },
		{ perSecond: 0, begins: 0, requests: [sent(4, true), sent(0, false)], cancelled: 3344 },
		{ perSecond: 0.5, begins: 0, requests: [sent(4, true, 1)] },
		{ perSecond: 0, begins: 0, requests: [sent(0, false)] },
	];

	const limits = [0.3, 0.5, 1, 1.7, 2, 3, 4.5, 5, 8];
	const turns: fc.Arbitrary<Turn[]> = fc.array(
		fc.record({
			perSecond: fc.constantFrom(0, ...limits),
			begins: fc.nat({ max: 3000 }),
			requests: fc.array(
				fc.record({
					milliseconds: fc.oneof(fc.constant(0), fc.nat({ max: 900 })),
					arrives: fc.constantFrom(0, 0.3, 1),
					fails: fc.boolean(),
					logsIn: fc.boolean(),
				}),
				{ minLength: 1, maxLength: 3 },
			),
			cancelled: fc.option(fc.nat({ max: 5000 }), { nil: undefined }),
		}),
		{ minLength: 1, maxLength: 16 },
	);

	async function take(account: string, turn: Turn, arrivals: Arrival[]): Promise<void> {
		const { perSecond, begins, requests, cancelled } = turn;
		await rest(begins);
		const cancel = new AbortController();
		if (cancelled !== undefined) setTimeout(() => cancel.abort(new Error('stopped')), cancelled);
		const rateLimit = { account, requestsPerSecond: perSecond, signal: cancel.signal };
		await inTurn(rateLimit, async () => {
			for (const { milliseconds, arrives, fails, logsIn } of requests) {
				const answer = async () => {
					await withCancel(rest(milliseconds * arrives), cancel.signal);
					arrivals.push({ at: performance.now(), perSecond });
					await withCancel(rest(milliseconds * (1 - arrives)), cancel.signal);
				};
				await sendWithinLimit(rateLimit, async () => {
					if (logsIn) {
						await sendWithinLimit(rateLimit, answer);
						await untilAllowed(rateLimit, { sleep });
					}
					await answer();
					if (fails) throw new Error('broken');
				}).catch(() => undefined);
			}
		});
	}

	/** Runs the requests, and returns their arrivals. Requests that are not cancelled must end. */
	async function arrivalsOf(list: Turn[]): Promise<Arrival[]> {
		const { account } = newRateLimit(0);
		const arrivals: Arrival[] = [];
		const ended = Promise.allSettled(list.map(async (turn) => await take(account, turn, arrivals)));
		await settle();
		const results = await ended;
		list.forEach(({ cancelled }, index) => {
			if (cancelled === undefined) expect(results[index]?.status).toBe('fulfilled');
		});
		return arrivals;
	}

	/** Expects at most one arrival beyond the lowest limit in each second, or in each longer time that a limit below one allows. */
	function expectFewArrivals(arrivals: Arrival[], uncertainMilliseconds = 0): void {
		for (const { perSecond } of arrivals.filter((arrival) => arrival.perSecond > 0)) {
			const stretch = 1000 / Math.min(1, perSecond) - uncertainMilliseconds;
			for (const { at } of arrivals) {
				const within = arrivals.filter((arrival) => arrival.at >= at && arrival.at < at + stretch);
				if (!within.some((arrival) => arrival.perSecond === perSecond)) continue;
				// The travel times have no relation to the latencies here, so the limiter cannot foresee an arrival.
				expect(within.length).toBeLessThanOrEqual(Math.max(1, Math.floor(perSecond)) + 1);
			}
		}
	}

	it('no second contains more than one request beyond the limit, whatever their travel times', async () => {
		await fc.assert(
			fc.asyncProperty(turns, fc.constantFrom(...limits), async (list, perSecond) => {
				expectFewArrivals(await arrivalsOf(list.map((turn) => ({ ...turn, perSecond }))));
			}),
			{ numRuns: runs(50) },
		);
	});

	it('requests with other limits, or without one, wait for the time of the lowest limit, except for their travel time', async () => {
		await fc.assert(
			fc.asyncProperty(turns, async (list) => {
				const durations = list.flatMap(({ requests }) =>
					requests.map(({ milliseconds }) => milliseconds),
				);
				// When that time is over, several of them may be sent at once, and arrive earlier than the limiter can know.
				expectFewArrivals(await arrivalsOf(list), Math.max(...durations));
			}),
			{ numRuns: runs(100), examples: [[sentAtOnceAfterALowLimit]] },
		);
	});
});
