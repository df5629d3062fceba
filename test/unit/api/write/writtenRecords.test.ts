import fc from 'fast-check';
import {
	WrittenRecords,
	matchesWritten,
	normalForms,
} from '../../../../nodes/api/write/writtenRecords';

/** Writes this number of further records. */
function addOthers(written: WrittenRecords, count: number, from = 1): void {
	for (let id = from; id < from + count; id++) written.add(`other ${id}`, [['7', `value ${id}`]]);
}

describe('records written by this process', () => {
	it('the latest written records are remembered by their last write, not by their first', () => {
		const written = new WrittenRecords();
		written.add('often', [['7', 'first']]);
		written.add('once', [['7', 'first']]);
		addOthers(written, 1_998);
		written.add('often', [['7', 'again']]);
		addOthers(written, 1, 5_000);
		expect(written.recordIds).toHaveLength(2_000);
		expect(written.formsOf('often', '7')).toContain('again');
		expect(written.formsOf('once', '7')).toBeUndefined();
	});

	it('a deleted record is not a written record until it is written again', () => {
		const written = new WrittenRecords();
		written.add('1', [['7', 'value']]);
		written.addDeleted('1');
		expect([written.isDeleted('1'), written.recordIds]).toEqual([true, []]);
		written.add('1', [['7', 'restored']]);
		expect([written.isDeleted('1'), written.recordIds]).toEqual([false, ['1']]);
	});

	it('the latest 2,000 deletions are remembered', () => {
		const written = new WrittenRecords();
		for (let id = 0; id <= 2_000; id++) written.addDeleted(`${id}`);
		expect(['0', '1', '2000'].map((id) => written.isDeleted(id))).toEqual([false, true, true]);
	});

	it.each([
		{ written: ['A'], given: 'A', answer: 'yes' },
		{ written: ['A'], given: 'B', answer: 'no' },
		{ written: ['5.0'], given: '5', answer: 'yes' },
		{ written: [''], given: 'B', answer: 'unknown' },
		{ written: [], given: 'B', answer: 'unknown' },
		{ written: undefined, given: 'B', answer: 'unknown' },
	])('the written value $written matches $given: $answer', ({ written, given, answer }) => {
		const forms = written && normalForms(written);
		expect(matchesWritten(forms, normalForms(given))).toBe(answer);
	});

	it('the records that may match a key are those that a search of all written records finds', () => {
		const recordId = fc.constantFrom('1', '2', '3', '4');
		const fieldId = fc.constantFrom('7', '8');
		const value = fc.constantFrom('', 'A', 'a', 'B', '5', '5.0');
		const step = fc.oneof(
			fc.record({ type: fc.constant('write'), recordId, fieldId, value }),
			fc.record({ type: fc.constant('delete'), recordId, fieldId, value }),
			fc.record({ type: fc.constant('lookUp'), recordId, fieldId, value }),
		);
		const key = fc.record({ 7: value, 8: value });
		const steps = fc.array(step, { maxLength: 30 });
		fc.assert(
			fc.property(
				steps,
				key,
				fc.subarray(['7', '8'] as const, { minLength: 1 }),
				(all, of, ids) => {
					const written = new WrittenRecords();
					for (const { type, recordId, fieldId, value } of all) {
						if (type === 'write') written.add(recordId, [[fieldId, value]]);
						if (type === 'delete') written.addDeleted(recordId);
						// A look-up makes an index, which later steps must keep up to date.
						if (type === 'lookUp') written.candidates([fieldId], [normalForms(value)]);
					}
					const forms = ids.map((id) => normalForms(of[id]));
					const expected = written.recordIds.filter((recordId) => {
						const answers = ids.map((id, index) =>
							matchesWritten(written.formsOf(recordId, id), forms[index]),
						);
						return answers.includes('yes') && !answers.includes('no');
					});
					expect(written.candidates(ids, forms).sort()).toEqual(expected.sort());
				},
			),
		);
	});

	it('a record is found by its last value after more values than an index holds', () => {
		const written = new WrittenRecords();
		const found = (value: string) => written.candidates(['7'], [normalForms(value)]);
		expect(found('value 1')).toEqual([]);
		for (let count = 1; count <= 20_000; count++) written.add('1', [['7', `value ${count}`]]);
		expect([found('value 20000'), found('value 19999'), found('value 1')]).toEqual([['1'], [], []]);
	});
});
