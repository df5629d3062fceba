import {
	notesOnAbsentRows,
	createWithRows,
	isInStoredRow,
	requireChangedRows,
	rowsAt,
	updateWithRows,
} from '../../../../nodes/api/rows/checkedRows';
import type {
	FieldValue,
	RecordContent,
	RecordFile,
} from '../../../../nodes/api/write/recordContent';
import { StoredRecord } from '../../../../nodes/api/write/storedRecord';
import { jsonObject } from '../jsonObject';
import { file, record, refused, RowService, saved, withRows } from './rowService';

const stored = jsonObject(
	JSON.stringify({
		...{ 1: 'a', _subtable_61: { 7: { 3: 'comment' } } },
		_subtable_20: { 7: { 2: 'x' }, 8: 'no object' },
		_subtable_30: { 7: { 3: 'y' } },
	}),
);

interface Setup {
	fields?: Record<string, FieldValue>;
	/** Rows of the subtable 20. */
	rows?: Record<string, Record<string, FieldValue>>;
	deleted?: string[];
	files?: RecordFile[];
	overrides?: Partial<RecordContent>;
}

function contentOf({
	fields = {},
	rows = {},
	deleted = [],
	files = [],
	overrides,
}: Setup): RecordContent {
	const input = Object.entries(rows).map(
		([id, values]) => [id, new Map(Object.entries(values))] as const,
	);
	return {
		changes: {
			fields: new Map(Object.entries(fields)),
			subtables: new Map(input.length > 0 ? [['20', new Map(input)]] : []),
			deletedRows: new Map(deleted.length > 0 ? [['20', deleted]] : []),
		},
		files,
		kinds: new Map(),
		...overrides,
	};
}

it.each([
	{ title: 'of a known subtable', place: { fieldId: '3', subtableId: '20' }, found: ['20'] },
	{ title: 'with the field', place: { fieldId: '3' }, found: ['30'] },
	{ title: 'without the field', place: { fieldId: '9' }, found: ['20', '30'] },
	{
		title: 'of a subtable that is not shown',
		place: { fieldId: '3', subtableId: '40' },
		found: [],
	},
])('the rows with an ID are found, without comments: $title', ({ place, found }) => {
	const rows = rowsAt(stored, { ...place, rowId: '7' });
	expect(rows.map(({ subtableId }) => subtableId)).toEqual(found);
	expect(rowsAt(stored, { ...place, rowId: '8' })).toEqual([]);
});

it.each([
	{ rowId: undefined, isSo: false },
	{ rowId: '-1', isSo: false },
	{ rowId: '7', isSo: true },
])('a file for the row $rowId belongs to an existing row: $isSo', ({ rowId, isSo }) => {
	expect(isInStoredRow({ fieldId: '2', rowId })).toBe(isSo);
});

it('a changed row must exist', () => {
	const change = contentOf({ rows: { '-1': { 2: 'n' }, 7: { 2: 'a' }, 9: { 2: 'b' } } });
	expect(() => requireChangedRows(record, stored, change)).toThrow('no row 9 in the subtable 20');
	const upload = contentOf({ files: [{ fieldId: '2', rowId: '9', file }] });
	expect(() => requireChangedRows(record, stored, upload)).toThrow('no row 9 in the subtables');
	const newAndChanged = { rows: { 7: { 2: 'a' } }, files: [{ fieldId: '2', rowId: '-1', file }] };
	expect(() => requireChangedRows(record, stored, contentOf(newAndChanged))).not.toThrow();
});

it('rows to delete that do not exist are reported', () => {
	const { changes } = contentOf({ deleted: ['7', '12'] });
	expect(notesOnAbsentRows(stored, changes)).toEqual([
		{ name: 'row 12 of _subtable_20', reason: 'noRow' },
	]);
	expect(notesOnAbsentRows(jsonObject('{}'), changes)).toHaveLength(2);
});

