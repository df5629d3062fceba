import { setImmediate as turn } from 'node:timers/promises';
import {
	acquire,
	runCooperatively,
	waitUnlessCancelled,
	withCancel,
	yieldWhenBlocked,
} from '../../../../nodes/api/http/waiting';

const reason = new Error('stopped by the user');
const stopped = () => AbortSignal.abort(reason);

it.each([
	{ milliseconds: 0, sleeps: [0] },
	{ milliseconds: 3_000, sleeps: [3_000] },
	{ milliseconds: 3_001, sleeps: [3_000, 1] },
])('a wait of $milliseconds ms sleeps for $sleeps', async ({ milliseconds, sleeps }) => {
	const slept: number[] = [];
	const sleep = async (time: number) => void slept.push(time);
	await waitUnlessCancelled(milliseconds, { sleep });
	expect(slept).toEqual(sleeps);
});

it('a wait of a cancelled execution does not begin to sleep', async () => {
	const sleep = jest.fn();
	const waiting = waitUnlessCancelled(10, { sleep, signal: stopped() });
	await expect(waiting).rejects.toBe(reason);
	expect(sleep).not.toHaveBeenCalled();
});

it('a cancelled long wait does not sleep again, and its sleep got the signal', async () => {
	const cancel = new AbortController();
	const sleep = jest.fn(async () => cancel.abort(reason));
	const waiting = waitUnlessCancelled(10_000, { sleep, signal: cancel.signal });
	await expect(waiting).rejects.toBe(reason);
	expect(sleep.mock.calls).toEqual([[3_000, cancel.signal]]);
});

it('the value of a promise is returned, with a signal or without', async () => {
	const { signal } = new AbortController();
	expect(await withCancel(Promise.resolve('a'))).toBe('a');
	expect(await withCancel(Promise.resolve('a'), signal)).toBe('a');
	await expect(withCancel(Promise.reject(reason), signal)).rejects.toBe(reason);
});

it('a value is not returned after the execution was cancelled', async () => {
	await expect(withCancel(Promise.resolve('a'), stopped())).rejects.toBe(reason);
});

it('a generator yields to the event loop between two of its steps, and then returns its result', async () => {
	const events: string[] = [];
	const steps = function* () {
		events.push('first step');
		yield;
		events.push('second step');
		return 'result';
	};
	const sleep = async (milliseconds: number) => void events.push(`sleep ${milliseconds}`);
	expect(await runCooperatively(steps(), { sleep })).toBe('result');
	expect(events).toEqual(['first step', 'sleep 0', 'second step']);
});

it('a generator of short steps yields to the event loop only after the time that it may block', async () => {
	let now = 100;
	const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
	const events: string[] = [];
	const steps = function* () {
		for (const step of ['a', 'b', 'c', 'd', 'e', 'f']) {
			events.push(step);
			now += 5;
			yield;
		}
	};
	const sleep = async () => void events.push('sleep');
	await runCooperatively(steps(), { sleep }, 15);
	clock.mockRestore();
	expect(events).toEqual(['a', 'b', 'c', 'sleep', 'd', 'e', 'f', 'sleep']);
});

it('a mutex is held by one caller at a time, in the order of the calls', async () => {
	const events: string[] = [];
	const hold = async (name: string) => {
		const release = await acquire('mutex of the order');
		events.push(`${name} begins`);
		await turn();
		events.push(`${name} ends`);
		release();
	};
	await Promise.all([hold('a'), hold('b')]);
	await hold('c');
	expect(events).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

it('a waiter that is cancelled throws at once, and the next one still waits for the holder', async () => {
	const name = 'mutex of a cancelled waiter';
	const cancel = new AbortController();
	const release = await acquire(name);
	const cancelled = acquire(name, cancel.signal);
	let holds = false;
	const next = acquire(name).then(() => (holds = true));
	cancel.abort(reason);
	await expect(cancelled).rejects.toBe(reason);
	await turn();
	expect(holds).toBe(false);
	release();
	await next;
	expect(holds).toBe(true);
});

it('mutexes with different names do not wait for each other', async () => {
	await acquire('mutex that is never released');
	const release = await acquire('another mutex');
	expect(release).toBeInstanceOf(Function);
});

describe('yielding between the parts of long work', () => {
	afterEach(() => jest.restoreAllMocks());

	/** Calls the function at these times, in ms. Returns those of the calls that waited for the event loop. */
	async function waitsAt(times: readonly number[], hasTurned = false): Promise<number[]> {
		const waits: number[] = [];
		let now = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => now);
		const sleep = async () => {
			await turn();
			await turn();
		};
		const yieldIfBlocked = yieldWhenBlocked(50, sleep);
		for (now of times) {
			let isSameTurn = true;
			setImmediate(() => (isSameTurn = false));
			await yieldIfBlocked();
			if (!isSameTurn) waits.push(now);
			if (hasTurned) await sleep();
		}
		return waits;
	}

	it('waits for the event loop only after it was blocked for the given time', async () => {
		expect(await waitsAt([0, 10, 49, 50, 60, 70, 109, 110])).toEqual([50, 110]);
	});

	it('does not wait while the event loop turns by itself', async () => {
		expect(await waitsAt([0, 60, 120, 180], true)).toEqual([]);
	});
});
