import { parseInput, type RecordInput } from '../../../../nodes/api/write/parsedInput';

/** Returns the parsed values as `key [subtable/row] = value`. */
function parsed(input: RecordInput, ignored?: string[]) {
	const { values, rows, deletedRows } = parseInput(input, ignored && new Set(ignored));
	return {
		values: values.map(({ key, value, subtableId, rowId }) =>
			subtableId === undefined
				? `${key} = ${String(value)}`
				: `${key} [${subtableId}/${rowId}] = ${String(value)}`,
		),
		rows: Object.fromEntries(rows),
		deleted: Object.fromEntries(deletedRows),
	};
}

const none = { values: [], rows: {}, deleted: {} };

it.each<{ title: string; input: RecordInput; result: ReturnType<typeof parsed> }>([
	{
		title: 'fields',
		input: { Name: 'a', 1000001: '' },
		result: { ...none, values: ['1000001 = ', 'Name = a'] },
	},
	{
		title: 'rows in an array, with and without IDs',
		input: { _subtable_20: [{ A: 'x' }, { _rowId: 7, A: 'y' }, { A: 'z', B: 'u' }] },
		result: {
			values: ['A [20/-1] = x', 'A [20/7] = y', 'A [20/-2] = z', 'B [20/-2] = u'],
			rows: { 20: ['-1', '7', '-2'] },
			deleted: {},
		},
	},
	{
		title: 'rows by their IDs, new ones among them',
		input: { _subtable_20: { 7: { A: 'x' }, '-1': { A: 'y' }, 0: { A: 'z' }, _count: 3 } },
		result: {
			values: ['A [20/0] = z', 'A [20/7] = x', 'A [20/-1] = y'],
			rows: { 20: ['0', '7', '-1'] },
			deleted: {},
		},
	},
	{
		title: 'new rows beside one with a negative ID',
		input: { _subtable_20: [{ _rowId: -1, A: 'x' }, { A: 'y' }], _subtable_30: [{ A: 'z' }] },
		result: {
			values: ['A [20/-1] = x', 'A [20/-2] = y', 'A [30/-3] = z'],
			rows: { 20: ['-1', '-2'], 30: ['-3'] },
			deleted: {},
		},
	},
	{ title: 'no rows', input: { _subtable_20: [] }, result: { ...none, rows: { 20: [] } } },
	{ title: 'an empty object', input: { _subtable_20: {} }, result: none },
	{ title: 'an empty text for rows', input: { _subtable_20: '' }, result: none },
	{
		title: 'a row without values',
		input: { _subtable_20: [{}] },
		result: { ...none, rows: { 20: ['-1'] } },
	},
	{
		title: 'rows to delete, in a list or alone',
		input: { _DELSUB_20: ['7', 8, ''], DELSUB_30: 9, DELSUB_20: '10' },
		result: { ...none, deleted: { 20: ['7', '8', '10'], 30: ['9'] } },
	},
	{
		title: 'row 0, to change and to delete',
		input: { _subtable_20: [{ _rowId: 0, A: 0 }], _DELSUB_30: [0], _DELSUB_40: 0 },
		result: { values: ['A [20/0] = 0'], rows: { 20: ['0'] }, deleted: { 30: ['0'], 40: ['0'] } },
	},
	{
		title: 'a row to delete in two spellings',
		input: { _DELSUB_20: ['07', 7] },
		result: { ...none, deleted: { 20: ['7'] } },
	},
	{
		title: 'a row to delete, without its values',
		input: {
			_DELSUB_20: 8,
			_subtable_20: [
				{ _rowId: 7, A: 'x' },
				{ _rowId: 8, A: 'y' },
			],
		},
		result: { values: ['A [20/7] = x'], rows: { 20: ['7'] }, deleted: { 20: ['8'] } },
	},
	{
		title: 'a row with the ID of a row to delete in another subtable',
		input: { _subtable_20: [{ _rowId: 7, A: 'x' }], _DELSUB_30: [7] },
		result: { values: ['A [20/7] = x'], rows: { 20: ['7'] }, deleted: { 30: ['7'] } },
	},
	{ title: 'nothing to delete', input: { _DELSUB_20: [], DELSUB_30: null }, result: none },
	{
		title: 'comments, which are no subtable',
		input: { _subtable_61: 'x' },
		result: { ...none, values: ['_subtable_61 = x'] },
	},
	{
		title: 'an empty value under a key without a subtable ID',
		input: { _subtable_: '', _DELSUB_: [] },
		result: { ...none, values: ['_subtable_ = ', '_DELSUB_ = '] },
	},
])('an input is split into values, rows and deletions: $title', ({ input, result }) => {
	expect(parsed(input)).toEqual(result);
});

