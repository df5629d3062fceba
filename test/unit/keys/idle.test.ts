import { setImmediate as nextTurn } from 'node:timers/promises';
import { clearProcessState } from '../../../nodes/api/http/processState';
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

/** Returns the heap after garbage collections, and after the work that they start, which may come some turns later. */
async function idleHeap(): Promise<number> {
	for (let collection = 0; collection < 10; collection++) {
		usedHeap();
		await nextTurn();
	}
	return usedHeap();
}

it('an idle process frees the fields and the written records after an hour, without any use', async () => {
	// The first time, code is compiled, which stays.
	await work();
	clearProcessState();
	const before = await idleHeap();
	await work();
	const full = await idleHeap();
	expect(full - before).toBeGreaterThan(10 * megabyte);

	const later = performance.now() + 60 * 60_000;
	performance.now = () => later;
	expect((await idleHeap()) - before).toBeLessThan(megabyte);
});

it('an idle process keeps what is not an hour old', async () => {
	await work();
	const later = performance.now() + 59 * 60_000;
	performance.now = () => later;
	await idleHeap();
	expect(processMemory().size).toBe(recordCount);
});
