import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { stateOf } from '../hostile/state';
import type { InputItem } from '../runner';
import { linesOf } from '../subtableRow/rowTestbed';
import { itemWithFiles, textFile } from './filesOnItem';
import { asJson, autoMapped, filesOption } from './recordValues';
import { lookUpsOf } from './upserts';

const testbed = useRecordTestbed({ demoRecords: 60 });
const { fields } = orders;
const { lines } = orders.subtables;
const record = (id: number) => testbed.order(id);

/** Warning of an item if an earlier item would write the same record. */
const _warning = 'An earlier item would also write this record. Its changes are not included here.';

let hints = '';

beforeEach(() => (testbed.service.switches.schemaChoices = true));

/** Runs as a user with full permissions, with field names, and expects that only reads are sent. */
async function plan(
	parameters: INodeParameters,
	items: InputItem[],
	overrides: INodeParameters = {},
) {
	const before = stateOf(testbed.service);
	const dry = { sheet: sheet(orders), ...parameters, options: { dryRun: true, ...overrides } };
	const result = await testbed.run(dry, items, testbed.as('admin'));
	expect(result.error).toBeUndefined();
	expect(testbed.writes).toEqual([]);
	expect(stateOf(testbed.service)).toEqual(before);
	expect(result.links).toEqual(items.map((_, item) => ({ item })));
	hints = JSON.stringify(result.hints);
	return result.json;
}

const subtable = `_subtable_${lines.id}`;
const update = { operation: 'update', recordId: recordId('={{ $json.id }}') };

it('a dry run returns what a creation would write, with rows and files', async () => {
	const json = {
		...{ Reference: 'NEW', Tags: ['Gift', 'Export'] },
		[subtable]: [{ Article: 'Chair' }, { Article: 'Desk' }],
	};
	const item = await itemWithFiles({}, { data: textFile('contract.pdf') });
	const files = filesOption([fields.contract, 'data']);
	const [planned] = await plan({ operation: 'create', ...asJson(json) }, [item], files);
	expect(planned).toEqual({
		_recordId: null,
		_action: 'wouldCreate',
		_changes: {
			Reference: [null, 'NEW'],
			Tags: [null, ['Gift', 'Export']],
			Contract: [null, ['contract.pdf']],
			[subtable]: [
				[],
				[
					{ _rowId: -1, Article: 'Chair' },
					{ _rowId: -2, Article: 'Desk' },
				],
			],
		},
	});
	expect(hints).toContain("the option 'Dry Run' is on");
});

it('a dry run returns the changes of an update in fields and rows, and the records that already have the values', async () => {
	record(11).set(fields.remark, 'old').set(fields.city, 'Oslo');
	const [[first, article] = [], [second] = []] = linesOf(testbed.service, 11);
	const changed = {
		...{ Remark: 'new', City: 'Oslo' },
		[subtable]: [{ _rowId: first, Article: 'Chair' }, { Article: 'Desk' }],
		[`_DELSUB_${lines.id}`]: [second],
	};
	const items = [
		{ id: 11, values: changed },
		{ id: 11, values: { Remark: 'newer' } },
		{ id: 11, values: { City: 'Oslo' } },
	];
	const [changedItem, ...existingFiles] = await plan(
		{ ...update, ...asJson('={{ $json.values }}') },
		items,
	);
	expect(changedItem).toEqual({
		...{ _recordId: 11, _action: 'wouldUpdate' },
		_changes: {
			Remark: ['old', 'new'],
			[subtable]: [
				[{ _rowId: first, Article: article }, expect.objectContaining({ _rowId: second })],
				[
					{ _rowId: first, Article: 'Chair' },
					{ _rowId: -1, Article: 'Desk' },
				],
			],
		},
	});
	expect(existingFiles).toEqual([
		{ _recordId: 11, _action: 'wouldUpdate', _changes: { Remark: ['old', 'newer'] }, _warning },
		{ _recordId: 11, _action: 'unchanged', _changes: {}, _warning },
	]);
});