it('ignored keys are left out, also keys of rows', () => {
	const input = { Name: 'a', City: 'b', _subtable_20: 'no rows', _DELSUB_20: 'x' };
	expect(parsed(input, ['City', '_subtable_20', '_DELSUB_20'])).toEqual({
		...{ ...none, values: ['Name = a'] },
	});
});

it('entered rows follow those of the input, also if its rows are ignored', () => {
	const input = { _subtable_20: [{ A: 'x' }] };
	const entered = [{ subtableId: '20', row: { A: 'y' } }];
	for (const [ignored, rows] of [
		[new Set<string>(), ['x', 'y']] as const,
		[new Set(['_subtable_20']), ['y']] as const,
	]) {
		const { values } = parseInput(input, ignored, entered);
		expect(values.map(({ value }) => value)).toEqual(rows);
		expect(values.map(({ isEntered = false }) => isEntered)).toEqual(
			rows.map((row) => row === 'y'),
		);
	}
});

it.each<{ title: string; input: RecordInput; message: string }>([
	{
		title: 'a row twice',
		input: { _subtable_20: [{ _rowId: 7 }, { _rowId: '7' }] },
		message: "'_subtable_20' holds the row 7 twice",
	},
	{
		title: 'a text as rows',
		input: { _subtable_20: 'x' },
		message: "'_subtable_20' must hold rows: objects of field and value",
	},
	{
		title: 'a text as a row',
		input: { _subtable_20: ['x'] },
		message: "'_subtable_20' must hold rows: objects of field and value",
	},
	{
		title: 'a text as a row by its ID',
		input: { _subtable_20: { 7: 'x' } },
		message: "'_subtable_20.7' must hold rows: objects of field and value",
	},
	...['07', '-0', '1.5', 'x', '7 ', '-', 'x7'].map((id) => ({
		title: `the key ${id} as a row ID`,
		input: { _subtable_20: { [id]: {} } },
		message: `'${id}' in '_subtable_20' is not a row ID. Give new rows as an array`,
	})),
	{
		title: 'an invalid row ID',
		input: { _subtable_20: [{ _rowId: '07' }] },
		message: "'07' in '_subtable_20' is not a row ID",
	},
	{
		title: 'a row to delete that is none',
		input: { _DELSUB_20: ['-1'] },
		message: "'-1' in '_DELSUB_20' is not a row ID",
	},
	{
		title: 'an object as a row ID',
		input: { _subtable_20: [{ _rowId: { id: 7 } }] },
		message: "'_subtable_20' has an object in place of a row ID",
	},
	{
		title: 'a key without a subtable ID',
		input: { _subtable_Items: [{}] },
		message: "'_subtable_Items' does not hold the ID of a subtable",
	},
])('an input is rejected: $title', ({ input, message }) => {
	expect(() => parseInput(input)).toThrow(expect.objectContaining({ name: 'InputError', message }));
});

it.each(['', null, undefined])('an empty _rowId (%s) is rejected with advice', (rowId) => {
	expect(() => parseInput({ _subtable_20: [{ _rowId: rowId }] })).toThrow(
		expect.objectContaining({
			message: "A row in '_subtable_20' has an empty _rowId",
			description: 'Check its expression. A row without _rowId is a new one.',
		}),
	);
});

it('an inherited _rowId of a row is ignored', () => {
	const row = Object.create({ _rowId: '7' }) as object;
	expect(parsed({ _subtable_20: [Object.assign(row, { A: 'x' })] }).values).toEqual([
		'A [20/-1] = x',
	]);
});

it.each([
	[{ _subtable_20: '[{"7":1}]' }, `It holds '[{"7":1}]'. Give an array`],
	[{ _subtable_20: [[7]] }, 'It holds a list. Give an array'],
	[{ _DELSUB_20: '5, 6' }, 'A row ID is a whole number'],
])('rejected rows come with what was found or what is needed: %j', (input, description) => {
	expect(() => parseInput(input)).toThrow(
		expect.objectContaining({ description: expect.stringContaining(description) }),
	);
});