describe('a record that is updated with its rows', () => {
	async function updated(service: RowService, input: Setup) {
		const client = await service.connect();
		return await updateWithRows(client, new StoredRecord(client, record), contentOf(input), {});
	}

	it('is written in one request, and not read if the answer contains it', async () => {
		const service = new RowService([], [saved(withRows({ 7: { 2: 'b' } }))]);
		const { notes, warning } = await updated(service, { rows: { 7: { 2: 'b' } } });
		expect(service.writes).toEqual([{ _subtable_20: { 7: { 2: 'b' } } }]);
		expect(service.reads).toBe(0);
		expect({ notes, warning }).toEqual({ notes: [], warning: undefined });
	});

	it.each([
		{ words: ['Stock is low', 'Check it'], warning: /Stock is low.*Check it/ },
		{ words: ['Stock is low', ''], warning: /Stock is low/ },
		{ words: ['', 'Check it'], warning: /Check it/ },
		{ words: ['', ''], warning: undefined },
	])(
		'has the warnings of both requests if its deletions are sent by themselves: $words',
		async (row) => {
			const [first = '', second = ''] = row.words;
			const withWords = (warning: string, rows: object) => ({
				body: { status: 'SUCCESS', svcId: 5, warning, data: withRows(rows) },
			});
			const service = new RowService(
				[withRows({ 7: {} })],
				[refused(101), withWords(first, { 7: {} }), withWords(second, {})],
			);
			const { warning } = await updated(service, { fields: { 1: 'b' }, deleted: ['7'] });
			expect(service.writes).toHaveLength(3);
			if (row.warning) expect(warning).toMatch(row.warning);
			else expect(warning).toBeUndefined();
		},
	);

	it('reports rows to delete that did not exist before the write', async () => {
		const service = new RowService([withRows({ 7: {} })], [saved(withRows({}))]);
		const { notes } = await updated(service, { deleted: ['7', '12'] });
		expect(notes).toEqual([{ name: 'row 12 of _subtable_20', reason: 'noRow' }]);
		expect(service.writes).toEqual([{ _DELSUB_20: [7, 12] }]);
	});

	it('is not read before the write if it was compared already', async () => {
		const service = new RowService([withRows({ 7: {} })], [saved(withRows({}))]);
		const { notes } = await updated(service, { deleted: ['12'], overrides: { isCompared: true } });
		expect(notes).toEqual([]);
		expect(service.reads).toBe(0);
	});

	it('is written although it cannot be read before', async () => {
		const service = new RowService([], [saved(withRows({}))]);
		const { notes } = await updated(service, { deleted: ['12'] });
		expect(notes).toEqual([]);
		expect(service.writes).toHaveLength(1);
	});

	it('causes an error if a changed row is missing afterwards, and the rest is saved', async () => {
		const service = new RowService([withRows({ 8: {} })], [saved(withRows({ 8: {} }))]);
		const update = updated(service, { rows: { 7: { 2: 'b' } } });
		await expect(update).rejects.toMatchObject({
			message: 'There is no row 7 in the subtable 20 of record 5',
			details: { description: 'Whatever else was to be written is saved.' },
		});
		expect(service.reads).toBe(1);
	});

	it('causes no error if another read returns the changed row', async () => {
		const service = new RowService([withRows({ 7: {} })], [saved(withRows({}))]);
		expect(await updated(service, { rows: { 7: { 2: 'b' } } })).toMatchObject({ recordId: '5' });
	});

	it('counts as written if it cannot be read after the write', async () => {
		const service = new RowService([], [saved()]);
		expect(await updated(service, { rows: { 7: { 2: 'b' } } })).toMatchObject({ recordId: '5' });
	});

	it('has a warning if it contains fewer rows than were added', async () => {
		const service = new RowService([withRows({})], [saved(withRows({}))]);
		const { warning } = await updated(service, { rows: { '-1': { 2: 'b' } } });
		expect(warning).toMatch(/^The record does not show the new rows/);
	});

	it('has no warning if another read returns as many rows as were added', async () => {
		const service = new RowService([withRows({ 7: {} })], [saved(withRows({}))]);
		const { warning } = await updated(service, { rows: { '-1': { 2: 'b' } } });
		expect(warning).toBeUndefined();
		expect(service.reads).toBe(1);
	});

	it.each([
		{ title: 'has as many rows as were added', rows: { 7: {} }, isLess: false },
		{ title: 'lacks the subtable', rows: undefined, isLess: true },
	])('that $title has a warning: $isLess', async ({ rows, isLess }) => {
		const data = rows ? withRows(rows) : { 1: 'a' };
		const service = new RowService([data], [saved(data)]);
		const changed: Setup['rows'] = rows ? { 7: { 2: 'a' } } : {};
		const { warning } = await updated(service, { rows: { ...changed, '-1': { 2: 'b' } } });
		expect(warning !== undefined).toBe(isLess);
	});

	it('is not read for its new rows if the answer does not contain the record', async () => {
		const service = new RowService([withRows({})], [saved()]);
		const { warning } = await updated(service, { rows: { '-1': { 2: 'b' } } });
		expect(warning).toBeUndefined();
		expect(service.reads).toBe(0);
	});
});

