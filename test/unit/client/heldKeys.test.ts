import { setImmediate as turn } from 'node:timers/promises';
import { knownRecords, rememberRecords, whileHeld } from '../../../nodes/service/heldKeys';

/** Work that goes on until it is told to end. */
function work(log: string[], name: string) {
	let end: (error?: Error) => void = () => {};
	const ended = new Promise<void>((resolve, reject) => {
		end = (error) => (error ? reject(error) : resolve());
	});
	const run = async () => {
		log.push(`${name} begins`);
		await ended;
		log.push(`${name} ends`);
		return name;
	};
	return { run, end };
}

describe('work under one name', () => {
	it('is done one after the other, in the order in which it came; other names do not wait', async () => {
		const log: string[] = [];
		const [first, second, other] = ['first', 'second', 'other'].map((name) => work(log, name));
		const results = Promise.all([
			whileHeld('a', undefined, async () => await first?.run()),
			whileHeld('a', undefined, async () => await second?.run()),
			whileHeld('b', undefined, async () => await other?.run()),
		]);
		await turn();
		expect(log).toEqual(['first begins', 'other begins']);
		for (const { end } of [other, first, second].flatMap((one) => one ?? [])) end();
		expect(await results).toEqual(['first', 'second', 'other']);
		expect(log.slice(2)).toEqual(['other ends', 'first ends', 'second begins', 'second ends']);
	});

	it('goes on when the one before fails', async () => {
		const failing = whileHeld('c', undefined, async () => {
			throw new Error('broken');
		});
		const next = whileHeld('c', undefined, async () => 'next');
		await expect(failing).rejects.toThrow('broken');
		expect(await next).toBe('next');
	});

	it('is left out when it is cancelled while it waits, and nobody overtakes the holder', async () => {
		const log: string[] = [];
		const holder = work(log, 'holder');
		const cancel = new AbortController();
		const held = whileHeld('d', undefined, holder.run);
		const waiting = whileHeld('d', cancel.signal, work(log, 'waiting').run);
		cancel.abort(new Error('stopped'));
		await expect(waiting).rejects.toThrow('stopped');
		const late = work(log, 'late');
		late.end();
		const last = whileHeld('d', undefined, late.run);
		await turn();
		expect(log).toEqual(['holder begins']);
		holder.end();
		expect(await Promise.all([held, last])).toEqual(['holder', 'late']);
	});
});

describe('records', () => {
	it('are known by the last that was told of them, and for so many names at most', () => {
		expect(knownRecords('none')).toBeUndefined();
		rememberRecords('x', ['1']);
		rememberRecords('x', []);
		expect(knownRecords('x')).toEqual([]);
		for (let index = 0; index < 9_999; index++) rememberRecords(`name ${index}`, ['1']);
		expect(knownRecords('x')).toEqual([]);
		rememberRecords('x', ['2']);
		rememberRecords('one more', ['3']);
		expect(knownRecords('name 0')).toBeUndefined();
		expect(knownRecords('x')).toEqual(['2']);
	});
});
