import { usedHeap } from '../../../../usedHeap';
import { timeLimit } from '../../../../timeLimit';
import { ProcessMemory } from '../../../../../nodes/api/read/memory/processMemory';
import { normalForms } from '../../../../../nodes/api/read/memory/writtenValues';

const sheet = 'sheet';
const megabyte = 1024 * 1024;

/** Writes records with this number of fields of 100 characters. Each value is another text, as in answers of the service. */
function writeWide(memory: ProcessMemory, sheetKey: string, count: number, fields: number): void {
	for (let id = 1; id <= count; id++) {
		const values = Array.from({ length: fields }, (_, field) => {
			const text = `${sheetKey} ${id} ${field} `.padEnd(100, 'lower case ');
			return [`${1_000_000 + field}`, JSON.parse(JSON.stringify(text))] as [string, string];
		});
		memory.addWritten(sheetKey, `${id}`, [], new Map(values));
	}
}

describe('the memory that the known records take', () => {
	const { now: realNow } = performance;
	afterEach(() => {
		performance.now = realNow;
	});
	// A spy would store each of its calls, which takes memory.

	// Writes 2,400 records with 200 fields.
	jest.setTimeout(timeLimit(60));

	it('stays within its budget with wide records, and ends with their age', () => {
		const before = usedHeap();
		const memory = new ProcessMemory();
		for (const name of ['a', 'b', 'c']) writeWide(memory, name, 800, 200);
		memory.find('c', new Map([['1000007', ['x']]]));
		const full = usedHeap();
		expect(full - before).toBeLessThan(36 * megabyte);
		const now = performance.now() + 60 * 60_000;
		performance.now = () => now;
		memory.find(sheet, new Map());
		const expired = usedHeap();
		expect(expired - before).toBeLessThan(2 * megabyte);
		expect(full - expired).toBeGreaterThan(15 * megabyte);
	});

	it('stays within its budget with narrow records that are searched by a field', () => {
		const before = usedHeap();
		const memory = new ProcessMemory();
		memory.find(sheet, new Map([['1000000', ['x']]]));
		for (let id = 1; id <= 100_000; id++) {
			memory.addWritten(sheet, `${id}`, [['1000000', `key ${id}`]]);
			if (id === 1) memory.find(sheet, new Map([['1000000', ['x']]]));
		}
		expect(usedHeap() - before).toBeLessThan(36 * megabyte);
	});

	it.each([
		{ kept: 'a long text', length: 100_000 },
		{ kept: 'a text that was cut from a longer one', length: 150 },
	])('has no room for $kept', ({ length }) => {
		const memory = new ProcessMemory();
		const before = usedHeap();
		for (let id = 0; id < 100; id++) {
			// Lower case, because converting it would make a copy.
			const [text = ''] = JSON.parse(JSON.stringify([`${id}`.padEnd(100_000, 'lower case ')]));
			const value = text.slice(0, length);
			memory.addWritten(sheet, `${id}`, [['7', value]]);
			memory.find(sheet, new Map([['7', normalForms(value)]]));
		}
		expect(usedHeap() - before).toBeLessThan(1_000_000);
		expect(memory.formsOf(sheet, '99', '7')).toHaveLength(1);
	});

	it('an index has no entries of dropped records', () => {
		const before = usedHeap();
		const memory = new ProcessMemory(100_000);
		for (let id = 1; id <= 30_000; id++) {
			memory.addWritten(sheet, `${id}`, [['7', 'open']]);
			if (id % 1_000 === 0) memory.find(sheet, new Map([['7', ['open']]]));
		}
		expect(memory.find(sheet, new Map([['7', ['open']]])).length).toBe(memory.size);
		expect(usedHeap() - before).toBeLessThan(1_000_000);
	});
});
