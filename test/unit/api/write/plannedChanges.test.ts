import { plannedChanges } from '../../../../nodes/api/write/plannedChanges';
import type { FieldValue, RecordFile } from '../../../../nodes/api/write/recordContent';
import { plain } from '../../../../nodes/api/read/record';
import { jsonObject } from '../jsonObject';

const stored = jsonObject(
	JSON.stringify({
		...{ 1: 'a', 2: 'b', 5: 'old@x.pdf', 6: ['', 'old@y.pdf'], 14: 0, 11: '', 12: [], 13: false },
		_subtable_20: { 7: { 3: 'x', 4: 'y' }, 8: { 3: 'z' }, 9: 'no object' },
	}),
);

interface Setup {
	fields?: Record<string, FieldValue>;
	rows?: Record<string, Record<string, FieldValue>>;
	deleted?: string[];
	files?: Array<Omit<RecordFile, 'file'>>;
	replacesFiles?: boolean;
}

function planned({ fields = {}, rows = {}, deleted = [], files = [], replacesFiles }: Setup) {
	const input = Object.entries(rows).map(
		([id, values]) => [id, new Map(Object.entries(values))] as const,
	);
	const changes = {
		fields: new Map(Object.entries(fields)),
		subtables: new Map([['20', new Map(input)]]),
		deletedRows: new Map([['20', deleted]]),
	};
	const file = { name: 'new.pdf', type: '', size: 0, stream: async function* () {} };
	const content = { changes, files: files.map((place) => ({ ...place, file })), kinds: new Map() };
	const { before, after } = plannedChanges(stored, content, replacesFiles);
	return { before: plain(before), after: plain(after) };
}

it.each<{ title: string; input: Setup; before: object; after: object }>([
	{
		title: 'fields, one of which is not shown',
		input: { fields: { 1: 'c', 9: 'd' } },
		before: { 1: 'a' },
		after: { 1: 'c', 9: 'd' },
	},
	{
		title: 'stored values of 0, an empty text, an empty list and false',
		input: { fields: { 14: 1, 11: 'x', 12: ['y'], 13: true } },
		before: { 14: 0, 11: '', 12: [], 13: false },
		after: { 14: 1, 11: 'x', 12: ['y'], 13: true },
	},
	{
		title: 'a stored row and a new one',
		input: { rows: { 7: { 3: 'c' }, '-1': { 3: 'n' } } },
		before: { _subtable_20: { 7: { 3: 'x' } } },
		after: { _subtable_20: { 7: { 3: 'c' }, '-1': { 3: 'n' } } },
	},
	{
		title: 'several fields of a row',
		input: { rows: { 7: { 3: 'c', 4: 'd' } } },
		before: { _subtable_20: { 7: { 3: 'x', 4: 'y' } } },
		after: { _subtable_20: { 7: { 3: 'c', 4: 'd' } } },
	},
	{
		title: 'a deleted row, as a whole, and rows that do not exist',
		input: { deleted: ['7', '9', '12'] },
		before: { _subtable_20: { 7: { 3: 'x', 4: 'y' } } },
		after: {},
	},
	{
		title: 'a file beside another one',
		input: { files: [{ fieldId: '5' }] },
		before: { 5: 'old@x.pdf' },
		after: { 5: ['old@x.pdf', 'new.pdf'] },
	},
	{
		title: 'a file beside several, the first of which is empty',
		input: { files: [{ fieldId: '6' }] },
		before: { 6: ['', 'old@y.pdf'] },
		after: { 6: ['old@y.pdf', 'new.pdf'] },
	},
	{
		title: 'a file in place of another one',
		input: { files: [{ fieldId: '5' }], replacesFiles: true },
		before: { 5: 'old@x.pdf' },
		after: { 5: ['new.pdf'] },
	},
	{
		title: 'two files in place of another one',
		input: { files: [{ fieldId: '5' }, { fieldId: '5' }], replacesFiles: true },
		before: { 5: 'old@x.pdf' },
		after: { 5: ['new.pdf', 'new.pdf'] },
	},
	{
		title: 'a file in an empty field',
		input: { files: [{ fieldId: '10' }] },
		before: {},
		after: { 10: ['new.pdf'] },
	},
	{
		title: 'a file of a row',
		input: { files: [{ fieldId: '3', rowId: '7', subtableId: '20' }] },
		before: { _subtable_20: { 7: { 3: 'x' } } },
		after: { _subtable_20: { 7: { 3: ['x', 'new.pdf'] } } },
	},
	{
		title: 'a file of a row in an unknown subtable',
		input: { files: [{ fieldId: '3', rowId: '7' }] },
		before: {},
		after: { '3_7': ['new.pdf'] },
	},
])('a write is planned: $title', ({ input, before, after }) => {
	expect(planned(input)).toEqual({ before, after });
});