describe('row deletions that the service does not carry out with other changes', () => {
	const input = { fields: { 1: 'b' }, deleted: ['7', '8'], overrides: { isCompared: true } };

	async function updated(service: RowService, changes: Setup = input) {
		const client = await service.connect();
		return await updateWithRows(client, new StoredRecord(client, record), contentOf(changes), {});
	}

	it('are sent separately after the other changes', async () => {
		const service = new RowService(
			[withRows({ 7: {}, 9: {} })],
			[refused(), saved(withRows({ 7: {}, 9: {} })), saved(withRows({ 9: {} }))],
		);
		const { notes } = await updated(service);
		expect(service.writes).toEqual([
			{ 1: 'b', _DELSUB_20: [7, 8] },
			{ 1: 'b' },
			{ _DELSUB_20: [7] },
		]);
		expect(notes?.map(({ reason }) => reason)).not.toContain('notDeleted');
	});

	it('are sent again if the record, read if necessary, still contains the rows', async () => {
		const service = new RowService([withRows({ 7: {} }), withRows({})], [saved(), saved()]);
		const { notes } = await updated(service);
		expect(service.writes).toEqual([{ 1: 'b', _DELSUB_20: [7, 8] }, { _DELSUB_20: [7] }]);
		expect(service.reads).toBe(2);
		expect(notes).toEqual([]);
	});

	it.each<{ title: string; after: object; writes: object[]; reasons: string[] }>([
		{
			title: 'the old row is still there',
			after: { 7: { 2: 'x' }, 8: { 2: 'new' } },
			writes: [{ _DELSUB_20: [7] }],
			reasons: [],
		},
		{
			title: 'a new row has the ID of the deleted one',
			after: { 7: { 2: 'new' }, 6: { 2: 'x' } },
			writes: [],
			reasons: [],
		},
		{
			title: 'a new row has the ID of a row that did not exist before',
			after: { 9: { 2: 'new, but cut off' } },
			writes: [],
			reasons: ['notKept'],
		},
		{
			title: 'a row with this ID is neither the old one nor surely a new one',
			after: { 7: { 2: 'edited' }, 8: { 2: 'new' } },
			writes: [],
			reasons: ['notDeleted'],
		},
	])('are sent again beside new rows only for the old rows: $title', async (row) => {
		const { after, writes, reasons } = row;
		const service = new RowService([], [saved(withRows(after)), saved(withRows({}))]);
		const stored = new StoredRecord(await service.connect(), record);
		stored.keepBefore(jsonObject(JSON.stringify(withRows({ 7: { 2: 'x' } }))));
		const content = contentOf({
			rows: { '-1': { 2: 'new' } },
			deleted: ['7', '9'],
			overrides: { isCompared: true },
		});
		const { notes } = await updateWithRows(await service.connect(), stored, content, {});
		expect(service.writes.slice(1)).toEqual(writes);
		expect(notes?.map(({ reason }) => reason)).toEqual(reasons);
	});

	it('are reported if the rows still exist after the second attempt', async () => {
		const rows = withRows({ 7: {}, 8: {} });
		const service = new RowService([rows], [saved(rows), saved(withRows({ 8: {} }))]);
		const { notes } = await updated(service, { ...input, fields: {} });
		expect(notes).toEqual([{ name: 'row 8 of _subtable_20', reason: 'notDeleted' }]);
	});

	it('are listed in the error with advice if they fail separately', async () => {
		const rows = withRows({ 7: {}, 8: {} });
		const service = new RowService([rows], [saved(rows), refused()]);
		await expect(updated(service)).rejects.toMatchObject({
			message: expect.stringMatching(
				/^The record was written without its deletions, and it is not certain that these rows were deleted: 7, 8 of subtable 20\. /,
			),
			details: {
				description: expect.stringMatching(
					/^The service gave code 202\..* Run this again to delete them\.$/,
				),
			},
		});
	});

	it('of several subtables are all listed in the error', async () => {
		const rows = { ...withRows({ 7: {} }), _subtable_30: { 9: {} } };
		const client = await new RowService([rows], [saved(rows), refused()]).connect();
		const { changes, ...rest } = contentOf(input);
		const deletedRows = new Map([
			['20', ['7']],
			['30', ['9']],
		]);
		const content = { ...rest, changes: { ...changes, deletedRows } };
		const update = updateWithRows(client, new StoredRecord(client, record), content, {});
		await expect(update).rejects.toThrow('7 of subtable 20; 9 of subtable 30. ');
	});

	it('are reported after the notes on the values of the first write', async () => {
		const rows = withRows({ 7: {}, 8: {} });
		const service = new RowService([rows], [saved({ ...rows, 1: 'other' }), saved(rows)]);
		const { notes } = await updated(service);
		expect(notes?.map(({ reason }) => reason)).toEqual(['notKept', 'notDeleted', 'notDeleted']);
	});

	it('are not sent separately if there is nothing else to write', async () => {
		const service = new RowService([withRows({})], [refused()]);
		await expect(updated(service, { ...input, fields: {} })).rejects.toHaveProperty(
			'kind',
			'refused',
		);
		expect(service.writes).toHaveLength(1);
	});

	it('are sent separately if the write contains only files besides', async () => {
		const service = new RowService([], [refused(), saved(withRows({}))]);
		await updated(service, { ...input, fields: {}, files: [{ fieldId: '2', file }] });
		expect(service.writes).toHaveLength(2);
	});

	it.each([
		{
			title: 'a value is not valid',
			answer: { body: { status: 'INVALID', msg: 'City' } },
			kind: 'rejected',
		},
		{ title: 'the service fails', answer: { status: 500 }, kind: 'server' },
	])('are not sent separately if $title', async ({ answer, kind }) => {
		const service = new RowService([withRows({})], [answer]);
		await expect(updated(service)).rejects.toHaveProperty('kind', kind);
		expect(service.writes).toHaveLength(1);
	});
});

