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
});
