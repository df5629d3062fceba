import fc from 'fast-check';
import {
	names,
	newPace,
	newTrace,
	request,
	rest,
	sendPaced,
	settle,
	tenths,
	times,
	useFakeTime,
} from './pacedRequests';
import type { CancellablePace, Trace } from './pacedRequests';

useFakeTime();

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
