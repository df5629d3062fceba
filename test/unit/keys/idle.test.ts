import { setTimeout as wait } from 'node:timers/promises';
import { clearProcessState, ProcessCache } from '../../../nodes/api/http/processState';
import { processMemory } from '../../../nodes/api/read/memory/processMemory';
import { timeLimit } from '../../timeLimit';
import { usedHeap } from '../../usedHeap';
import { bounds } from './heap';

const megabyte = 1024 * 1024;
const sheetCount = 20;
const recordCount = 1_000;

jest.setTimeout(timeLimit(60));

const { now: realNow } = performance;
// Drop the code of earlier test files now, not during the measurement.
beforeAll(() => usedHeap(10));
beforeEach(() => clearProcessState());
afterEach(() => {
	performance.now = realNow;
	clearProcessState();
});

/** Fills the caches of fields and of written records. Each text is stored once, as in answers of the service. */
async function work(): Promise<void> {
	const { sheetFields } = bounds;
	if (typeof sheetFields === 'string') throw new Error('The cache of fields has no bound');
	for (let index = 0; index < sheetCount; index++) await sheetFields.fill(index);
	for (let id = 1; id <= recordCount; id++) {
		const text = (field: number) => `${id} ${field} `.padEnd(100, 'lower case ');
		const fields = Array.from({ length: 100 }, (_, field): [string, string] => [
			`${1_000_000 + field}`,
			JSON.parse(JSON.stringify(text(field))),
		]);
		processMemory().addWritten('sheet', `${id}`, [], new Map(fields));
	}
}

/**
 * Returns the heap after garbage collections, and after the work that they start, which may come much later on a busy machine. Ends
 * when the heap is idle, because a collection takes long.
 */
async function idleHeap(isIdle: (heap: number) => boolean): Promise<number> {
	for (let collection = 0; collection < 30 && !isIdle(usedHeap()); collection++) await wait(5);
	return usedHeap();
}

/** Returns a function that returns whether the heap has not become smaller in five calls: on a busy machine, a pause is no end. */
function whenStable(): (heap: number) => boolean {
	let lowest = Infinity;
	let unchanged = 0;
	return (heap) => {
		unchanged = lowest - heap < megabyte / 10 ? unchanged + 1 : 0;
		lowest = Math.min(lowest, heap);
		return unchanged === 5;
	};
}

it('an idle process frees the fields and the written records after an hour, without any use', async () => {
	// The first time, code is compiled, which stays.
	await work();
	clearProcessState();
	const before = await idleHeap(whenStable());
	await work();
	const full = await idleHeap(whenStable());
	expect(full - before).toBeGreaterThan(10 * megabyte);

	const later = performance.now() + 60 * 60_000;
	performance.now = () => later;
	const isFreed = (heap: number) => heap - before < megabyte;
	expect(isFreed(await idleHeap(isFreed))).toBe(true);
});

it('an idle process keeps what is not an hour old', async () => {
	await work();
	const later = performance.now() + 59 * 60_000;
	performance.now = () => later;
	const drop = jest.spyOn(ProcessCache.prototype, 'dropExpired');
	await idleHeap(() => drop.mock.calls.length > 0);
	expect(drop).toHaveBeenCalled();
	drop.mockRestore();
	expect(processMemory().size).toBe(recordCount);
});
