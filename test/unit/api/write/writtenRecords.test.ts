import fc from 'fast-check';
import { usedHeap } from '../../../engine/usedHeap';
import {
	WrittenRecords,
	matchesWritten,
	normalForms,
} from '../../../../nodes/api/write/writtenRecords';

/** Digest of a user. */
const user = 'user';

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
		const latest = [...Array(1_998).keys()].map((index) => `other ${index + 1}`);
		const isKnown = (id: string) => written.formsOf(id, '7') !== undefined;
		expect([...latest, 'other 5000', 'often'].filter(isKnown)).toHaveLength(2_000);
		expect(written.formsOf('often', '7')).toContain('again');
		expect(written.formsOf('once', '7')).toBeUndefined();
	});

	it('a record that is gone for a user stays a candidate for others, until it is written again', () => {
		const written = new WrittenRecords();
		const found = (user: string) => written.candidates(['7'], [normalForms('value')], user);
		written.add('1', [['7', 'value']]);
		written.addDeleted('1', 'a');
		expect([found('a'), found('b')]).toEqual([[], ['1']]);
		expect([written.isDeleted('1', 'a'), written.isDeleted('1', 'b')]).toEqual([true, false]);
		expect(written.mayBeDeleted('1')).toBe(true);
		written.add('1', [['8', 'restored']]);
		expect([written.isDeleted('1', 'a'), found('a')]).toEqual([false, ['1']]);
	});

	it('a returned mask does not replace the value that was written', () => {
		const written = new WrittenRecords();
		written.add('1', [['7', 'value']]);
		written.add('1', [['8', 'x']], new Map([['7', '****']]));
		expect(written.formsOf('1', '7')).toEqual(['value']);
	});

	it('the latest 2,000 deletions are remembered', () => {
		const written = new WrittenRecords();
		for (let id = 0; id <= 2_000; id++) written.addDeleted(`${id}`, user);
		expect(['0', '1', '2000'].map((id) => written.isDeleted(id, user))).toEqual([
			false,
			true,
			true,
		]);
	});

	it.each([
		{ written: ['A'], given: 'A', answer: 'yes' },
		{ written: ['A'], given: 'B', answer: 'no' },
		{ written: ['A', 'B'], given: 'A', answer: 'yes' },
		{ written: ['5.0'], given: '5', answer: 'yes' },
		{ written: [''], given: 'B', answer: 'unknown' },
		{ written: [], given: 'B', answer: 'unknown' },
		{ written: undefined, given: 'B', answer: 'unknown' },
	])('the written value $written matches $given: $answer', ({ written, given, answer }) => {
		const forms = written && normalForms(written);
		expect(matchesWritten(forms, normalForms(given))).toBe(answer);
	});

	it.each([
		{ returned: 'returned', forms: ['sent', 'returned'] },
		{ returned: null, forms: ['sent'] },
		{ returned: undefined, forms: ['sent'] },
	])('a value that is returned as $returned has the forms $forms', ({ returned, forms }) => {
		const written = new WrittenRecords();
		const saved = returned === undefined ? undefined : new Map([['7', returned]]);
		written.add('1', [['7', 'sent']], saved);
		expect(written.formsOf('1', '7')).toEqual(forms);
	});

	it.each([
		{ kept: 'a long text', length: 100_000 },
		{ kept: 'a text that was cut from a longer one', length: 150 },
	])('$kept is not kept in memory', ({ length }) => {
		const written = new WrittenRecords();
		const before = usedHeap();
		for (let id = 0; id < 100; id++) {
			// Lower case, because converting it would make a copy.
			const [text = ''] = JSON.parse(JSON.stringify([`${id}`.padEnd(100_000, 'lower case ')]));
			const value = text.slice(0, length);
			written.add(`${id}`, [['7', value]]);
			written.candidates(['7'], [normalForms(value)], user);
		}
		expect(usedHeap() - before).toBeLessThan(1_000_000);
		expect(written.formsOf('99', '7')).toHaveLength(1);
	});

	it('records that are no longer remembered take no memory in an index', () => {
		const written = new WrittenRecords();
		const before = usedHeap();
		for (let id = 1; id <= 100_000; id++) {
			written.add(`${id}`, [['7', 'open']]);
			if (id % 1_000 === 0) written.candidates(['7'], [['open']], user);
		}
		expect(written.candidates(['7'], [['open']], user)).toHaveLength(2_000);
		expect(usedHeap() - before).toBeLessThan(3_000_000);
	});

	it('texts are compared by their first 200 characters', () => {
		const [same, other] = ['a'.repeat(200), `b${'a'.repeat(199)}`];
		expect(normalForms(`${same}1`)).toEqual(normalForms(`${same}2`));
		expect(normalForms(`${same}1`)).not.toEqual(normalForms(`${other}1`));
		expect(normalForms('a'.repeat(199))).not.toEqual(normalForms(same));
	});

	it.each([
		{ returned: 'B', forms: ['a', 'b'], of: 'one of the written choices' },
		{ returned: 'C', forms: ['c'], of: 'another value' },
	])('a returned value that is $of gives the forms $forms', ({ returned, forms }) => {
		const written = new WrittenRecords();
		written.add('1', [['7', ['A', 'B']]]);
		written.add('1', [], new Map([['7', returned]]));
		expect(written.formsOf('1', '7')).toEqual(forms);
	});

	it.each([
		{ first: 'A', second: 'B', found: true, of: 'both values match' },
		{ first: 'A', second: undefined, found: true, of: 'one value is unknown' },
		{ first: undefined, second: 'B', found: true, of: 'the other value is unknown' },
		{ first: 'A', second: '', found: true, of: 'one value was left empty' },
		{ first: 'A', second: 'C', found: false, of: 'one value differs' },
		{ first: undefined, second: undefined, found: false, of: 'no value is known' },
	])('a record may match a key of two fields if $of: $found', ({ first, second, found }) => {
		const written = new WrittenRecords();
		written.add('1', first === undefined ? [] : [['7', first]]);
		// The index of the first field exists when the second field is written.
		const search = () => written.candidates(['7', '8'], [normalForms('A'), normalForms('B')], user);
		search();
		written.add('1', second === undefined ? [] : [['8', second]]);
		expect(search()).toEqual(found ? ['1'] : []);
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
				const written = new WrittenRecords();
				for (const { type, recordId, fieldId, value } of all) {
					if (type === 'write') written.add(recordId, [[fieldId, value]]);
					if (type === 'delete') written.addDeleted(recordId, user);
					// A look-up makes an index, which later steps must keep up to date.
					if (type === 'lookUp') written.candidates([fieldId], [normalForms(value)], user);
				}
				const forms = key.map((text) => normalForms(text));
				const expected = ['1', '2'].filter((recordId) => {
					if (written.isDeleted(recordId, user)) return false;
					const answers = ids.map((id, index) =>
						matchesWritten(written.formsOf(recordId, id), forms[index]),
					);
					return answers.includes('yes') && !answers.includes('no');
				});
				expect(written.candidates(ids, forms, user).sort()).toEqual(expected.sort());
			}),
		);
	});

	it('a record is found by its last value after more values than an index holds', () => {
		const written = new WrittenRecords();
		const found = (value: string) => written.candidates(['7'], [normalForms(value)], user);
		expect(found('value 1')).toEqual([]);
		for (let count = 1; count <= 20_000; count++) written.add('1', [['7', `value ${count}`]]);
		expect([found('value 20000'), found('value 19999'), found('value 1')]).toEqual([['1'], [], []]);
	});
});
