import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { passTime } from '../clock';
import { numbers, onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped } from './recordValues';
import { isLookUp } from './upserts';

const testbed = useRecordTestbed({ demoRecords: 80 });
const { reference, remark, city, customerNumber } = orders.fields;
const record = (id: number) => testbed.order(id);

async function upsert(columns: string[], items: IDataObject[], options: INodeParameters = {}) {
	const parameters = { ...onOrders('upsert'), ...autoMapped(columns), options };
	return await testbed.runAllById(parameters, items);
}
const actionsOf = async (...runArguments: Parameters<typeof upsert>) =>
	(await upsert(...runArguments)).outcomes.map((outcome) => outcome.replace(/ #\d+$/, ''));

const idOf = ({ path }: { path: string }) => Number(path.split('/').at(-1));

/** Calls `change` with the ID of the record before the service handles the write with this number. */
function beforeWrite(number: number, change: (id: number) => void) {
	let count = 0;
	testbed.service.beforeRequest(({ method, path }) => {
		if (method !== 'GET' && ++count === number) change(idOf({ path }));
	});
}

describe('records that this process has written, while the index lags', () => {
	beforeEach(() => (testbed.service.switches.filterLagMilliseconds = 60_000));
	const item = { [reference]: 'LAG-1', [city]: 'LAG-CITY', [customerNumber]: 'C-0001' };
	const create = { ...onOrders('create'), ...autoMapped([]) };

	it('a created record is found by any of its fields', async () => {
		await testbed.runById(create, [item]);
		for (const column of [reference, city, reference]) {
			expect(await actionsOf([column], [item])).toEqual(['81 updated']);
		}
	});

	it('an updated record is found by its new values, not by its previous values', async () => {
		record(7).set(city, 'OLD');
		await testbed.runById({ ...onOrder('update', 7), ...asJson({ [city]: 'LAG-CITY' }) });
		expect(await actionsOf([city], [item])).toEqual(['7 updated']);
		expect(await actionsOf([city], [{ ...item, [city]: 'OLD' }])).toEqual(['81 created']);
	});

	it('an updated record is found by fields that the update did not send but its answer contains', async () => {
		record(9).set(city, 'SEEN-CITY').set(remark, 'old');
		await testbed.runById({ ...onOrder('update', 9), ...asJson({ [remark]: 'new' }) });
		expect(await actionsOf([city], [{ ...item, [city]: 'SEEN-CITY' }])).toEqual(['9 updated']);
		expect(await actionsOf([city], [{ ...item, [city]: 'OTHER' }])).toEqual(['81 created']);
	});

	it('a created record is found by a match field that another user has filled in since', async () => {
		await testbed.runById(create, [{ [reference]: 'LAG-1', [customerNumber]: 'C-0001' }]);
		testbed.service.people.edit(orders, 81, { [remark]: 'by a person' });
		const itemOfPerson = { ...item, [remark]: 'by a person' };
		expect(await actionsOf([reference, remark], [itemOfPerson])).toEqual(['81 updated']);
	});

	it('a deleted record is not found', async () => {
		await upsert([reference], [item]);
		await testbed.run(onOrder('delete', 81));
		expect(await actionsOf([reference], [item])).toEqual(['82 created']);
	});
});

describe('an outdated look-up', () => {
	const items = Array.from({ length: 14 }, (_, index) => ({
		[reference]: `KEY-${index + 1}`,
		[remark]: index === 0 ? 'new' : 'same',
	}));
	const edit = () => record(14).set(remark, 'edited by a person');
	const update = { ...onOrder('update'), options: { skipUnchanged: true } };

	beforeEach(() => {
		for (let id = 1; id <= 14; id++) record(id).set(reference, `KEY-${id}`).set(remark, 'same');
	});

	it.each([0, 60_000])(
		'an outdated look-up is repeated once before a record counts as unchanged (lag %i)',
		async (lag) => {
			beforeWrite(1, edit);
			testbed.service.switches.filterLagMilliseconds = lag;
			const outcomes = await actionsOf([reference], items, { skipUnchanged: true });
			const unchangedOutcomes = numbers(12, 2).map((id) => `${id} unchanged`);
			expect(outcomes).toEqual(['1 updated', ...unchangedOutcomes, '14 updated']);
			expect(record(14).text(remark)).toBe('same');
			expect(testbed.reads.filter(isLookUp)).toHaveLength(2);
		},
	);

	it('an outdated look-up is repeated once for all items together, after the writes between them', async () => {
		const changedItems = items.map((item, index) =>
			index % 2 ? { ...item, [remark]: 'new' } : item,
		);
		const outcomes = await actionsOf([reference], changedItems, { skipUnchanged: true });
		expect(outcomes.map((outcome) => parseInt(outcome))).toEqual(numbers(14));
		expect(testbed.writes).toHaveLength(8);
		expect(testbed.reads.filter(isLookUp)).toHaveLength(2);
	});

	it('the last of several items for one record decides its values', async () => {
		const texts = [1, 5, 5].map((id, place) => ({ id, text: ['new', 'same', 'last'][place] }));
		const itemsOfKeys = texts.map(({ id, text }) => ({ [reference]: `KEY-${id}`, [remark]: text }));
		await actionsOf([reference], itemsOfKeys, { skipUnchanged: true });
		expect(record(5).text(remark)).toBe('last');
		for (const id of [1, 5]) record(id).set(remark, 'same');
		await testbed.runById({ ...update, ...asJson(`={{ { ${remark}: $json.text } }}`) }, texts);
		expect(record(5).text(remark)).toBe('last');
	});

	it('an update that does not find the record is not repeated if the record cannot be read', async () => {
		const isRecord = ({ path }: { path: string }) => path.endsWith('/orders/1/5');
		testbed.refuse(isRecord, 1, 404, 'Record not found');
		testbed.refuse(isRecord, Infinity, 202);
		const result = await upsert([reference], [{ [reference]: 'KEY-5', [remark]: 'new' }]);
		testbed.expectErrors(result, 'There is no record 5');
		expect(testbed.writes).toHaveLength(1);
	});

	it('records with an outdated look-up are loaded again by their IDs', async () => {
		beforeWrite(1, edit);
		const byId = items.map((item, index) => ({ id: index + 1, record: item }));
		await testbed.runById({ ...update, ...asJson('={{ $json.record }}') }, byId);
		expect(record(14).text(remark)).toBe('same');
		expect(testbed.writes).toHaveLength(2);
		expect(testbed.reads.length).toBeLessThanOrEqual(4);
	});

	it('a look-up is not repeated if only one of several records was deleted: each is updated once', async () => {
		record(2).set(reference, 'KEY-1');
		beforeWrite(2, (id) => testbed.service.people.delete(orders, id));
		const options = { onMultipleMatches: 'updateAll' };
		const itemOfKey = [{ [reference]: 'KEY-1', [remark]: 'new' }];
		const result = await upsert([reference], itemOfKey, options);
		const written = testbed.writes.map(idOf);
		expect([...written].sort()).toEqual([1, 2]);
		expect(result.items).toEqual([]);
		testbed.expectErrors(result, `updated before it: ${written[0]}.`);
	});

	it('an unchanged record is not named as updated before the one that failed', async () => {
		for (const id of [1, 2]) record(id).set(reference, 'KEY-0');
		record(1).set(remark, 'new');
		testbed.refuse(({ method }) => method === 'POST');
		const options = { onMultipleMatches: 'updateAll', skipUnchanged: true };
		const result = await upsert([reference], [{ [reference]: 'KEY-0', [remark]: 'new' }], options);
		testbed.expectErrors(result, 'No.');
		expect(JSON.stringify(result.errorItems)).not.toContain('before it');
		expect(testbed.writes.map(idOf)).toEqual([2]);
	});

	it('a look-up is repeated once if the record is deleted before the write, and then the record is created', async () => {
		const { records } = testbed.orders;
		beforeWrite(1, () => records.delete(3));
		const completeItems = items.map((item) => ({
			...item,
			[remark]: 'new',
			[customerNumber]: 'C-0001',
		}));
		const outcomes = await actionsOf([reference], completeItems.slice(0, 4));
		expect(outcomes).toEqual(['1 updated', '2 updated', '81 created', '4 updated']);
	});

	it('with Update the First, the next matching record is updated if the first one is deleted before the write', async () => {
		record(2).set(reference, 'KEY-1');
		beforeWrite(1, (id) => testbed.service.people.delete(orders, id));
		const itemOfKey = [{ [reference]: 'KEY-1', [remark]: 'new' }];
		const result = await upsert([reference], itemOfKey, { onMultipleMatches: 'updateFirst' });
		expect(result.outcomes).toEqual(['2 updated #0']);
		expect(testbed.writes.map(idOf)).toEqual([1, 2]);
	});

	it('a failed repetition of a look-up fails only its own item', async () => {
		testbed.refuse(isLookUp, 1, 108, 'Error loading the requested form.');
		const result = await upsert([reference], items);
		testbed.expectErrors(result, 'Error loading');
		expect(result.items).toHaveLength(13);
		expect(testbed.reads.filter(isLookUp)).toHaveLength(2);
	});
});

describe.each([0, 4000])('many records of one item, with an index lag of %d ms', (lag) => {
	beforeEach(() => {
		testbed.service.switches.filterLagMilliseconds = lag;
		for (const id of numbers(4)) record(id).set(reference, 'MANY');
		beforeWrite(2, () => {
			passTime(120_000);
			testbed.service.people.edit(orders, 3, { [remark]: 'by a person' });
			testbed.service.people.edit(orders, 4, { [reference]: 'KEEP' });
		});
	});

	it('the deletion leaves out a record that has another value when its turn comes minutes later', async () => {
		const match = { deleteBy: 'match', matchFields: reference };
		const options = { onMultipleMatches: 'all' };
		const { ids, error } = await testbed.run({ ...onOrders('delete'), ...match, options }, [
			{ [reference]: 'MANY' },
		]);
		expect([ids, error]).toEqual([[1, 2, 3], undefined]);
		expect(record(4).text(reference)).toBe('KEEP');
	});

	it('the update leaves out a record that has another value when its turn comes minutes later', async () => {
		const options = { onMultipleMatches: 'updateAll' };
		const item = { [reference]: 'MANY', [city]: 'Lyon' };
		expect(await actionsOf([reference], [item], options)).toEqual(
			numbers(3).map((id) => `${id} updated`),
		);
		expect(record(4).text(reference)).toBe('KEEP');
	});
});
