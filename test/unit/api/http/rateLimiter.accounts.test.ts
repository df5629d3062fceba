import { countRequest, slowDown } from '../../../../nodes/api/http/rateLimiter';
import { usedHeap } from '../../../engine/usedHeap';
import { newPace, newTrace, request, sendPaced, settle, times, useFakeTime } from './rateLimitedRequests';

/** What is remembered of accounts lives as long as the process. */

useFakeTime();

const aMinute = 60_000;

/** Requests of many other accounts, in so many minutes. */
async function othersCome(count: number, minutes: number): Promise<void> {
	for (let minute = 0; minute < minutes; minute++) {
		for (let index = 0; index < count / minutes; index++) countRequest(newPace(5));
		await jest.advanceTimersByTimeAsync(aMinute);
	}
}

it('accounts that nobody uses any more take up no memory', async () => {
	await othersCome(2_000, 10);
	const before = usedHeap();
	await othersCome(60_000, 600);
	// Each is a third of a kilobyte.
	expect(usedHeap() - before).toBeLessThan(3_000_000);
});

it('an account is held back for as long as the service has asked, however many others come', async () => {
	const pace = newPace(5);
	const begun = performance.now();
	slowDown(pace, 60 * aMinute);
	await othersCome(4_000, 50);
	const trace = newTrace();
	const sent = request(pace, trace, 0, 0);
	await jest.advanceTimersByTimeAsync(20 * aMinute);
	await sent;
	expect(times(trace).map((at) => Math.round((at - begun) / aMinute))).toEqual([60]);
});

it('a request that is under way counts, however many others come', async () => {
	const pace = newPace(1);
	const trace = newTrace();
	const long = request(pace, trace, 0, aMinute);
	await jest.advanceTimersByTimeAsync(0);
	for (let index = 0; index < 1_000; index++) countRequest(newPace(5));
	const beside = sendPaced({ ...pace, isBeside: true }, async () => {
		trace.starts.push({ name: 1, at: performance.now() });
	});
	await settle();
	await Promise.all([long, beside]);
	const [one = 0, other = 0] = times(trace);
	expect(Math.round((other - one) / 100)).toBe(10);
});

it('a slow pace counts its last request, however many others come', async () => {
	const pace = newPace(1 / 1_200);
	const trace = newTrace();
	const [first, second] = [request(pace, trace, 0, 0), request(pace, trace, 1, 0)];
	await jest.advanceTimersByTimeAsync(0);
	await othersCome(4_000, 15);
	await settle();
	await Promise.all([first, second]);
	const [one = 0, other = 0] = times(trace);
	expect(Math.round((other - one) / aMinute)).toBe(20);
});