it('a dry run returns uploaded files in addition to the existing files, or instead of them', async () => {
	const item = await itemWithFiles({ id: 50 }, { data: textFile('new.txt') });
	const contract = record(50).text(fields.contract);
	for (const filesMode of ['add', 'replace']) {
		const files = { ...filesOption([fields.contract, 'data']), filesMode };
		const [planned] = await plan({ ...update, ...asJson({}) }, [item], files);
		const existingFiles = filesMode === 'add' ? [contract] : [];
		expect(planned?._changes).toEqual({ Contract: [contract, [...existingFiles, 'new.txt']] });
	}
});

it('a dry run of an upsert only sends the look-ups', async () => {
	const ids = Array.from({ length: 50 }, (_, index) => index + 1);
	for (const id of ids) record(id).set(fields.reference, `KEY-${id}`).set(fields.remark, 'old');
	const items = [...ids, 60, 60].map((id) => ({
		...{ Reference: `KEY-${id}`, Remark: id === 7 ? 'old' : `new ${id}` },
	}));
	const upsert = { operation: 'upsert', ...asJson('={{ $json }}'), matchFields: ['Reference'] };
	const planned = await plan(upsert, items);
	expect(planned.slice(0, 50)).toEqual(
		ids.map((id) =>
			id === 7
				? { _recordId: id, _action: 'unchanged', _changes: {} }
				: { _recordId: id, _action: 'wouldUpdate', _changes: { Remark: ['old', `new ${id}`] } },
		),
	);
	const created = { Reference: [null, 'KEY-60'], Remark: [null, 'new 60'] };
	expect(planned.slice(50)).toEqual([
		{ _recordId: null, _action: 'wouldCreate', _changes: created },
		{ _recordId: null, _action: 'wouldCreate', _changes: created, _warning },
	]);
	expect(lookUpsOf(testbed)).toHaveLength(1);
	const modes = await plan(upsert, items.slice(6, 8), { upsertMode: 'createOnly' });
	expect(modes.map(({ _action }) => _action)).toEqual(['skipped', 'skipped']);
	const updates = await plan(upsert, items.slice(49, 51), { upsertMode: 'updateOnly' });
	expect(updates.map(({ _action }) => _action)).toEqual(['wouldUpdate', 'skipped']);
	const keys = [...modes, ...updates].map((json) => Object.keys(json).slice(0, 3));
	expect(keys).toEqual(keys.map(() => ['_recordId', '_action', '_changes']));
	expect(updates[1]).toEqual({ _recordId: null, _action: 'skipped', _changes: {} });
});

it('a dry run returns what a deletion would delete, by ID and by match', async () => {
	record(11).set(fields.reference, 'KEY-1');
	const [byId] = await plan({ operation: 'delete', recordId: recordId(11) }, [{}]);
	expect(byId).toMatchObject({
		...{ _recordId: 11, _action: 'wouldDelete' },
		_changes: { Reference: ['KEY-1', null], [subtable]: [expect.any(Array), []] },
	});
	const match = { operation: 'delete', deleteBy: 'match', matchFields: ['Reference'] };
	const [matched, again] = await plan(match, [{ Reference: 'KEY-1' }, { Reference: 'KEY-1' }]);
	expect([matched, again]).toEqual([byId, { _recordId: null, _action: 'skipped', _changes: {} }]);
});

it('a dry run of a creation names rows to delete, as the creation does, and plans no deletion', async () => {
	const json = { Reference: 'NEW', [`_DELSUB_${lines.id}`]: [5] };
	expect(await plan({ operation: 'create', ...asJson(json) }, [{}])).toEqual([
		{
			_recordId: null,
			_action: 'wouldCreate',
			_changes: { Reference: [null, 'NEW'] },
			_warning: `Check what would be saved: 'row 5 of ${subtable}' (row to delete does not exist).`,
		},
	]);
});

