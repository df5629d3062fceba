import fc from 'fast-check';
import { type IHttpRequestHelper } from 'n8n-workflow';
import { SheetRecordsSessionApi } from '../../../../credentials/SheetRecordsSessionApi.credentials';
import { slowDown } from '../../../../nodes/api/http/rateLimiter';
import {
	names,
	newPace,
	newTrace,
	request,
	rest,
	sendPaced,
	settle,
	startsOf,
	useFakeTime,
} from './rateLimitedRequests';
import type { CancellablePace, Trace } from './rateLimitedRequests';

useFakeTime();

/** So many requests, one after the other, that each take so long. */
const requests = (pace: CancellablePace, trace: Trace, count: number, milliseconds = 0) =>
	Array.from({ length: count }, (_, name) => request(pace, trace, name, milliseconds));

describe('requests of one account', () => {
	it.each([
		[5, 11, 100, [0, 0.1, 0.2, 0.3, 0.4, 1.1, 1.2, 1.3, 1.4, 1.5, 2.2]],
		[4.5, 6, 0, [0, 0, 0, 0, 1, 1]],
		[0.5, 3, 100, [0, 2.1, 4.2]],
		[0, 8, 0, [0, 0, 0, 0, 0, 0, 0, 0]],
	])(
		'begin as soon as the pace, rounded down, allows: %d',
		async (perSecond, count, lasts, expected) => {
			const pace = newPace(perSecond);
			expect(await startsOf((trace) => requests(pace, trace, count, lasts))).toEqual(expected);
		},
	);

	it('wait when the service asked for fewer, all of them, also while they wait', async () => {
		const pace = newPace(0);
		slowDown(pace, 5000);
		slowDown(pace, 100);
		expect(await startsOf((trace) => requests(pace, trace, 2, 100))).toEqual([5, 5.1]);
		const other = newPace(1);
		const starts = await startsOf(async (trace) => {
			const all = requests(other, trace, 2);
			await jest.advanceTimersByTimeAsync(500);
			slowDown(other, 3000);
			return all;
		});
		expect(starts).toEqual([0, 3.5]);
	});
});

describe('what fails', () => {
	const failing = async () => {
		await rest(500);
		throw new Error('broken');
	};

	it('counts from its end, as what succeeds', async () => {
		const pace = newPace(1);
		const begun = performance.now();
		const failed = expect(sendPaced(pace, failing)).rejects.toThrow('broken');
		await jest.advanceTimersByTimeAsync(500);
		const next = sendPaced(pace, async () => performance.now() - begun);
		await settle();
		await failed;
		expect(await next).toBeGreaterThanOrEqual(1500);
	});

	it('counts when it is a login', async () => {
		const [, account = ''] = newPace(1).account.split('/').slice(-2);
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
		const both = Promise.all([logIn(), logIn()]);
		await settle();
		await both;
		expect(Number(logins[1]) - Number(logins[0])).toBeGreaterThanOrEqual(1000);
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
							// One that takes an odd time fails.
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
			{ numRuns: 60 },
		);
	});
});
