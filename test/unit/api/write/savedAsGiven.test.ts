import type { FieldValue, ValueNote } from '../../../../nodes/api/write/recordContent';
import { contentWithoutKinds, noChanges } from '../../../../nodes/api/write/recordContent';
import { notesOn, notesOnFiles } from '../../../../nodes/api/write/savedAsGiven';
import { kindNamed } from '../../../../nodes/api/sheet/kinds/valueKinds';
import type { KindName } from '../../../../nodes/api/sheet/kinds/valueKind';
import { jsonObject } from '../jsonObject';

/** Returns a saved record in an answer, with the field 1 and another field. */
const recordWith = (saved: unknown) =>
	jsonObject(JSON.stringify({ 2: 'other', ...(saved === undefined ? {} : { 1: saved }) }));

describe('a value that was sent', () => {
	const isNamed = (row: {
		kind?: KindName;
		saved: unknown;
		sent: FieldValue;
		shifted?: boolean;
	}) => {
		const kinds = new Map(row.kind && [['1', kindNamed(row.kind)]]);
		const changes = { ...noChanges(), fields: new Map([['1', row.sent]]) };
		const notes = notesOn(recordWith(row.saved), { changes, kinds }, row.shifted);
		for (const { name, reason } of notes) expect([name, reason]).toEqual(['1', 'notKept']);
		return notes.length > 0;
	};

	const kept: Array<Parameters<typeof isNamed>[0]> = [
		{ kind: 'number', saved: '1,234.50', sent: 1234.5 },
		{ kind: 'number', saved: '0.3', sent: 0.1 + 0.2 },
		{ kind: 'dateTime', saved: '2031/01/31 10:00', sent: '2031/01/31 10:00:41' },
		{ kind: 'checkbox', saved: 'Yes', sent: true },
		{ kind: 'richText', saved: '<b>x</b><br>y', sent: '[b]x[/b]\ny' },
		{ saved: 'a', sent: 'a' },
		{ saved: 1234.5, sent: '1234.5' },
		{ saved: ['b', 'a'], sent: ['a', 'b'] },
		{ saved: 'a, b', sent: ['a', 'b'] },
		{ saved: 'a,b', sent: ['a', 'b'] },
		{ saved: ['a'], sent: 'a' },
		{ saved: ['', 'kq2Ab@a.pdf'], sent: 'kq2Ab@a.pdf' },
		{ saved: '***', sent: 'secret' },
		{ saved: { deep: 1 }, sent: 'x' },
		{ saved: null, sent: '' },
		{ saved: [], sent: '' },
		{ kind: 'number', saved: '0', sent: 0 },
		{ saved: '2031/01/31 18:00:00', sent: '2031/01/31 10:00:00', shifted: true },
	];

	it.each(kept)('a sent value counts as saved: $sent as $saved ($kind)', (row) => {
		expect(isNamed(row)).toBe(false);
	});

	it('several choices, also with commas, count as saved in one text, in any order', () => {
		const choices = ['a', 'b, c', 'd,e', 'f,  g'];
		for (const separator of [',', ', ']) {
			for (const first of choices) {
				const sent = [first, ...choices.filter((choice) => choice !== first)];
				expect(isNamed({ saved: sent.join(separator), sent })).toBe(false);
				expect(isNamed({ saved: choices.join(separator), sent })).toBe(false);
				expect(isNamed({ saved: sent.slice(1).join(separator), sent })).toBe(true);
			}
		}
	});

	const changed: Array<Parameters<typeof isNamed>[0]> = [
		{ kind: 'number', saved: '', sent: 0 },
		{ kind: 'number', saved: 0, sent: '' },
		{ saved: '', sent: false },
		{ saved: '', sent: 'x' },
		{ saved: undefined, sent: 'x' },
		{ saved: 'default', sent: '' },
		{ saved: 'long te', sent: 'long text' },
		{ saved: 'a', sent: ' a\n' },
		{ saved: '1,234.50', sent: 1234.5 },
		{ saved: 'Yes', sent: true },
		{ saved: '612', sent: '0612' },
		{ kind: 'number', saved: '12.3', sent: 12.34 },
		{ kind: 'text', saved: '&lt;b&gt;', sent: '<b>' },
		{ kind: 'richText', saved: '', sent: '[b]x[/b]' },
		{ saved: ['a'], sent: ['a', 'b'] },
		{ saved: ['a', 'c'], sent: ['a', 'b'] },
		{ saved: 'a', sent: ['a', 'b'] },
		{ saved: '2031/01/31 18:00:00', sent: '2031/01/31 10:00:00' },
		{ saved: 'x', sent: '2031/01/31 10:00:00', shifted: true },
		{ saved: '2031/01/31 10:00:00', sent: 'x', shifted: true },
	];

	it.each(changed)('a sent value counts as changed: $sent as $saved ($kind)', (row) => {
		expect(isNamed(row)).toBe(true);
	});

	it('a sent value is not compared with an answer without fields or without a record', () => {
		const changes = { ...noChanges(), fields: new Map([['1', 'x']]) };
		expect(notesOn(undefined, contentWithoutKinds(changes))).toEqual([]);
		expect(notesOn(jsonObject('{"_ragicId": 1}'), contentWithoutKinds(changes))).toEqual([]);
	});

	it('a sent value of a row is compared with that row, or with all rows if it is new', () => {
		const saved = jsonObject('{"1":"x","_subtable_5":{"7":{"1":"a"},"8":{"1":"b"}}}');
		const named = (rowId: string, value: string) => {
			const rows = new Map([['5', new Map([[rowId, new Map([['1', value]])]])]]);
			const content = contentWithoutKinds({ ...noChanges(), subtables: rows });
			return notesOn(saved, content).length > 0;
		};
		expect([named('7', 'a'), named('7', 'b'), named('-1', 'b'), named('-1', 'c')]).toEqual([
			false,
			true,
			false,
			true,
		]);
		const withoutRows = jsonObject('{"1":"x"}');
		const rows = new Map([['5', new Map([['7', new Map([['1', 'a']])]])]]);
		const content = contentWithoutKinds({ ...noChanges(), subtables: rows });
		expect(notesOn(withoutRows, content)).toEqual([]);
	});
});

