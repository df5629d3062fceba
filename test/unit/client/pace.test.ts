import fc from 'fast-check';
import { withCancel } from '../../../nodes/service/cancel';
import { countRequest, holdBack, untilPaceAllows } from '../../../nodes/service/pace';
import type { Pace } from '../../../nodes/service/pace';
import { takeTurn } from '../../../nodes/service/turns';

interface CancellablePace extends Pace {
	signal?: AbortSignal;
}

let accounts = 0;
/** What is known of accounts lives as long as the process, so each test has accounts of its own. */
const newPace = (requestsPerSecond: number, signal?: AbortSignal): CancellablePace => ({
	account: `https://host/account${++accounts}`,
	requestsPerSecond,
	signal,
});

/** Sends a request as whoever has a turn of its account does. */
async function sendPaced<T>(pace: CancellablePace, send: () => Promise<T>): Promise<T> {
	await untilPaceAllows(pace, pace.signal);
	return await send().finally(() => countRequest(pace));
}

/** Does something in a turn of the account. */
async function inTurn<T>(pace: CancellablePace, run: () => Promise<T>): Promise<T> {
	const endTurn = await takeTurn(pace.account, pace.signal);
	return await run().finally(endTurn);
}

interface Trace {
	starts: Array<{ name: number; at: number }>;
	ends: number[];
	running: number;
	mostRunning: number;
}
const newTrace = (): Trace => ({ starts: [], ends: [], running: 0, mostRunning: 0 });
const names = ({ starts }: Trace) => starts.map(({ name }) => name);
const times = ({ starts }: Trace) => starts.map(({ at }) => at);
const rest = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A request that takes so long; its failure is its own business. */
async function request(
	pace: CancellablePace,
	trace: Trace,
	name: number,
	milliseconds: number,
): Promise<number> {
	const send = async () => {
		trace.starts.push({ name, at: performance.now() });
		trace.mostRunning = Math.max(trace.mostRunning, ++trace.running);
		await rest(milliseconds);
		trace.running--;
		trace.ends.push(performance.now());
		if (milliseconds % 2 === 1) throw new Error('broken');
		return name;
	};
	return await inTurn(pace, async () => await sendPaced(pace, send));
}

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

/** When the requests began, in tenths of a second: a timer of no time lasts a millisecond, too. */
const tenths = (trace: Trace, begun: number) =>
	times(trace).map((at) => Math.round((at - begun) / 100) / 10);

const settle = async () => await jest.advanceTimersByTimeAsync(600_000);

