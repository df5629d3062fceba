import fc from 'fast-check';
import { recordChanges, type RecordInputRules } from '../../../../nodes/api/write/recordInput';
import { FieldIndex } from '../../../../nodes/api/sheet/fieldIndex';
import { parseInput, type RecordInput } from '../../../../nodes/api/write/parsedInput';
import { InputError } from '../../../../nodes/api/values/inputError';
import { runs } from '../../../amount';

const rules: RecordInputRules = {
	index: new FieldIndex({
		fields: [{ fieldId: '1000021', name: 'Article', subtableId: '2000001' }],
	}),
	kinds: new Map(),
	sheetFields: { observedValues: async () => new Map() },
	clearEmpty: false,
	timeZone: { offsetHours: 0 },
};
const changesOf = async (input: RecordInput) => await recordChanges(parseInput(input), rules);

const givenIds = fc.integer({ min: -6, max: 30 }).filter((id) => id !== 0);
const ids = fc.option(fc.oneof(givenIds, givenIds.map(String)), { nil: undefined });
const arrays = fc
	.uniqueArray(ids, {
		maxLength: 8,
		comparator: (left, right) => left !== undefined && String(left) === String(right),
	})
	.map((rowIds) =>
		rowIds.map((rowId, index) => ({ ...(rowId === undefined ? {} : { _rowId: rowId }), 7: index })),
	);
const objects = fc
	.uniqueArray(givenIds, { maxLength: 4 })
	.map((rowIds) => Object.fromEntries(rowIds.map((rowId) => [rowId, { 7: rowId }])));
const inputs = fc.record({ _subtable_1: arrays, _subtable_2: arrays, _subtable_3: objects });

it('rows without IDs keep their order and values, and get unused negative IDs', async () => {
	await fc.assert(
		fc.asyncProperty(inputs, async (input) => {
			const arrayRows = [...input._subtable_1, ...input._subtable_2];
			const inputRows = [
				...arrayRows.flatMap(({ _rowId }) => (_rowId === undefined ? [] : [String(_rowId)])),
				...Object.keys(input._subtable_3),
			];
			const { subtables } = await changesOf(input);
			const rows = [...(subtables.get('1')?.values() ?? [])];
			expect(rows.map((row) => row.get('7'))).toEqual(input._subtable_1.map((row) => row[7]));
			const all = [...subtables.values()].flatMap((rows) => [...rows.keys()]);
			const made = all.filter((rowId) => !inputRows.includes(rowId));
			expect(all).toHaveLength(arrayRows.length + Object.keys(input._subtable_3).length);
			expect(made).toHaveLength(arrayRows.filter(({ _rowId }) => _rowId === undefined).length);
			expect(new Set(made).size).toBe(made.length);
			for (const rowId of made) expect(rowId).toMatch(/^-[1-9]\d*$/);
		}),
		{ numRuns: runs(200, 2000) },
	);
});

it.each([
	['two rows of one id', ['5', 5].map((_rowId) => ({ _rowId, 7: 1 })), 'the row 5 twice'],
	['an id that is none', [{ _rowId: 'x', 7: 1 }], "'x' in '_subtable_1' is not a row ID"],
	['an id that is no whole number', [{ _rowId: 1.5, 7: 1 }], 'is not a row ID'],
	['an object with a key that is no id', { a: { 7: 1 } }, 'is not a row ID'],
	['rows that are arrays', [[1]], 'must hold rows'],
])('rows are rejected with %s', async (_, rows, message) => {
	const changes = changesOf({ _subtable_1: rows });
	await expect(changes).rejects.toThrow(InputError);
	await expect(changes).rejects.toThrow(message);
});

describe('rows to delete', () => {
	const deleted = async (input: RecordInput) =>
		Object.fromEntries((await changesOf(input)).deletedRows);

	it.each([
		[
			{ _DELSUB_1: [3, '4'], _DELSUB_2: 5 },
			{ 1: ['3', '4'], 2: ['5'] },
		],
		[{ _DELSUB_1: [3], DELSUB_1: [4] }, { 1: ['3', '4'] }],
		[{ _DELSUB_1: [], _DELSUB_2: '', _DELSUB_3: null, _DELSUB_4: [''] }, {}],
	])(
		'rows to delete are given by one ID, several IDs or none, in both spellings: %j',
		async (input, ids) => {
			expect(await deleted(input)).toEqual(ids);
		},
	);

	it.each([[[-1]], ['3,4'], [[{}]], [['x']], [1.5], [[[3, 4]]]])(
		'rows to delete are rejected: %j',
		async (value) => {
			await expect(deleted({ _DELSUB_1: value })).rejects.toThrow(InputError);
		},
	);
});
