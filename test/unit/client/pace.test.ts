import fc from 'fast-check';
import { slowDown, untilPaceAllows } from '../../../nodes/service/pace';
import {
	inTurn,
	names,
	newPace,
	newTrace,
	request,
	sendPaced,
	settle,
	tenths,
	times,
	useFakeTime,
} from './pacedRequests';

useFakeTime();

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
		slowDown(pace, 5000);
		slowDown(pace, 100);
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
		slowDown(pace, 3000);
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

describe('requests of different accounts', () => {
	it('do not wait for each other', async () => {
		const [one, other] = [newTrace(), newTrace()];
		const [onePace, otherPace] = [newPace(1), newPace(1)];
		slowDown(onePace, 60_000);
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
