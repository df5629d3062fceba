import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { sleep } from 'n8n-workflow';
import { sleep as oldestSleep } from 'n8n-workflow-oldest';
import { ServiceError } from '../../../../nodes/api/http/serviceError';
import { answerDeadline, withDeadline, type Deadline } from '../../../../nodes/api/http/deadline';
import { deadlineCheckMilliseconds } from '../../../../nodes/api/http/policies';

const fiveMinutes = 300_000;

function after(milliseconds: number): Deadline {
	const at = performance.now() + milliseconds;
	const error = () => new ServiceError({ kind: 'tooSlow', message: 'Too slow' });
	return { at: () => at, error };
}

const never = async () => await new Promise<never>(() => {});

function liveTimers(): number {
	return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

/** Returns a sleep that the test ends, with a matching clock. */
function manualSleep() {
	const sleepers: Array<{ milliseconds: number; wake: () => void }> = [];
	let now = Math.round(performance.now());
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	return {
		sleepers,
		sleep: async (milliseconds: number) =>
			await new Promise<void>((wake) => sleepers.push({ milliseconds, wake })),
		/** Loses the first sleep: its time passes, but it never resolves. */
		lose(): void {
			now += (sleepers.shift()?.milliseconds ?? 0) + 1;
		},
		/** Ends all current sleeps, the first one last, and lets the code that waits for them continue. */
		async pass(): Promise<number> {
			const [sleeper] = sleepers.splice(0, 1);
			if (!sleeper) return 0;
			now += sleeper.milliseconds;
			sleeper.wake();
			await turn();
			return sleeper.milliseconds;
		},
	};
}

beforeEach(() => jest.spyOn(globalThis, 'setTimeout'));

/** The timer of the last check must not keep the process alive. */
afterEach(() => {
	for (const { value } of jest.mocked(setTimeout).mock.results) value.unref();
	jest.restoreAllMocks();
});

it.each([
	{ version: 'the oldest n8n', anySleep: oldestSleep },
	{ version: 'the current n8n', anySleep: sleep },
])('200 requests leave at most one timer: $version', async ({ anySleep }) => {
	const before = liveTimers();
	for (let request = 0; request < 200; request++) {
		await withDeadline(answerDeadline(), async () => 1, { sleep: anySleep });
	}
	expect(liveTimers() - before).toBeLessThanOrEqual(1);
});

it('no timer is started after the last request has ended', async () => {
	const clock = manualSleep();
	let end = () => {};
	const request = withDeadline(
		answerDeadline(),
		async () => await new Promise<void>((resolve) => (end = resolve)),
		clock,
	);
	for (let time = 0; time < 3; time++) expect(await clock.pass()).toBeLessThanOrEqual(5_000);
	end();
	await request;
	expect(clock.sleepers).toHaveLength(1);
	await clock.pass();
	expect(clock.sleepers).toEqual([]);
});

it('an answer that is not complete after five minutes ends the request, and the error names the seconds', async () => {
	const clock = manualSleep();
	let signal: AbortSignal | undefined;
	const hang = async (ended: AbortSignal) => {
		signal = ended;
		return await never();
	};
	const failure = withDeadline(answerDeadline(), hang, clock).catch((error: unknown) => error);
	let passed = 0;
	while (clock.sleepers.length > 0) passed += await clock.pass();
	expect(passed).toBeGreaterThanOrEqual(fiveMinutes);
	expect(passed).toBeLessThan(fiveMinutes + 5_000);
	expect(await failure).toMatchObject({
		kind: 'tooSlow',
		message: 'The service did not complete its answer within 300 seconds',
	});
	expect(signal?.aborted).toBe(true);
	expect(signal?.reason).toBe(await failure);
});

it.each([oldestSleep, sleep])(
	'a short deadline passes in time next to a long one',
	async (anySleep) => {
		let end = () => {};
		const long = withDeadline(
			answerDeadline(),
			async () => await new Promise<void>((resolve) => (end = resolve)),
			{ sleep: anySleep },
		);
		const begun = performance.now();
		await expect(withDeadline(after(40), never, { sleep: anySleep })).rejects.toMatchObject({
			kind: 'tooSlow',
		});
		// Before the next check of the long deadline.
		expect(performance.now() - begun).toBeLessThan(deadlineCheckMilliseconds);
		end();
		await long;
	},
);

it('a deadline that moves passes only after it has stopped moving', async () => {
	const clock = manualSleep();
	const begun = performance.now();
	let latest = begun;
	const { error } = after(0);
	const deadline = { at: () => latest + 12_000, error };
	const failure = withDeadline(deadline, never, clock).catch(() => performance.now() - begun);
	for (let time = 0; time < 20; time++) {
		await clock.pass();
		latest = performance.now();
	}
	expect(latest - begun).toBeGreaterThan(60_000);
	while (clock.sleepers.length > 0) await clock.pass();
	expect(await failure).toBe(latest - begun + 12_000);
});

it('a short deadline next to a long one leaves one chain of checks', async () => {
	const clock = manualSleep();
	void withDeadline(answerDeadline(), never, clock).catch(() => undefined);
	const short = withDeadline(after(40), never, clock);
	const failure = short.catch((error: unknown) => error);
	await clock.pass();
	await clock.pass();
	expect(await failure).toMatchObject({ kind: 'tooSlow' });
	expect(clock.sleepers).toHaveLength(1);
});

it('the next request starts a new timer if a timer was lost', async () => {
	const clock = manualSleep();
	void withDeadline(answerDeadline(), never, clock).catch(() => undefined);
	clock.lose();
	const late = withDeadline(after(40), never, clock).catch((error: unknown) => error);
	while (clock.sleepers.length > 0) await clock.pass();
	expect(await late).toMatchObject({ kind: 'tooSlow' });
});

it('a stream has no deadline, and soon no timer', async () => {
	expect(answerDeadline('stream').at()).toBe(Infinity);
});

it('a request removes its listener from the signal of the execution at its end', async () => {
	const execution = new AbortController();
	const { signal } = execution;
	for (let request = 0; request < 3; request++) {
		await withDeadline(answerDeadline(), async () => 1, { sleep, signal });
	}
	await withDeadline(answerDeadline(), async () => await Promise.reject(new Error('broken')), {
		sleep,
		signal,
	}).catch(() => undefined);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('a cancelled execution ends its request at once, with its reason', async () => {
	const execution = new AbortController();
	const reason = new Error('stopped by the user');
	let ended: AbortSignal | undefined;
	const request = withDeadline(
		answerDeadline(),
		async (signal) => {
			ended = signal;
			return await never();
		},
		{ sleep, signal: execution.signal },
	);
	execution.abort(reason);
	await expect(request).rejects.toBe(reason);
	expect(ended?.reason).toBe(reason);
	const late = withDeadline(answerDeadline(), never, { sleep, signal: execution.signal });
	await expect(late).rejects.toBe(reason);
});
