import { matchRows } from '../../../../nodes/api/rows/matchRows';
import { SheetFields } from '../../../../nodes/api/sheet/sheetFields';
import { kindNamed, type FieldKinds } from '../../../../nodes/api/sheet/kinds/valueKinds';
import type { FilePart } from '../../../../nodes/api/values/formBody';
import type {
	FieldValue,
	RecordContent,
	RecordFile,
	RowRules,
} from '../../../../nodes/api/write/recordContent';
import { jsonObject } from '../jsonObject';

type Rows = Record<string, Record<string, FieldValue>>;

const schema = {
	nameFor: async (id: string) => `Field ${id}`,
	hiddenMatchField: SheetFields.prototype.hiddenMatchField,
} as unknown as SheetFields;
const record = { sheet: { folders: ['sales'], sheetIndex: 1 }, recordId: '5' };
const file = { name: 'a.txt', type: 'text/plain', size: 0, stream: async function* () {} };

/** Stored rows of the subtables 20 and 30. */
const stored = jsonObject(
	JSON.stringify({
		_subtable_20: {
			'7': { 1: 'Bolt', 2: '10', 3: 'red' },
			'8': { 1: 'Nut', 2: '20', 3: 'blue' },
			'9': { 1: 'Nut', 2: '30', 3: 'blue' },
			_count: 3,
		},
		_subtable_30: { '11': { 1: 'Bolt' } },
	}),
);

interface Setup {
	mode?: RowRules['mode'];
	/** IDs of the match fields of the subtable 20. */
	on?: string[];
	deleted?: string[];
	files?: RecordFile[];
	kinds?: FieldKinds;
	before?: typeof stored;
}

/** Matches rows of the subtable 20, keyed as in the input. Rows with a negative ID have no ID in the input. */
async function matched(rows: Rows, input: Setup = {}) {
	const {
		mode = 'upsert',
		on = [],
		deleted,
		files = [],
		kinds = new Map(),
		before = stored,
	} = input;
	const given20 = Object.entries(rows).map(
		([id, values]) => [id, new Map(Object.entries(values))] as const,
	);
	const content: RecordContent = {
		changes: {
			fields: new Map([['4', 'kept']]),
			subtables: new Map([['20', new Map(given20)]]),
			deletedRows: new Map(deleted && [['20', deleted]]),
		},
		...{ files, kinds, rowRules: { mode, matchFields: new Map([['20', on]]) } },
	};
	const result = await matchRows(schema, record, content, before);
	const written = result.changes.subtables.get('20') ?? new Map();
	return {
		result,
		rows: [...written].map(([id, values]) => [id, Object.fromEntries(values)]),
		deleted: result.changes.deletedRows.get('20'),
		files: result.files.map(({ rowId, subtableId }) => ({ rowId, subtableId })),
	};
}

it('content without row rules stays unchanged', async () => {
	const content = { changes: { fields: new Map(), subtables: new Map(), deletedRows: new Map() } };
	const input = { ...content, files: [], kinds: new Map() };
	expect(await matchRows(schema, record, input, stored)).toBe(input);
});

it('matched content has no row rules, and keeps its other changes', async () => {
	const { result } = await matched({ '-1': { 1: 'New' } });
	expect(result.rowRules).toBeUndefined();
	expect(result.changes.fields).toEqual(new Map([['4', 'kept']]));
	expect([...result.changes.subtables.keys()]).toEqual(['20']);
});

describe('without match fields, a row matches the first unused stored row with all its values:', () => {
	it.each<{ title: string; input: Rows; ids: string[] }>([
		{ title: 'one value', input: { '-1': { 1: 'Nut' } }, ids: ['8'] },
		{ title: 'two equal rows', input: { '-1': { 1: 'Nut' }, '-2': { 1: 'Nut' } }, ids: ['8', '9'] },
		{
			title: 'more equal rows than are stored',
			input: { '-1': { 1: 'Bolt' }, '-2': { 1: 'Bolt' } },
			ids: ['7', '-2'],
		},
		{ title: 'all values', input: { '-1': { 1: 'Nut', 2: '30' } }, ids: ['9'] },
		{ title: 'another value', input: { '-1': { 1: 'Nut', 2: '40' } }, ids: ['-1'] },
		{
			title: 'a row that is given by its ID is taken',
			input: { '8': { 3: 'red' }, '-1': { 1: 'Nut' } },
			ids: ['8', '9'],
		},
	])('$title', async ({ input, ids }) => {
		const { rows, deleted } = await matched(input);
		expect(rows.map(([id]) => id)).toEqual(ids);
		expect(deleted).toBeUndefined();
	});
});

