import fc from 'fast-check';
import { ProcessMemory } from '../../../../../nodes/api/read/memory/processMemory';
import { normalForms } from '../../../../../nodes/api/read/memory/writtenValues';
import { passTime, withPassingTime } from '../../passingTime';

const [sheet, otherSheet] = ['sheet', 'other sheet'];
const minute = 60_000;

/** Returns the records of the sheet that may match values, by field ID. */
function found(memory: ProcessMemory, values: Record<string, string>): string[] {
	const key = Object.entries(values).map(([id, value]) => [id, normalForms(value)] as const);
	return memory.find(sheet, new Map(key)).sort();
}

/** Model of a comparison: unknown if nothing is known of the field, or if it was left empty, because it may be filled in. */
function matchesWritten(written: readonly string[] | undefined, forms: readonly string[]) {
	if (written?.some((form) => forms.includes(form))) return 'yes';
	return written === undefined || written.includes('') ? 'unknown' : 'no';
}

withPassingTime();

describe('the records that a process knows', () => {
	it('the records that were written longest ago are dropped first', () => {
		// A record with one short value counts as less than 1,000 bytes.
		const memory = new ProcessMemory(10_000);
		memory.addWritten(sheet, 'often', [['7', 'first']]);
		memory.addWritten(sheet, 'once', [['7', 'first']]);
		for (let id = 1; id <= 8; id++) memory.addWritten(sheet, `${id}`, [['7', 'other']]);
		memory.addWritten(sheet, 'often', [['7', 'again']]);
		for (let id = 9; id <= 14; id++) memory.addWritten(otherSheet, `${id}`, [['7', 'other']]);
		expect(memory.formsOf(sheet, 'often', '7')).toEqual(['again']);
		expect(memory.formsOf(sheet, 'once', '7')).toBeUndefined();
	});

	it('deletions are dropped by the same budget', () => {
		const memory = new ProcessMemory(10_000);
		for (let id = 1; id <= 100; id++) memory.addGone(sheet, `${id}`, 'user');
		expect(memory.goneFor(sheet, '1').size).toBe(0);
		expect(memory.goneFor(sheet, '100').size).toBe(1);
		expect(memory.size).toBeLessThan(20);
	});

	it('a record is known for an hour after its last write, and is dropped by the use of another sheet', () => {
		const memory = new ProcessMemory();
		memory.addWritten(sheet, '1', [['7', 'value']]);
		passTime(59 * minute);
		expect(found(memory, { 7: 'value' })).toEqual(['1']);
		memory.addWritten(sheet, '2', [['7', 'value']]);
		passTime(minute);
		expect(found(memory, { 7: 'value' })).toEqual(['2']);
		passTime(60 * minute);
		memory.find(otherSheet, new Map());
		expect(memory.size).toBe(0);
	});

	it('a record that is gone for a user is so until it is written again', () => {
		const memory = new ProcessMemory();
		memory.addGone(sheet, '1', 'a');
		memory.addGone(sheet, '1', 'b');
		expect([...memory.goneFor(sheet, '1')]).toEqual(['a', 'b']);
		expect(memory.goneFor(otherSheet, '1').size).toBe(0);
		memory.addWritten(sheet, '1', [['7', 'restored']]);
		expect(memory.goneFor(sheet, '1').size).toBe(0);
	});

	it('records of another sheet are not found', () => {
		const memory = new ProcessMemory();
		memory.addWritten(otherSheet, '1', [['7', 'value']]);
		expect(found(memory, { 7: 'value' })).toEqual([]);
	});

	it('a record is found by its last value only', () => {
		const memory = new ProcessMemory();
		expect(found(memory, { 7: 'value 1' })).toEqual([]);
		for (let count = 1; count <= 1_000; count++) {
			memory.addWritten(sheet, '1', [['7', `value ${count}`]]);
		}
		const values = ['value 1000', 'value 999', 'value 1'];
		expect(values.map((value) => found(memory, { 7: value }))).toEqual([['1'], [], []]);
	});

	it.each([
		{ first: 'A', second: 'B', isFound: true, of: 'both values match' },
		{ first: 'A', second: undefined, isFound: true, of: 'one value is unknown' },
		{ first: undefined, second: 'B', isFound: true, of: 'the other value is unknown' },
		{ first: 'A', second: '', isFound: true, of: 'one value was left empty' },
		{ first: 'A', second: 'C', isFound: false, of: 'one value differs' },
		{ first: undefined, second: undefined, isFound: false, of: 'no value is known' },
	])('a record may match a key of two fields if $of: $isFound', ({ first, second, isFound }) => {
		const memory = new ProcessMemory();
		memory.addWritten(sheet, '1', first === undefined ? [] : [['7', first]]);
		// The index of the first field exists when the second field is written.
		found(memory, { 7: 'A', 8: 'B' });
		memory.addWritten(sheet, '1', second === undefined ? [] : [['8', second]]);
		expect(found(memory, { 7: 'A', 8: 'B' })).toEqual(isFound ? ['1'] : []);
	});

	it('the records that may match a key are those that a search of all written records finds', () => {
		const step = fc.record({
			type: fc.constantFrom('write', 'write', 'delete', 'lookUp'),
			recordId: fc.constantFrom('1', '2'),
			fieldId: fc.constantFrom('7', '8'),
			value: fc.constantFrom('', 'A', 'a', 'B'),
		});
		const steps = fc.array(step, { minLength: 5, maxLength: 30 });
		const fieldIds = fc.subarray(['7', '8'], { minLength: 1 });
		const values = fc.constantFrom(['A', 'A'], ['A', 'B'], ['B', 'A']);
		fc.assert(
			fc.property(steps, fieldIds, values, (all, ids, key) => {
				const memory = new ProcessMemory();
				for (const { type, recordId, fieldId, value } of all) {
					if (type === 'write') memory.addWritten(sheet, recordId, [[fieldId, value]]);
					if (type === 'delete') memory.addGone(sheet, recordId, 'user');
					// A look-up makes an index, which later steps must keep up to date.
					if (type === 'lookUp') found(memory, { [fieldId]: value });
				}
				const input = ids.map((id, index) => [id, normalForms(key[index])] as const);
				const expected = ['1', '2'].filter((recordId) => {
					const answers = input.map(([id, forms]) =>
						matchesWritten(memory.formsOf(sheet, recordId, id), forms),
					);
					return answers.includes('yes') && !answers.includes('no');
				});
				expect(memory.find(sheet, new Map(input)).sort()).toEqual(expected);
			}),
		);
	});

	it.each([
		{ written: ['A'], value: 'A', match: 'yes' },
		{ written: ['A'], value: 'B', match: 'no' },
		{ written: ['A', 'B'], value: 'A', match: 'yes' },
		{ written: ['5.0'], value: '5', match: 'yes' },
		{ written: [''], value: 'B', match: 'unknown' },
		{ written: [], value: 'B', match: 'unknown' },
		{ written: undefined, value: 'B', match: 'unknown' },
	])('the written value $written matches $value: $match', ({ written, value, match }) => {
		const memory = new ProcessMemory();
		memory.addWritten(sheet, '1', [['8', 'other']]);
		if (written) memory.addWritten(sheet, '1', [['7', written]]);
		expect(found(memory, { 7: value })).toEqual(match === 'yes' ? ['1'] : []);
		expect(found(memory, { 7: value, 8: 'other' })).toEqual(match === 'no' ? [] : ['1']);
	});

	it('a search by two fields compares only the records with the rarer value', () => {
		const memory = new ProcessMemory();
		const written = (number: number) => ({ 7: 'same company', 8: String(number) });
		const add = (number: number) =>
			memory.addWritten(sheet, String(number), Object.entries(written(number)));
		for (let number = 1; number <= 3_000; number++) add(number);
		const has = jest.spyOn(Set.prototype, 'has');
		expect(found(memory, written(1_500))).toEqual(['1500']);
		expect(has.mock.calls.length).toBeLessThan(20);
		has.mockRestore();
	});
});