describe('requests of one account', () => {
	it('never overlap, keep their order, and never reach the service faster than the pace', async () => {
		const durations = fc.array(fc.nat({ max: 700 }), { minLength: 1, maxLength: 25 });
		await fc.assert(
			fc.asyncProperty(durations, fc.integer({ min: 0, max: 8 }), async (list, perSecond) => {
				const pace = newPace(perSecond);
				const trace = newTrace();
				const all = Promise.allSettled(
					list.map((milliseconds, name) => request(pace, trace, name, milliseconds)),
				);
				await settle();
				await all;
				expect(names(trace)).toEqual(list.map((_, name) => name));
				expect(trace.mostRunning).toBe(1);
				if (perSecond === 0) return;
				// Whenever each of them reached the service, no more than these did within a second.
				const begun = times(trace);
				trace.ends.forEach((at, index) => {
					const later = begun[index + perSecond];
					if (later !== undefined) expect(later - at).toBeGreaterThanOrEqual(1000);
				});
			}),
			{ numRuns: 60 },
		);
	});

	it('begin as soon as the pace allows', async () => {
		const pace = newPace(5);
		const trace = newTrace();
		const all = Promise.all(
			Array.from({ length: 11 }, (_, name) => request(pace, trace, name, 10)),
		);
		const begun = performance.now();
		await settle();
		await all;
		expect(times(trace).map((at) => Math.round(at - begun))).toEqual([
			...[0, 10, 20, 30, 40],
			...[1010, 1020, 1030, 1040, 1050],
			2020,
		]);
	});

	it('count each that a turn sends after another', async () => {
		const pace = newPace(5);
		const trace = newTrace();
		const begun = performance.now();
		const all = Promise.all([
			request(pace, trace, 0, 10),
			inTurn(pace, async () => {
				for (const name of [1, 2, 3, 4]) {
					await sendPaced(pace, async () => trace.starts.push({ name, at: performance.now() }));
				}
			}),
			request(pace, trace, 5, 0),
		]);
		await settle();
		await all;
		expect(times(trace).map((at) => Math.round(at - begun))).toEqual([0, 10, 10, 10, 10, 1010]);
	});

	it('count what is sent before a request, within its turn, as a login is', async () => {
		const pace = newPace(1);
		const trace = newTrace();
		const begun = performance.now();
		const start = (name: number) => trace.starts.push({ name, at: performance.now() });
		const loggingIn = async (name: number) =>
			await inTurn(pace, async () => {
				await sendPaced(pace, async () => {
					await sendPaced(pace, async () => start(name));
					await untilPaceAllows(pace);
					start(name + 1);
				});
			});
		const all = Promise.all([loggingIn(0), loggingIn(2)]);
		await settle();
		await all;
		expect(times(trace).map((at) => Math.round(at - begun))).toEqual([0, 1000, 2000, 3000]);
	});

	it.each([
		[4.5, [0, 0, 0, 0, 1, 1]],
		[1.9, [0, 1, 2]],
		[1, [0, 1, 2]],
		[0.4, [0, 2.5, 5]],
	])('are rounded down: %d', async (perSecond, expected) => {
		const pace = newPace(perSecond);
		const trace = newTrace();
		const begun = performance.now();
		const all = Promise.all(expected.map((_, name) => request(pace, trace, name, 0)));
		await settle();
		await all;
		expect(tenths(trace, begun)).toEqual(expected);
	});

	it('may be less than one a second', async () => {
		const pace = newPace(0.5);
		const trace = newTrace();
		const all = Promise.all([0, 1, 2].map((name) => request(pace, trace, name, 10)));
		const begun = performance.now();
		await settle();
		await all;
		expect(times(trace).map((at) => Math.round(at - begun))).toEqual([0, 2010, 4020]);
	});

	it('do not wait for each other longer than they last when there is no pace', async () => {
		const pace = newPace(0);
		const trace = newTrace();
		const all = Promise.all(Array.from({ length: 50 }, (_, name) => request(pace, trace, name, 0)));
		const begun = performance.now();
		await settle();
		await all;
		expect(Math.max(...times(trace)) - begun).toBeLessThan(100);
	});

	it('wait when the service asked for fewer, all of them', async () => {
		const pace = newPace(0);
		const trace = newTrace();
		const begun = performance.now();
		holdBack(pace, 5000);
		holdBack(pace, 100);
		const all = Promise.all([0, 1].map((name) => request(pace, trace, name, 10)));
		await settle();
		await all;
		expect(times(trace).map((at) => Math.round(at - begun))).toEqual([5000, 5010]);
	});

	it('wait when the service asks for fewer while they wait', async () => {
		const pace = newPace(1);
		const trace = newTrace();
		const begun = performance.now();
		const all = Promise.all([0, 1].map((name) => request(pace, trace, name, 0)));
		await jest.advanceTimersByTimeAsync(500);
		holdBack(pace, 3000);
		await settle();
		await all;
		expect(times(trace).map((at) => Math.round(at - begun))).toEqual([0, 3500]);
	});
});

describe('requests of credentials of one account with different paces', () => {
	const slow = 2;
	const fast = 5;

	it.each([
		['after the slower ones', [slow, slow, fast, fast, fast], [0, 0, 1, 1, 1]],
		['before the slower ones', [fast, fast, fast, slow], [0, 0, 0, 1]],
		['between the slower ones', [slow, fast, slow, fast, fast], [0, 0, 1, 1, 2]],
		['beside one without a limit', [0, 0, 0, slow, 0, 0, 0], [0, 0, 0, 1, 1, 2, 2]],
		['beside one in two seconds', [fast, 0.5, fast, fast], [0, 2, 4, 4]],
	])('keep to the slower one: %s', async (_, paces, expected) => {
		const pace = newPace(0);
		const trace = newTrace();
		const begun = performance.now();
		const all = Promise.all(
			paces.map((requestsPerSecond, name) =>
				request({ ...pace, requestsPerSecond }, trace, name, 0),
			),
		);
		await settle();
		await all;
		expect(tenths(trace, begun)).toEqual(expected);
	});
});