describe('with match fields', () => {
	it('a row matches the stored row with the same values, and its other values are written', async () => {
		const { rows } = await matched(
			{ '-1': { 2: '30', 3: 'green' }, '-2': { 2: '5' } },
			{ on: ['2'] },
		);
		expect(rows).toEqual([
			['9', { 2: '30', 3: 'green' }],
			['-2', { 2: '5' }],
		]);
	});

	it('values are compared by the kinds of their fields', async () => {
		const kinds = new Map([['2', kindNamed('number')]]);
		const { rows } = await matched({ '-1': { 2: '30.00' } }, { on: ['2'], kinds });
		expect(rows).toEqual([['9', { 2: '30.00' }]]);
	});

	it('a row with the old value of a row that is given by its ID and gets another one is new', async () => {
		const { rows } = await matched({ '9': { 2: '31' }, '-1': { 2: '30' } }, { on: ['2'] });
		expect(rows).toEqual([
			['9', { 2: '31' }],
			['-1', { 2: '30' }],
		]);
	});

	it('a given value does not show that a field is visible', async () => {
		const input = { '9': { 6: 'x' }, '-1': { 6: 'x' } };
		const hidden = "The service does not show the field 'Field 6' to this user";
		await expect(matched(input, { on: ['6'] })).rejects.toThrow(hidden);
	});

	it.each<{ title: string; input: Rows; on: string[]; message: string }>([
		{
			title: 'several stored rows',
			input: { '-1': { 1: 'Nut', 2: '1' } },
			on: ['1'],
			message: "2 rows of the record match 'Nut': 8, 9",
		},
		{
			title: 'two rows of the input for a stored one',
			input: { '-1': { 2: '30' }, '-2': { 2: '30' } },
			on: ['2'],
			message: "Several rows of the item stand for the same row: they match '30'",
		},
		{
			title: 'two equal new rows',
			input: { '-1': { 1: 'New', 3: 'x' }, '-2': { 1: 'New', 3: 'x' } },
			on: ['1', '3'],
			message: "Several rows of the item stand for the same row: they match 'New' and 'x'",
		},
		{
			title: 'a row that is given by its ID, too',
			input: { '9': { 3: 'red' }, '-1': { 2: '30' } },
			on: ['2'],
			message: "Several rows of the item stand for the same row: they match '30'",
		},
		{
			title: 'a row with the new value of a row that is given by its ID',
			input: { '9': { 2: '31' }, '-1': { 2: '31' } },
			on: ['2'],
			message: "Several rows of the item stand for the same row: they match '31'",
		},
		{
			title: 'no value',
			input: { '-1': { 1: 'New' } },
			on: ['2'],
			message: "A row has no value for the field 'Field 2' to match on",
		},
		{
			title: 'an empty value',
			input: { '-1': { 2: '' } },
			on: ['2'],
			message: "A row has no value for the field 'Field 2' to match on",
		},
		{
			title: 'a field that no stored row shows',
			input: { '-1': { 6: 'x' } },
			on: ['6'],
			message: "The service does not show the field 'Field 6' to this user",
		},
	])('is rejected: $title', async ({ input, on, message }) => {
		await expect(matched(input, { on })).rejects.toThrow(message);
	});

	it.each<{ input: Rows; advice: string }>([
		{
			input: { '-1': { 1: 'Nut' } },
			advice: 'Match rows on more fields, or name the row that is meant by _rowId.',
		},
		{
			input: { '-1': { 2: '1' } },
			advice: 'Give each row without _rowId a value for every field that rows are matched on.',
		},
	])('an error has advice: $advice', async ({ input, advice }) => {
		const refusal = { name: 'InputError', description: advice };
		await expect(matched(input, { on: ['1'] })).rejects.toMatchObject(refusal);
	});

	it('a masked field is rejected', async () => {
		const before = jsonObject('{"_subtable_20":{"7":{"1":"***"},"8":{"1":"Nut"}}}');
		const input = { '-1': { 1: 'Nut' } };
		await expect(matched(input, { on: ['1'], before })).rejects.toThrow(
			"The service does not show the field 'Field 1'",
		);
	});

	it('a subtable without rows hides no field', async () => {
		const before = jsonObject('{"_subtable_20":{}}');
		const { rows } = await matched({ '-1': { 6: 'x' } }, { on: ['6'], before });
		expect(rows).toEqual([['-1', { 6: 'x' }]]);
	});

	it('a row to delete is not matched', async () => {
		const { rows, deleted } = await matched({ '-1': { 1: 'Nut' } }, { on: ['1'], deleted: ['8'] });
		expect(rows).toEqual([['9', { 1: 'Nut' }]]);
		expect(deleted).toEqual(['8']);
	});
});

it('a row ID that the record does not have is rejected', async () => {
	await expect(matched({ '12': { 1: 'x' } })).rejects.toMatchObject({
		kind: 'notFound',
		message: 'There is no row 12 in the subtable 20 of record 5',
	});
	await expect(matched({ '7': { 1: 'x' } }, { deleted: ['7'] })).rejects.toThrow('no row 7');
});

