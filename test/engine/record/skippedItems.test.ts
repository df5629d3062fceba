import type { INodeParameters } from 'n8n-workflow';
import { orders, type SeenRequest } from '../../service';
import { numbers, onOrders, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';
import { lookUpsOf } from './upserts';

/** Items that are skipped have the keys of the others: n8n's table shows a missing key as a red *undefined*. */
const testbed = useRecordTestbed({ demoRecords: 60 });
const { reference, remark, customerNumber, description, internalMargin } = orders.fields;

const upsert = { ...onOrders('upsert'), ...autoMapped([reference]) };
const item = (key: string) => ({ [reference]: key, [customerNumber]: 'C-0001', [remark]: 'new' });

const run = async (options: INodeParameters, keys: string[]) =>
	await testbed.runAllById({ ...upsert, options }, keys.map(item));

beforeEach(() => {
	for (const id of numbers(60)) testbed.order(id).set(reference, `KEY-${id}`);
});

it.each<INodeParameters>([{}, { skipUnchanged: true }, { rowsMode: 'replace' }, { dryRun: true }])(
	'the items of every Upsert Mode have the same keys: %j',
	async (options) => {
		for (const upsertMode of ['createOnly', 'updateOnly', 'createOrUpdate']) {
			const keys = ['KEY-4', `NEW ${upsertMode}`, 'KEY-5'];
			const { json } = await run({ ...options, upsertMode }, keys);
			const [first, ...others] = json.map((output) => Object.keys(output).sort());
			expect(others).toEqual([first, first]);
		}
	},
);

it('a skipped item has no warning because another item has one', async () => {
	const strange = { ...item('KEY-4'), Status: 'Strange' };
	testbed.service.switches.schemaChoices = true;
	const parameters = { ...upsert, options: { upsertMode: 'updateOnly' } };
	const { json } = await testbed.run(parameters, [strange, item('NEW')], testbed.as('admin'));
	expect(json).toMatchObject([{ _warning: expect.any(String) }, { _action: 'skipped' }]);
	expect(json[1]).not.toHaveProperty('_warning');
});

it('an item that only creates returns the existing record as an update would return it, with few look-ups', async () => {
	testbed.order(4).set(description, '[b]Bold[/b]').set(internalMargin, '12%');
	const ids = numbers(50);
	const keys = ids.map((id) => `KEY-${id}`);
	const { json, outcomes } = await run({ upsertMode: 'createOnly' }, keys);
	expect(outcomes).toEqual(ids.map((id, index) => `${id} skipped #${index}`));
	expect([testbed.writes, lookUpsOf(testbed).length]).toEqual([[], 2]);
	const masked = { [description]: '<b>Bold</b>', [internalMargin]: '****' };
	expect(json[3]).toMatchObject({ _title: 'SO-00008', _starred: false, ...masked });
});

it('with a UTC offset, items that only create return the IDs of existing records, with few look-ups', async () => {
	const ids = numbers(50);
	const keys = ids.map((id) => `KEY-${id}`);
	const { json } = await run({ upsertMode: 'createOnly', timeZone: 2 }, keys);
	expect(json).toEqual(ids.map((id) => ({ _recordId: id, _action: 'skipped' })));
	expect(lookUpsOf(testbed)).toHaveLength(1);
	// The fields of the sheet may take a request, but no record does.
	expect(testbed.reads.length).toBeLessThan(4);
});

it('an item that only creates returns the ID of an existing record that cannot be read as a whole', async () => {
	let lookUps = 0;
	const isOfContent = ({ path, rawUrl }: SeenRequest) =>
		rawUrl.includes('where=') ? ++lookUps > 1 : path.endsWith('/4');
	testbed.inject({ kind: 'status', status: 403, times: 9, when: isOfContent });
	const { json } = await run({ upsertMode: 'createOnly' }, ['KEY-4']);
	expect(json).toEqual([{ _recordId: 4, _action: 'skipped' }]);
});

it.each([false, true])(
	'an item that only creates fails if it gives the ID of no record (dry run: %s)',
	async (dryRun) => {
		const byId = { ...upsert, ...autoMapped(['_recordId']) };
		const options = { upsertMode: 'createOnly', dryRun };
		const items = [4, 9999].map((_recordId) => ({ _recordId, [remark]: 'new' }));
		const result = await testbed.runAllById({ ...byId, options }, items);
		expect(result.outcomes).toEqual(['4 skipped #0']);
		const planned = { _recordId: 4, _action: 'skipped', _changes: {} };
		if (dryRun) expect(result.json[0]).toEqual(planned);
		testbed.expectErrors(result, { 1: 'There is no record 9999 on this sheet' });
		expect(testbed.writes).toEqual([]);
	},
);

it.each([false, true])(
	'the items of a deletion by match have the same keys (dry run: %s)',
	async (dryRun) => {
		const deletion = { ...onOrders('delete'), deleteBy: 'match', matchFields: ['Reference'] };
		const items = ['KEY-4', 'NO KEY', 'KEY-4', 'KEY-5'].map((Reference) => ({ Reference }));
		const { json } = await testbed.run({ ...deletion, options: { dryRun } }, items);
		expect(json.map(({ _recordId }) => _recordId)).toEqual([4, null, null, 5]);
		const [first, ...others] = json.map((output) => Object.keys(output).sort());
		expect(others).toEqual([first, first, first]);
	},
);
