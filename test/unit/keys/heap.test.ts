import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clearProcessState, processState } from '../../../nodes/api/http/processState';
import { usedHeap } from '../../usedHeap';
import { timeLimit } from '../../timeLimit';
import { bounds, type Bound } from './heap';

const megabyte = 1024 * 1024;

jest.setTimeout(timeLimit(30));

// Drop the code of earlier test files now, not while a cache is measured.
beforeAll(() => usedHeap(10));
beforeEach(() => clearProcessState());
afterEach(() => clearProcessState());

it('each cache of the process has a bound of its heap', () => {
	expect(Object.keys(bounds).sort()).toEqual(Object.keys(processState).sort());
});

const filled = Object.entries(bounds).filter(
	(entry): entry is [keyof typeof processState, Bound] => typeof entry[1] === 'object',
);

it.each(filled)(
	'the page of the soak run tells the bound of the cache %s',
	(name, { megabytes }) => {
		const rows = readFileSync(join(__dirname, '../../soak/README.md'), 'utf8').split('\n');
		const row = rows.find((line) => line.startsWith(`| \`${name}\` |`));
		expect(row?.split('|').at(-2)?.trim()).toBe(`${megabytes} MB`);
	},
);

/** Returns the heap of a full cache in MB: the memory that it releases, because memory of earlier tests may become free while it fills. */
async function heapOf(name: keyof typeof processState, bound: Bound): Promise<number> {
	const { maxEntries = processState[name].maxEntries, fill } = bound;
	const { sample = maxEntries } = bound;
	for (let index = 0; index < sample; index++) await fill(index);
	const before = usedHeap(1);
	clearProcessState();
	return (((before - usedHeap(1)) / sample) * maxEntries) / megabyte;
}

it.each(filled)('the cache %s takes at most its bound when it is full', async (name, bound) => {
	const { megabytes } = bound;
	let full = await heapOf(name, bound);
	// Other memory may become free at the same moment, but not each time.
	for (let attempt = 1; attempt < 3 && full >= megabytes; attempt++) {
		full = Math.min(full, await heapOf(name, bound));
	}
	expect(full).toBeLessThan(megabytes);
	// The bound is what the page tells, so it must not be far away. 1 MB is the smallest one.
	expect(full).toBeGreaterThan(megabytes > 1 ? megabytes / 5 : 0);
});
