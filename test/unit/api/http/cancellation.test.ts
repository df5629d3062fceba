import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { waitUnlessCancelled, withCancel } from '../../../../nodes/api/http/waiting';

const reason = new Error('stopped by the user');
const never = () => new AbortController().signal;

// Jest fails a test that leaves a rejection uncaught, which shows one turn later: hence `turn` below.

describe('something that may be cancelled', () => {
	it('does not listen to the signal any longer than it lasts', async () => {
		const signal = never();
		for (let time = 0; time < 3; time++) await withCancel(Promise.resolve(), signal);
		await withCancel(Promise.reject(reason), signal).catch(() => undefined);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
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

it('a long wait is made of short sleeps, since a sleep of n8n 2.0.0 goes on when it is cancelled', async () => {
	const sleeps: number[] = [];
	const sleep = async (milliseconds: number) => void sleeps.push(milliseconds);
	await waitUnlessCancelled(10_000, { sleep });
	expect(sleeps).toEqual([3_000, 3_000, 3_000, 1_000]);
});
