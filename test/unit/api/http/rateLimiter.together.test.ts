import fc from 'fast-check';
import { sleep } from 'n8n-workflow';
import { withCancel } from '../../../../nodes/api/http/waiting';
import { untilAllowed } from '../../../../nodes/api/http/rateLimiter';
import {
	inTurn,
	newPace,
	request,
	rest,
	sendPaced,
	settle,
	startsOf,
	useFakeTime,
} from './rateLimitedRequests';
import type { CancellablePace, Trace } from './rateLimitedRequests';

useFakeTime();

describe('a request beside the turns', () => {
	/** A request that takes no turn, as that for a public key. */
	async function beside(pace: CancellablePace, trace: Trace, name: number, milliseconds = 0) {
		await sendPaced(pace, async () => {
			trace.starts.push({ name, at: performance.now() });
			await rest(milliseconds);
		});
	}

	it.each([
		[2, 100, [0, 0.1, 1]],
		[1, 100, [0, 1, 2]],
		[1, 5_000, [0, 5, 6]],
	])(
		'waits for the pace (%d a second), and for no long request: after %i ms',
		async (perSecond, after, expected) => {
			const pace = newPace(perSecond);
			const starts = await startsOf(async (trace) => {
				const long = request(pace, trace, 0, 60_000);
				await jest.advanceTimersByTimeAsync(after);
				return [long, beside(pace, trace, 1), beside(pace, trace, 2)];
			});
			expect(starts).toEqual(expected);
		},
	);
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
						await untilAllowed(pace, { sleep });
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
