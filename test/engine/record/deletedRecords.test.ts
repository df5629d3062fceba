import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';
import { lookUpsOf } from './upserts';

/** Deleted records that the service's filters still find while their index lags. */
const testbed = useRecordTestbed({ demoRecords: 40 });
const { reference, customerNumber } = orders.fields;

const item = { [reference]: 'KEY', [customerNumber]: 'C-0001' };
const upsert = { ...onOrders('upsert'), ...autoMapped([reference]) };
const deleteByMatch = { ...onOrders('delete'), deleteBy: 'match', matchFields: ['Reference'] };
const skipped = { deleted: false, _action: 'skipped' };

const ifExists = async (passOn: string, items: object[] = [item]) => {
	const parameters = { ...onOrders('ifExists'), matchFields: ['Reference'], passOn };
	const inputItems = items.map((values) => ({ ...values }));
	return (await testbed.run(parameters, inputItems, testbed.as('admin'))).items.length;
};

beforeEach(() => {
	testbed.order(7).set(reference, 'KEY');
	testbed.service.switches.filterLagMilliseconds = 60_000;
});

describe('a record after its deletion by ID', () => {
	beforeEach(async () => {
		const { json } = await testbed.run(onOrder('delete', 7));
		expect(json).toEqual([{ deleted: true, _recordId: 7 }]);
	});

	it('a deleted record is created by an upsert of its key, once for all items', async () => {
		const { outcomes } = await testbed.runAllById(upsert, [item, item]);
		expect(outcomes).toEqual(['41 created #0', '41 updated #1']);
	});

	it('a deleted record does not exist for If Exists', async () => {
		expect(await ifExists('existing')).toBe(0);
		expect(await ifExists('missing')).toBe(1);
	});

	it('a deleted record is not deleted again by a Delete by match', async () => {
		const { json } = await testbed.run(deleteByMatch, [{ Reference: 'KEY' }], testbed.as('admin'));
		expect(json).toEqual([skipped]);
		expect(testbed.writes).toHaveLength(1);
	});

	it('a deleted record exists again after a user has restored it', async () => {
		const record = testbed.service.data.sheet(orders).add({ at: 0, user: 'max' }, 7);
		record.set(reference, 'KEY');
		testbed.service.switches.filterLagMilliseconds = 0;
		expect(await ifExists('existing')).toBe(1);
		const { outcomes } = await testbed.runAllById(upsert, [item]);
		expect(outcomes).toEqual(['7 updated #0']);
	});
});

it('a record that was deleted by match is deleted once, and does not exist afterwards', async () => {
	const items = [{ Reference: 'KEY' }, { Reference: 'KEY' }];
	const { json } = await testbed.run(deleteByMatch, items, testbed.as('admin'));
	expect(json).toEqual([
		{ deleted: true, _recordId: 7, _action: null },
		{ ...skipped, _recordId: null },
	]);
	expect(await ifExists('existing', items)).toBe(0);
});

it.each<[string, INodeParameters]>([
	['an upsert', {}],
	['an upsert that skips what is unchanged', { skipUnchanged: true }],
])(
	'%s creates a record that another user has deleted, although filters still find it',
	async (_, options) => {
		testbed.service.people.delete(orders, 7);
		const values = { ...item, Remark: 'new' };
		const { outcomes } = await testbed.runAllById({ ...upsert, options }, [values]);
		expect(outcomes).toEqual(['41 created #0']);
		expect(lookUpsOf(testbed).length).toBeLessThanOrEqual(2);
	},
);
