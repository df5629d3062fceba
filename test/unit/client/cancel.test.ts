import { setImmediate as turn } from 'node:timers/promises';
import { waitUnlessCancelled, withCancel } from '../../../nodes/service/cancel';

const reason = new Error('stopped by the user');

// Jest fails a test that leaves a rejection uncaught, which shows one turn later: hence `turn` below.

describe('something that may be cancelled', () => {
	it('yields its value, with a signal or without', async () => {
		await expect(withCancel(Promise.resolve(5))).resolves.toBe(5);
		await expect(withCancel(Promise.resolve(5), new AbortController().signal)).resolves.toBe(5);
	});

	it('throws what it throws', async () => {
		const failed = Promise.reject(new Error('broken'));
		await expect(withCancel(failed, new AbortController().signal)).rejects.toThrow('broken');
	});

	it('throws the reason of the signal when it is cancelled', async () => {
		const cancel = new AbortController();
		const waiting = withCancel(new Promise(() => {}), cancel.signal);
		cancel.abort(reason);
		await expect(waiting).rejects.toBe(reason);
	});

	it('throws the reason when it had been cancelled before', async () => {
		await expect(withCancel(Promise.resolve(5), AbortSignal.abort(reason))).rejects.toBe(reason);
	});

	it('does not listen to the signal any longer than it lasts', async () => {
		const cancel = new AbortController();
		const listens = jest.spyOn(cancel.signal, 'addEventListener');
		const stops = jest.spyOn(cancel.signal, 'removeEventListener');
		for (let time = 0; time < 20; time++) await withCancel(Promise.resolve(), cancel.signal);
		await withCancel(Promise.reject(reason), cancel.signal).catch(() => undefined);
		expect(listens).toHaveBeenCalledTimes(21);
		expect(stops.mock.calls).toEqual(listens.mock.calls);
	});

	it('leaves nothing uncaught when both it and the signal fail', async () => {
		const cancel = new AbortController();
		let fail: (error: Error) => void = () => {};
		const waiting = withCancel(new Promise((_, reject) => (fail = reject)), cancel.signal);
		cancel.abort(reason);
		fail(new Error('broken'));
		await expect(waiting).rejects.toBe(reason);
		await turn();
	});
});

describe('a wait', () => {
	it('ends by itself', async () => {
		await expect(waitUnlessCancelled(1)).resolves.toBeUndefined();
		await expect(waitUnlessCancelled(1, new AbortController().signal)).resolves.toBeUndefined();
	});

	it('ends at once when it is cancelled', async () => {
		const cancel = new AbortController();
		const waiting = waitUnlessCancelled(3_600_000, cancel.signal);
		cancel.abort(reason);
		await expect(waiting).rejects.toBe(reason);
	});

	it('does not begin when it had been cancelled before, and leaves nothing uncaught', async () => {
		const waiting = waitUnlessCancelled(3_600_000, AbortSignal.abort(reason));
		await expect(waiting).rejects.toBe(reason);
		await turn();
	});
});