describe('a value that was left out', () => {
	const isNamed = (saved: unknown, value: unknown, reason: ValueNote['reason'] = 'filledIn') => {
		const note: ValueNote = { name: 'Total', fieldId: '1', reason, value };
		return (
			notesOn(recordWith(saved), { ...contentWithoutKinds(noChanges()), notes: [note] }).length > 0
		);
	};

	it.each([
		{ saved: '12.50', value: 12.5 },
		{ saved: 'Yes', value: true },
		{ saved: '2031/01/31 10:00:00', value: '2031-01-31T10:00:00' },
		{ saved: '<b>a</b>', value: '<b>a</b>' },
		{ saved: '[b]a[/b]', value: '<b>a</b>' },
		{ saved: 'a & b\nc', value: 'a &amp; b<br>c' },
		{ saved: '<b>a</b>', value: '&lt;b&gt;a&lt;/b&gt;' },
		{ saved: '&nbsp;', value: '&amp;nbsp;' },
		{ saved: undefined, value: 'x' },
		{ saved: 'x', value: undefined },
		{ saved: '****', value: 'x' },
	])(
		'a value that was left out has no note if a read may return $saved as $value',
		({ saved, value }) => {
			expect(isNamed(saved, value)).toBe(false);
		},
	);

	it.each([
		{ saved: '12.50', value: 999 },
		{ saved: '<b>a</b>', value: '<i>a</i>' },
		{ saved: 'Deliver before noon', value: '<b>x</b> &amp; y' },
		{ saved: '0612', value: 'x' },
		{ saved: '', value: undefined },
	])(
		'a value that was left out has a note if the record contains $saved, and the item $value',
		({ saved, value }) => {
			expect(isNamed(saved, value)).toBe(true);
		},
	);

	it.each(['noChoice', 'noRow'] as const)(
		'a value that was left out always has a note: %s',
		(reason) => {
			expect(isNamed('x', 'x', reason)).toBe(true);
		},
	);
});

describe('files that were sent', () => {
	const saved = jsonObject(
		JSON.stringify({
			...{ 1: 'k@a.pdf', 2: ['k@a.pdf', 'k@b.pdf'], 3: '' },
			_subtable_7: { 11: { 5: 'k@a.pdf' }, 12: { 5: '' }, 13: { 5: ['k@a.pdf', 'k@b.pdf'] } },
		}),
	);
	const inRow = (rowId: string, fieldId = '5') => ({ fieldId, rowId, subtableId: '7' });

	it.each<[what: string, files: Array<{ fieldId: string; rowId?: string }>, noted: number]>([
		['as many as the field has', [{ fieldId: '1' }], 0],
		['two in a field with two', [{ fieldId: '2' }, { fieldId: '2' }], 0],
		['two in a field with one', [{ fieldId: '1' }, { fieldId: '1' }], 2],
		['one in an empty field', [{ fieldId: '3' }, { fieldId: '1' }], 1],
		['one in a field that is not shown', [{ fieldId: '9' }], 0],
		['one in each of two rows', [inRow('11'), inRow('13')], 0],
		['one in an empty field of a row', [inRow('12'), inRow('11')], 1],
		['one in a new row', [inRow('-1')], 0],
		['three in a new row', [inRow('-1'), inRow('-1'), inRow('-1')], 3],
		['one in a row of an unknown subtable', [{ fieldId: '5', rowId: '12' }], 0],
	])('%s: %j have %d notes', (_, files, noted) => {
		const notes = notesOnFiles(saved, files);
		expect([notes.length, new Set(notes.map(({ reason }) => reason))]).toEqual([
			noted,
			new Set(noted > 0 ? ['notKept'] : []),
		]);
		expect(notesOnFiles(undefined, files)).toEqual([]);
		expect(notesOnFiles(jsonObject('{"Name":""}'), files)).toEqual([]);
	});
});