describe('a record that is created with rows', () => {
	it('gets rows of another record as new rows, and duplicate rows are rejected', async () => {
		const service = new RowService([], [saved(withRows({ 1: { 2: 'a' } }))]);
		const client = await service.connect();
		const content = contentOf({ rows: { 7: { 2: 'a' } }, overrides: { sourceRecordId: '9' } });
		expect(await createWithRows(client, record.sheet, content, {})).toMatchObject({
			recordId: '5',
			warning: undefined,
		});
		expect(service.writes).toEqual([{ _subtable_20: { '-1': { 2: 'a' } } }]);
		const rowRules = { mode: 'upsert' as const, matchFields: new Map([['20', ['2']]]) };
		const equal = contentOf({
			rows: { '-1': { 2: 'a' }, '-2': { 2: 'a' } },
			overrides: { rowRules },
		});
		const kinds = new Map();
		const creating = createWithRows(client, record.sheet, { ...equal, kinds }, {});
		await expect(creating).rejects.toThrow('Several rows of the item stand for the same row');
	});

	it('has a warning if rows are missing', async () => {
		const service = new RowService([withRows({})], [saved(withRows({}))]);
		const content = contentOf({ rows: { '-1': { 2: 'a' } } });
		const { warning } = await createWithRows(await service.connect(), record.sheet, content, {});
		expect(warning).toMatch(/^The record does not show the new rows/);
	});
});

describe('words of the service beside rows that it dropped', () => {
	const answer = {
		body: { status: 'SUCCESS', svcId: 5, msg: 'Stock is low.', data: withRows({}) },
	};
	const content = contentOf({ rows: { '-1': { 2: 'a' } } });

	it.each([
		{
			title: 'an update',
			write: async (service: RowService) => {
				const client = await service.connect();
				return await updateWithRows(client, new StoredRecord(client, record), content, {});
			},
		},
		{
			title: 'a creation',
			write: async (service: RowService) =>
				await createWithRows(await service.connect(), record.sheet, content, {}),
		},
	])('$title has both warnings', async ({ write }) => {
		const { warning } = await write(new RowService([withRows({})], [answer]));
		expect(warning).toMatch(/^Stock is low\. The record does not show the new rows/);
	});
});