describe('whatever comes together', () => {
	interface Turn {
		perSecond: number;
		begins: number;
		/** How long each of its requests takes, and at which part of that time it reaches the service. */
		requests: Array<{ milliseconds: number; arrives: number; fails: boolean; logsIn: boolean }>;
		/** Milliseconds after it began; never when it is undefined. */
		cancelled?: number;
	}
	interface Arrival {
		at: number;
		perSecond: number;
	}

	const turns: fc.Arbitrary<Turn[]> = fc.array(
		fc.record({
			perSecond: fc.constantFrom(0, 0.3, 0.5, 1, 1.7, 2, 3, 4.5, 5, 8),
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
		const pace = { account, requestsPerSecond: perSecond, signal: cancel.signal };
		await inTurn(pace, async () => {
			for (const { milliseconds, arrives, fails, logsIn } of requests) {
				const answer = async () => {
					await withCancel(rest(milliseconds * arrives), cancel.signal);
					arrivals.push({ at: performance.now(), perSecond });
					await withCancel(rest(milliseconds * (1 - arrives)), cancel.signal);
				};
				await sendPaced(pace, async () => {
					if (logsIn) {
						await sendPaced(pace, answer);
						await untilPaceAllows(pace);
					}
					await answer();
					if (fails) throw new Error('broken');
				}).catch(() => undefined);
			}
		});
	}

	it('no stretch of time holds more requests than the slowest of them allows', async () => {
		await fc.assert(
			fc.asyncProperty(turns, async (list) => {
				const { account } = newPace(0);
				const arrivals: Arrival[] = [];
				const all = list.map(async (turn) => await take(account, turn, arrivals));
				const ended = Promise.allSettled(all);
				await settle();
				const results = await ended;
				list.forEach(({ cancelled }, index) => {
					if (cancelled === undefined) expect(results[index]?.status).toBe('fulfilled');
				});
				for (const { perSecond } of arrivals.filter((arrival) => arrival.perSecond > 0)) {
					const stretch = 1000 / Math.min(1, perSecond);
					for (const { at } of arrivals) {
						const within = arrivals.filter((other) => other.at >= at && other.at < at + stretch);
						if (!within.some((other) => other.perSecond === perSecond)) continue;
						expect(within.length).toBeLessThanOrEqual(Math.max(1, Math.floor(perSecond)));
					}
				}
			}),
			{ numRuns: 100 },
		);
	});
});

describe('a request beside the turns', () => {
	/** A request that takes no turn, as that for a public key. */
	async function beside(pace: CancellablePace, trace: Trace, name: number, milliseconds = 0) {
		await sendPaced({ ...pace, isBeside: true }, async () => {
			trace.starts.push({ name, at: performance.now() });
			await rest(milliseconds);
		});
	}

	/** Begins while a request of the turn takes a minute, and 100 ms after it. */
	async function besideALongOne(perSecond: number) {
		const pace = newPace(perSecond);
		const trace = newTrace();
		const begun = performance.now();
		const long = request(pace, trace, 0, 60_000);
		await jest.advanceTimersByTimeAsync(100);
		const short = beside(pace, trace, 1);
		await settle();
		await Promise.all([long, short]);
		return tenths(trace, begun);
	}

	it.each([
		[0, [0, 0.1]],
		[5, [0, 0.1]],
		[1, [0, 1]],
		[0.5, [0, 2]],
	])('waits for the pace (%d a second), and for nobody else', async (perSecond, expected) => {
		expect(await besideALongOne(perSecond)).toEqual(expected);
	});

	it.each([
		[1, [0, 5, 6]],
		[2, [0, 5, 5]],
	])('waits for another one as the pace (%d a second) says', async (perSecond, expected) => {
		const pace = newPace(perSecond);
		const trace = newTrace();
		const begun = performance.now();
		const long = request(pace, trace, 0, 60_000);
		await jest.advanceTimersByTimeAsync(5_000);
		const all = [long, beside(pace, trace, 1), beside(pace, trace, 2)];
		await settle();
		await Promise.all(all);
		expect(tenths(trace, begun)).toEqual(expected);
	});

	it('counts while it is under way, and when it has ended', async () => {
		const pace = newPace(1);
		const trace = newTrace();
		const begun = performance.now();
		const all = [beside(pace, trace, 0, 500), request(pace, trace, 1, 0)];
		await settle();
		await Promise.all(all);
		expect(tenths(trace, begun)).toEqual([0, 1.5]);
	});

	it('is not overtaken by those that come after it, however many', async () => {
		const pace = newPace(2);
		const trace = newTrace();
		const before = [0, 1, 2].map((name) => request(pace, trace, name, 10));
		await jest.advanceTimersByTimeAsync(100);
		const short = beside(pace, trace, 3);
		const after = [4, 5, 6].map((name) => request(pace, trace, name, 10));
		await settle();
		await Promise.all([...before, short, ...after]);
		expect(names(trace)).toEqual([0, 1, 2, 3, 4, 5, 6]);
	});

	it('lets no second hold more than the pace, where requests reach the service at once', async () => {
		const delays = fc.array(fc.nat({ max: 4000 }), { maxLength: 3 });
		const durations = fc.array(fc.nat({ max: 900 }), { minLength: 1, maxLength: 12 });
		await fc.assert(
			fc.asyncProperty(delays, durations, fc.integer({ min: 1, max: 5 }), async (...drawn) => {
				const [besides, list, perSecond] = drawn;
				const pace = newPace(perSecond);
				const trace = newTrace();
				const all = Promise.allSettled([
					...list.map((milliseconds, name) => request(pace, trace, name, milliseconds)),
					...besides.map(async (delay) => {
						await rest(delay);
						await beside(pace, trace, -1, 30);
					}),
				]);
				await settle();
				await all;
				for (const start of times(trace)) {
					const within = times(trace).filter((at) => at >= start && at < start + 1000);
					expect(within.length).toBeLessThanOrEqual(perSecond);
				}
			}),
			{ numRuns: 60 },
		);
	});
});

describe('requests of different accounts', () => {
	it('do not wait for each other', async () => {
		const [one, other] = [newTrace(), newTrace()];
		const [onePace, otherPace] = [newPace(1), newPace(1)];
		holdBack(onePace, 60_000);
		const all = Promise.all([request(onePace, one, 0, 0), request(otherPace, other, 0, 0)]);
		await jest.advanceTimersByTimeAsync(10);
		expect([names(one), names(other)]).toEqual([[], [0]]);
		await settle();
		await all;
	});
});

describe('cancelling', () => {
	const reason = new Error('stopped by the user');

	it('takes requests out of the queue and leaves the others in order, one at a time', async () => {
		const places = fc.uniqueArray(fc.nat({ max: 11 }), { maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(
				places,
				fc.nat({ max: 400 }),
				fc.nat({ max: 3 }),
				async (cancelled, at, perSecond) => {
					const pace = newPace(perSecond);
					const trace = newTrace();
					const cancel = new AbortController();
					const all = Array.from({ length: 12 }, (_, name) =>
						request(
							{ ...pace, signal: cancelled.includes(name) ? cancel.signal : undefined },
							trace,
							name,
							40,
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
						expect(result.status).toBe(expected.includes(name) ? 'fulfilled' : 'rejected');
					});
				},
			),
			{ numRuns: 60 },
		);
	});

	it('ends a wait at once, with the reason', async () => {
		const pace = newPace(0);
		const trace = newTrace();
		const first = request(pace, trace, 0, 10_000);
		const cancel = new AbortController();
		const second = request({ ...pace, signal: cancel.signal }, trace, 1, 0);
		const third = request(pace, trace, 2, 0);
		const failed = expect(second).rejects.toBe(reason);
		await jest.advanceTimersByTimeAsync(10);
		cancel.abort(reason);
		await failed;
		expect(names(trace)).toEqual([0]);
		await settle();
		await Promise.all([first, third]);
		expect(names(trace)).toEqual([0, 2]);
	});

	it('ends a wait for the pace at once, and counts for nothing', async () => {
		const pace = newPace(1);
		const trace = newTrace();
		await Promise.all([request(pace, trace, 0, 0), jest.advanceTimersByTimeAsync(10)]);
		const cancel = new AbortController();
		const second = request({ ...pace, signal: cancel.signal }, trace, 1, 0);
		const failed = expect(second).rejects.toBe(reason);
		await jest.advanceTimersByTimeAsync(500);
		cancel.abort(reason);
		await failed;
		const third = request(pace, trace, 2, 0);
		await settle();
		await third;
		const [first = 0, last = 0] = times(trace);
		expect([names(trace), Math.round(last - first)]).toEqual([[0, 2], 1000]);
	});

	it('before it is its turn sends nothing', async () => {
		const send = jest.fn(async () => 5);
		await expect(inTurn(newPace(0, AbortSignal.abort(reason)), send)).rejects.toBe(reason);
		expect(send).not.toHaveBeenCalled();
	});
});
