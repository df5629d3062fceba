import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders, type IdentityName } from '../../service';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

/** Match fields with several choices. The administrator may read the schema, the member may not. */
const testbed = useRecordTestbed({ demoRecords: 20 });
const { tags, remark, customerNumber } = orders.fields;
const matchFields = [tags];
const upsert = { ...onOrders('upsert'), ...asJson('={{ $json }}'), matchFields };
const deleteByMatch = { ...onOrders('delete'), deleteBy: 'match', matchFields };
const ifExists = { ...onOrders('ifExists'), matchFields };
const users = ['admin', 'member'] as const;

beforeEach(() => {
	for (const record of testbed.orders.records.values()) record.set(tags, []);
	testbed.order(5).set(tags, ['Gift', 'Export']);
});

async function run(parameters: INodeParameters, chosen: unknown, as: IdentityName) {
	const item = { [tags]: chosen, [remark]: 'new', [customerNumber]: 'C-0001' } as IDataObject;
	return await testbed.runAllById(parameters, [item], testbed.as(as));
}

describe.each(users)('as %s', (as) => {
	it.each<[string, unknown]>([
		['one of its choices', 'Gift'],
		['one of its choices in a list', ['Export']],
		['its choices and another one', ['Gift', 'Export', 'Bulk']],
		['its choices and another one, as a text', 'Gift, Export, Bulk'],
	])('a record with two choices does not match %s', async (_, chosen) => {
		const created = await run(upsert, chosen, as);
		expect(created.outcomes).toEqual(['21 created #0']);
		testbed.orders.records.delete(21);
		const deletion = await run(deleteByMatch, chosen, as);
		expect(deletion.json).toEqual([{ deleted: false, _action: 'skipped' }]);
		expect((await run(ifExists, chosen, as)).items).toEqual([]);
		expect(testbed.order(5).value(tags)).toEqual(['Gift', 'Export']);
	});

	it.each<[string, unknown]>([
		['a list in the same order', ['Gift', 'Export']],
		['a list in another order', ['Export', 'Gift']],
		['a text', 'Export, Gift'],
		['a text of a JSON array', '["Export","Gift"]'],
	])('a record with two choices matches the same choices: %s', async (_, chosen) => {
		expect((await run(ifExists, chosen, as)).items).toHaveLength(1);
		expect((await run(upsert, chosen, as)).outcomes).toEqual(['5 updated #0']);
		const deletion = await run(deleteByMatch, chosen, as);
		expect(deletion.json).toEqual([{ deleted: true, _recordId: 5 }]);
	});

	it('only the records with exactly these choices are updated or deleted', async () => {
		for (const id of [6, 7]) testbed.order(id).set(tags, ['Export', 'Gift']);
		testbed.order(8).set(tags, ['Export']);
		const all = { ...upsert, options: { onMultipleMatches: 'updateAll' } };
		const updated = await run(all, ['Export', 'Gift'], as);
		expect(updated.outcomes).toEqual(['5 updated #0', '6 updated #0', '7 updated #0']);
		const deleteAll = { ...deleteByMatch, options: { onMultipleMatches: 'all' } };
		const deleted = await run(deleteAll, ['Gift', 'Export'], as);
		expect(deleted.json.map(({ _recordId }) => _recordId)).toEqual([5, 6, 7]);
	});

	it('two items with the same choices in another order are one record, while filters lag', async () => {
		testbed.service.switches.filterLagMilliseconds = 60_000;
		const lists = [
			['Bulk', 'Fragile'],
			['Fragile', 'Bulk'],
		];
		const items = lists.map((list) => ({ [tags]: list, [customerNumber]: 'C-0001' }));
		const { outcomes } = await testbed.runAllById(upsert, items, testbed.as(as));
		expect(outcomes).toEqual(['21 created #0', '21 updated #1']);
	});

	it.each<[string, unknown]>([
		['a list', ['Export', 'Gift', 'Export']],
		['a text', 'Export, Gift, Export'],
	])('a choice that is given twice counts once: %s', async (_, chosen) => {
		expect((await run(ifExists, chosen, as)).items).toHaveLength(1);
		const skipping = { ...upsert, options: { skipUnchanged: true } };
		testbed.order(5).set(remark, 'new').set(customerNumber, 'C-0001');
		expect((await run(skipping, chosen, as)).outcomes).toEqual(['5 unchanged #0']);
		const { outcomes, warnings } = await run(upsert, chosen, as);
		expect([outcomes, warnings]).toEqual([['5 updated #0'], [undefined]]);
	});
});

it('a choice with a comma is one choice', async () => {
	testbed.order(6).set(tags, ['Repeat, large']);
	testbed.order(7).set(tags, ['Repeat, large', 'Gift']);
	const single = await run(upsert, 'Repeat, large', 'admin');
	expect(single.outcomes).toEqual(['6 updated #0']);
	const both = await run(upsert, 'Gift, Repeat, large', 'admin');
	expect(both.outcomes).toEqual(['7 updated #0']);
});

it('several values for a field that holds one are rejected', async () => {
	const byRemark = { ...upsert, matchFields: [remark] };
	const items = [{ [remark]: ['a', 'b'], [customerNumber]: 'C-0001' }];
	const error = /'Remark' to match on has several values in this item/;
	await testbed.expectRefused(byRemark, items, error, testbed.as('admin'));
});
