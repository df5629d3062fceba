import fc from 'fast-check';
import {
	names,
	newPace,
	newTrace,
	request,
	rest,
	sendPaced,
	settle,
	startsOf,
	times,
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
		[0, 100, [0, 0.1, 0.1]],
		[5, 100, [0, 0.1, 0.1]],
		[2, 100, [0, 0.1, 1]],
		[1, 100, [0, 1, 2]],
		[0.5, 100, [0, 2, 4]],
		[1, 5_000, [0, 5, 6]],
		[2, 5_000, [0, 5, 5]],
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

	it('counts while it is under way, and when it has ended', async () => {
		const pace = newPace(1);
		const starts = await startsOf((trace) => [
			beside(pace, trace, 0, 500),
			request(pace, trace, 1, 0),
		]);
		expect(starts).toEqual([0, 1.5]);
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
			{ numRuns: 40 },
		);
	});
});
