import { setImmediate as turn } from 'node:timers/promises';
import {
	eventLoopTurn,
	runCooperatively,
	yieldWhenBlocked,
} from '../../../../nodes/api/http/eventLoop';
import { spyOnYields } from './yields';

afterEach(() => jest.restoreAllMocks());

/** Keeps the process busy for two milliseconds, so that a timer of one millisecond becomes due. */
function work(): void {
	const end = performance.now() + 2;
	while (performance.now() < end);
}

/** Counts the turns of the event loop while a promise is pending. Calls `onTurn` in each. */
async function countTurns(pending: Promise<unknown>, onTurn: () => void): Promise<void> {
	let isPending = true;
	void pending.finally(() => (isPending = false));
	while (isPending) {
		await turn();
		onTurn();
	}
}

it('one caller goes on in each turn of the event loop, in the order of the calls', async () => {
	const order: number[] = [];
	let callersOfTurn = 0;
	let most = 0;
	const callers = [1, 2, 3, 4, 5].map(async (caller) => {
		await eventLoopTurn();
		order.push(caller);
		most = Math.max(most, ++callersOfTurn);
		work();
	});
	await countTurns(Promise.all(callers), () => (callersOfTurn = 0));
	expect(order).toEqual([1, 2, 3, 4, 5]);
	expect(most).toBe(1);
});

describe('a generator that runs in steps', () => {
	it('yields to the event loop between two of its steps, and then returns its result', async () => {
		const yields = spyOnYields();
		const counts: number[] = [];
		const steps = function* () {
			counts.push(yields.mock.calls.length);
			yield;
			counts.push(yields.mock.calls.length);
			return 'result';
		};
		expect(await runCooperatively(steps())).toBe('result');
		expect(counts).toEqual([0, 1]);
	});

	it('yields only after the time that it may block', async () => {
		let now = 100;
		jest.spyOn(performance, 'now').mockImplementation(() => now);
		const yields = spyOnYields();
		const counts: number[] = [];
		const steps = function* () {
			for (let step = 1; step <= 7; step++) {
				counts.push(yields.mock.calls.length);
				now += 5;
				yield;
			}
		};
		await runCooperatively(steps(), 15);
		expect(counts).toEqual([0, 0, 0, 1, 1, 1, 2]);
	});

	it('lets the event loop turn even if timers and other generators are always due', async () => {
		let stepsOfTurn = 0;
		let most = 0;
		const steps = function* () {
			for (let step = 1; step <= 20; step++) {
				work();
				most = Math.max(most, ++stepsOfTurn);
				yield;
			}
		};
		const timer = setInterval(work, 1);
		const generators = [1, 2, 3, 4, 5].map(async () => await runCooperatively(steps()));
		await countTurns(Promise.all(generators), () => (stepsOfTurn = 0));
		clearInterval(timer);
		// The first steps of all generators, and one more before the first turn is counted.
		expect(most).toBeLessThanOrEqual(6);
	});
});

describe('yielding between the parts of long work', () => {
	/** Returns whether the function waits for more than promises. */
	async function hasWaited(yieldIfBlocked: () => Promise<void>): Promise<boolean> {
		let hasTicked = false;
		// Runs once no promise is left to go on.
		process.nextTick(() => (hasTicked = true));
		await yieldIfBlocked();
		return hasTicked;
	}

	/** Calls the function at these times, in ms. Returns those of the calls that waited for the event loop. */
	async function waitsAt(times: readonly number[], hasTurned = false): Promise<number[]> {
		await turn();
		const waits: number[] = [];
		let now = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => now);
		const yieldIfBlocked = yieldWhenBlocked(50);
		for (now of times) {
			if (await hasWaited(yieldIfBlocked)) waits.push(now);
			if (hasTurned) for (let turns = 0; turns < 3; turns++) await turn();
		}
		return waits;
	}

	it('waits for the event loop only after it was blocked for the given time', async () => {
		expect(await waitsAt([0, 10, 49, 50, 60, 70, 99, 100])).toEqual([50, 100]);
	});

	it('does not wait while the event loop turns by itself', async () => {
		expect(await waitsAt([0, 60, 120, 180], true)).toEqual([]);
	});

	it('does not queue behind other work if the event loop has turned', async () => {
		let isDone = false;
		const steps = function* () {
			while (!isDone) yield work();
		};
		const rest = Array.from({ length: 20 }, async () => await runCooperatively(steps()));
		const yieldIfBlocked = yieldWhenBlocked(1);
		let waits = 0;
		for (let item = 1; item <= 3; item++) {
			await yieldIfBlocked();
			for (let turns = 0; turns < 3; turns++) await turn();
			if (await hasWaited(yieldIfBlocked)) waits += 1;
		}
		isDone = true;
		await Promise.all(rest);
		expect(waits).toBe(0);
	});
});
