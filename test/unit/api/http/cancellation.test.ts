import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { waitUnlessCancelled, withCancel } from '../../../../nodes/api/http/waiting';

const reason = new Error('stopped by the user');
const never = () => new AbortController().signal;

// Jest fails a test that leaves a rejection unhandled. Unhandled rejections are reported one turn of the event loop later, so
// the tests wait with `turn`.

describe('waiting that may be cancelled', () => {
	it('withCancel removes its listener from the signal at the end', async () => {
		const signal = never();
		for (let time = 0; time < 3; time++) await withCancel(Promise.resolve(), signal);
		await withCancel(Promise.reject(reason), signal).catch(() => undefined);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	it('withCancel leaves no unhandled rejection if both the promise and the signal fail', async () => {
		const cancel = new AbortController();
		let fail: (error: Error) => void = () => {};
		const waiting = withCancel(new Promise((_, reject) => (fail = reject)), cancel.signal);
		cancel.abort(reason);
		fail(new Error('broken'));
		await expect(waiting).rejects.toBe(reason);
		await turn();
	});
});

it('a long wait consists of short sleeps, because a cancelled sleep of n8n 2.0.0 runs on', async () => {
	const sleeps: number[] = [];
	const sleep = async (milliseconds: number) => void sleeps.push(milliseconds);
	await waitUnlessCancelled(10_000, { sleep });
	expect(sleeps).toEqual([3_000, 3_000, 3_000, 1_000]);
});