describe('stored rows that the input does not contain', () => {
	it('are deleted in replace mode, in addition to the rows to delete', async () => {
		const { deleted } = await matched({ '-1': { 2: '20' } }, { mode: 'replace', on: ['2'] });
		expect(deleted).toEqual(['7', '9']);
		const replacement = await matched({ '8': { 2: '1' } }, { mode: 'replace', deleted: ['9'] });
		expect(replacement.deleted).toEqual(['9', '7']);
	});

	it('cause no deletions if there are none', async () => {
		const all = { '7': { 1: 'a' }, '8': { 1: 'b' }, '9': { 1: 'c' } };
		expect((await matched(all, { mode: 'replace' })).deleted).toBeUndefined();
	});

	it('are all deleted by an empty array of rows', async () => {
		const { rows, deleted } = await matched({}, { mode: 'replace' });
		expect(rows).toEqual([]);
		expect(deleted).toEqual(['7', '8', '9']);
	});
});

describe('a row without values', () => {
	it('is rejected, because it might delete rows', async () => {
		await expect(matched({ '-1': {} })).rejects.toMatchObject({
			message: 'A row for subtable 20 has nothing to write',
			description:
				'Check its expressions. To empty the subtable on purpose, give an array without rows.',
		});
	});

	it('is accepted with an ID, and not written', async () => {
		const { rows, deleted, result } = await matched({ '7': {} }, { mode: 'replace' });
		expect(rows).toEqual([]);
		expect(result.changes.subtables.has('20')).toBe(false);
		expect(deleted).toEqual(['8', '9']);
	});

	it('is accepted with a file', async () => {
		const files = [{ fieldId: '5', rowId: '-1', subtableId: '20', file }];
		const { rows, files: placed } = await matched({ '-1': {} }, { files });
		expect(rows).toEqual([]);
		expect(placed).toEqual([{ rowId: '-1', subtableId: '20' }]);
		await expect(matched({ '-2': {} }, { files })).rejects.toThrow('nothing to write');
	});
});

describe('a file', () => {
	const fileAt = (place: Partial<RecordFile>): RecordFile => ({
		...{ fieldId: '5', file: file as FilePart },
		...place,
	});

	it.each<{ title: string; place: Partial<RecordFile>; placed: object }>([
		{ title: 'of the record', place: {}, placed: { rowId: undefined, subtableId: undefined } },
		{
			title: 'of a row with an ID',
			place: { rowId: '8' },
			placed: { rowId: '8', subtableId: undefined },
		},
		{
			title: 'of a matched row of the subtable',
			place: { rowId: '-1', subtableId: '20' },
			placed: { rowId: '9', subtableId: '20' },
		},
		{
			title: 'of a matched row of an unknown subtable',
			place: { rowId: '-1' },
			placed: { rowId: '9', subtableId: '20' },
		},
		{
			title: 'of a row of another subtable',
			place: { rowId: '-1', subtableId: '30' },
			placed: { rowId: '-1', subtableId: '30' },
		},
		{
			title: 'of a row that is nowhere else',
			place: { rowId: '-9' },
			placed: { rowId: '-9', subtableId: undefined },
		},
	])('is sent to its row: $title', async ({ place, placed }) => {
		const { files } = await matched({ '-1': { 2: '30' } }, { on: ['2'], files: [fileAt(place)] });
		expect(files).toEqual([placed]);
	});
});

describe('stored rows with unusual content', () => {
	it('have a field if one of the rows contains it', async () => {
		const before = jsonObject('{"_subtable_20":{"7":{"2":"x"},"8":{"1":"Nut"}}}');
		const { rows } = await matched({ '-1': { 1: 'Nut' } }, { on: ['1'], before });
		expect(rows).toEqual([['8', { 1: 'Nut' }]]);
	});

	it('are not matched if they are not objects', async () => {
		const before = jsonObject('{"_subtable_20":{"7":"no object"}}');
		const { rows, deleted } = await matched({ '-1': { 1: 'x' } }, { mode: 'replace', before });
		expect(rows).toEqual([['-1', { 1: 'x' }]]);
		expect(deleted).toEqual(['7']);
	});
});

it('rows of a subtable without match fields are compared as a whole', async () => {
	const rows = new Map([['-1', new Map([['1', 'Nut']])]]);
	const changes = {
		fields: new Map(),
		subtables: new Map([['20', rows]]),
		deletedRows: new Map(),
	};
	const rowRules = { mode: 'upsert' as const, matchFields: new Map() };
	const { changes: result } = await matchRows(
		schema,
		record,
		{ changes, files: [], kinds: new Map(), rowRules },
		stored,
	);
	expect([...(result.subtables.get('20')?.keys() ?? [])]).toEqual(['8']);
});

it('a file of an existing row keeps its row ID, although two subtables have a row with this ID', async () => {
	const rows = () => new Map([['7', new Map([['1', 'x']])]]);
	const changes = {
		fields: new Map(),
		subtables: new Map([
			['20', rows()],
			['30', rows()],
		]),
		deletedRows: new Map(),
	};
	const before = jsonObject('{"_subtable_20":{"7":{}},"_subtable_30":{"7":{}}}');
	const rowRules = { mode: 'upsert' as const, matchFields: new Map() };
	const files = [{ fieldId: '5', rowId: '7', file }];
	const result = await matchRows(
		schema,
		record,
		{ changes, files, kinds: new Map(), rowRules },
		before,
	);
	expect(result.files).toEqual(files);
});
