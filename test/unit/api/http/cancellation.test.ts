import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { sleep } from 'n8n-workflow';

import { waitUnlessCancelled, withCancel } from '../../../../nodes/api/http/waiting';

const reason = new Error('stopped by the user');
const never = () => new AbortController().signal;

// Jest fails a test that leaves a rejection uncaught, which shows one turn later: hence `turn` below.

describe('something that may be cancelled', () => {
	it.each([
		['a promise', async (signal: AbortSignal) => await withCancel(new Promise(() => {}), signal)],
		[
			'a wait',
			async (signal: AbortSignal) => await waitUnlessCancelled(3_600_000, { sleep, signal }),
		],
	])('throws the reason at once when it is cancelled, or had been before: %s', async (_, run) => {
		const cancel = new AbortController();
		const running = run(cancel.signal);
		cancel.abort(reason);
		await expect(running).rejects.toBe(reason);
		await expect(run(AbortSignal.abort(reason))).rejects.toBe(reason);
		await expect(withCancel(Promise.resolve(5), cancel.signal)).rejects.toBe(reason);
		await turn();
	});

	it('does not listen to the signal any longer than it lasts', async () => {
		const signal = never();
		for (let time = 0; time < 3; time++) await withCancel(Promise.resolve(), signal);
		await withCancel(Promise.reject(reason), signal).catch(() => undefined);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});
