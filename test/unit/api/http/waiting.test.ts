import { setImmediate as turn } from 'node:timers/promises';
import { acquire, waitUnlessCancelled, withCancel } from '../../../../nodes/api/http/waiting';

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

it('a mutex that was passed on is still held for those who come later', async () => {
	const name = 'mutex that is passed on';
	const first = await acquire(name);
	const second = acquire(name);
	first();
	const release = await second;
	await turn();
	let holds = false;
	const third = acquire(name).then(() => (holds = true));
	await turn();
	expect(holds).toBe(false);
	release();
	await third;
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