it('a dry run warns of values that would not be saved, as a write does', async () => {
	const json = { Status: 'Opne', [`_DELSUB_${lines.id}`]: [99_999] };
	const [choice] = await plan({ ...update, ...asJson(json) }, [{ id: 11 }]);
	const absent = `'row 99999 of _subtable_${lines.id}' (row to delete does not exist)`;
	const expectedWarning = "Check what would be saved: 'Status' (not one of the choices)";
	expect(choice?._warning).toBe(`${expectedWarning}, ${absent}.`);
	const [created] = await plan({ operation: 'create', ...asJson({ Status: 'Opne' }) }, [{}]);
	expect(created?._warning).toBe(`${expectedWarning}.`);
	const ignoredValues = { id: 11, Remark: 'x', Total: record(11).text(fields.total) };
	const item = { ...ignoredValues, 'Shipping Label': 'Another' };
	const [leftOut] = await plan({ ...update, ...autoMapped() }, [item], { ignoreFields: 'id' });
	expect(leftOut?._warning).toBe(
		"Check what would be saved: 'Shipping Label' (filled in by the service).",
	);
});

it('a dry run warns of an earlier item for the same record only if that one would write it', async () => {
	record(11).set(fields.remark, 'old');
	const items = ['old', 'old', 'new', 'newer'].map((text) => ({ id: 11, text }));
	const values = asJson('={{ ({ Remark: $json.text }) }}');
	const planned = await plan({ ...update, ...values }, items);
	expect(planned.map((item) => [item._action, item._warning])).toEqual([
		...[
			['unchanged', undefined],
			['unchanged', undefined],
			['wouldUpdate', undefined],
		],
		['wouldUpdate', _warning],
	]);
});

it('a dry run fails if a row does not exist, as the write would', async () => {
	const rows = asJson({ [subtable]: [{ _rowId: 99_999, Article: 'Chair' }] });
	const dry = { sheet: sheet(orders), ...update, ...rows, options: { dryRun: true } };
	const expectedError = `There is no row 99999 in the subtable ${lines.id} of record 11`;
	expect(await testbed.errorOf(dry, [{ id: 11 }])).toBe(expectedError);
});

it.each<[given: object[], message: string]>([
	[[{ Article: 'Lamp' }, { Article: 'Lamp', Quantity: 2 }], 'Several rows of the item stand for'],
	[[{ Quantity: 2 }], "A row has no value for the field 'Article' to match on"],
])(
	'a dry run of a creation fails for rows that cannot be matched, as the creation does',
	async (given, message) => {
		const upsert = { operation: 'upsert', ...autoMapped([fields.reference]) };
		for (const dryRun of [true, false]) {
			const options = { dryRun, rowsMode: 'upsert', rowMatchFields: 'Article' };
			const parameters = { sheet: sheet(orders), ...upsert, options };
			const items = [{ Reference: 'NEW', 'Customer Number': 'C-0007', [subtable]: given }];
			expect(await testbed.errorOf(parameters, items)).toContain(message);
		}
	},
);

it.each<[string, INodeParameters]>([
	['an update', { ...update, ...asJson({ Remark: 'new' }) }],
	['a deletion', { operation: 'delete', recordId: recordId('={{ $json.id }}') }],
])('a dry run of %s fails if the record does not exist', async (_, parameters) => {
	const dry = { sheet: sheet(orders), ...parameters, options: { dryRun: true } };
	await testbed.expectRefused(dry, [{ id: 99_999 }], /^There is no record 99999 on this sheet/);
});

it('a dry run names a change by another user, a value and an earlier item for the record together', async () => {
	const values = { _recordId: 11, _update_date: '2020/01/01 00:00:00', Status: 'Odd' };
	const parameters = { operation: 'update', recordId: recordId(11), ...autoMapped() };
	const [first, second] = await plan(parameters, [values, values]);
	for (const words of ['was changed by', "'Status' (not one of the choices)"]) {
		for (const item of [first, second]) expect(item?._warning).toContain(words);
	}
	expect(first?._warning).not.toContain(_warning);
	expect(second?._warning).toContain(_warning);
});
