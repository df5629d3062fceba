import type { INodeParameters } from 'n8n-workflow';
import { empty, orders, tasks, type Fault } from '../../service';
import { onOrder, onOrders, sheetAt, useRecordTestbed } from '../recordTestbed';
import { lookUpsOf } from './upserts';

const testbed = useRecordTestbed();

const deleteOrder = onOrder('delete');

const has = (id: number) => testbed.orders.records.has(id);
const deleted = (id: number, item: number) => ({
	...{ json: { deleted: true, _recordId: id }, pairedItem: { item } },
});

it('the record of each item is deleted', async () => {
	const result = await testbed.run(deleteOrder, [{ id: 12 }, { id: '300' }]);
	expect(result.items).toEqual([deleted(12, 0), deleted(300, 1)]);
	expect(testbed.service.requests.all().map(({ method, rawUrl }) => [method, rawUrl])).toEqual([
		['DELETE', '/acme/sales/orders/1/12?api'],
		['DELETE', '/acme/sales/orders/1/300?api'],
	]);
	expect([has(12), has(300), has(13)]).toEqual([false, false, true]);
	expect(testbed.orders.records.size).toBe(298);
});

it('a deletion accepts different sheets and addresses for each item, and record 0', async () => {
	testbed.service.data.sheet(empty).add({ at: 0, user: 'max.member@acme.example' });
	const address = `${testbed.service.baseUrl}/acme/archive/2024/tasks/7/40?PAGEID=x`;
	const result = await testbed.run({ ...deleteOrder, sheet: sheetAt('={{ $json.sheet }}') }, [
		{ sheet: 'sales/empty/9', id: 0 },
		{ sheet: 'archive/2024/tasks/7', id: address },
	]);
	expect(result.items).toEqual([deleted(0, 0), deleted(40, 1)]);
	expect(testbed.service.data.sheet(empty).records.size).toBe(0);
	expect(testbed.service.data.sheet(tasks).records.has(40)).toBe(false);
});

it('deleting a missing record succeeds unless the service rejects it', async () => {
	testbed.service.switches.deleteMessage = 'Moved to the recycle bin';
	const result = await testbed.run(deleteOrder, [{ id: 99999 }]);
	expect(result.items).toEqual([deleted(99999, 0)]);
	testbed.service.switches.missingDelete = 'code404';
	expect(await testbed.errorOf(deleteOrder, [{ id: 99999 }])).toContain('Record not found');
});

describe('an answer without a status', () => {
	beforeEach(() => (testbed.service.switches.deletionAnswer = 'messageOnly'));

	it('an answer without a status counts as success if the record is gone', async () => {
		const result = await testbed.run(deleteOrder, [{ id: 12 }]);
		expect(result.json).toEqual([{ deleted: true, _recordId: 12 }]);
		expect(has(12)).toBe(false);
		expect(testbed.reads.map(({ path }) => path)).toEqual(['/acme/sales/orders/1/12']);
		expect(testbed.writes).toHaveLength(1);
	});

	const notFound: Fault = { kind: 'status', status: 404, body: '<html>' };

	it.each([[], [notFound]])(
		'an answer without a status is an error if the record exists or is hidden: %j',
		async (...faults) => {
			testbed.inject({ kind: 'body', body: '{"msg":"It could not be moved.","ragicId":12}' });
			for (const fault of faults) testbed.inject(fault);
			const expectedError = 'did not confirm the change: It could not be moved';
			expect(await testbed.errorOf(deleteOrder, [{ id: 12 }])).toContain(expectedError);
			expect(testbed.writes).toHaveLength(1);
		},
	);
});

describe('by match', () => {
	const deleteBy = { ...onOrders('delete'), deleteBy: 'match', matchFields: ['Reference'] };
	const setReference = (reference: string, ...ids: number[]) => {
		for (const id of ids) testbed.order(id).set(orders.fields.reference, reference);
	};
	const skipped = (item: number) => ({
		json: { deleted: false, _recordId: null, _action: 'skipped' },
		pairedItem: { item },
	});
	/** Output beside a skipped item, with the same keys. */
	const deletedBeside = (id: number, item: number) => {
		const { json, pairedItem } = deleted(id, item);
		return { json: { ...json, _action: null }, pairedItem };
	};

	it('a deletion by match deletes the records with the values of each item, with look-ups in batches', async () => {
		const ids = Array.from({ length: 60 }, (_, index) => index + 1);
		for (const id of ids) setReference(`KEY-${id}`, id);
		const items = [...ids, 7, 500].map((id) => ({ Reference: `KEY-${id}` }));
		const result = await testbed.run(deleteBy, items);
		expect(result.items).toEqual([...ids.map(deletedBeside), skipped(60), skipped(61)]);
		expect([has(1), has(60), has(61)]).toEqual([false, false, true]);
		expect([lookUpsOf(testbed).length, testbed.writes.length]).toEqual([1, 60]);
		expect(new Set(testbed.writes.map(({ method }) => method))).toEqual(new Set(['DELETE']));
	});

	it('a deletion by match looks records up again that were found over a minute ago', async () => {
		setReference('KEY-1', 12);
		setReference('KEY-2', 13);
		const now = performance.now.bind(performance);
		testbed.service.beforeRequest(({ method }) => {
			if (method !== 'DELETE') return;
			setReference('of another order', 13);
			jest.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
		});
		const result = await testbed.run(deleteBy, [{ Reference: 'KEY-1' }, { Reference: 'KEY-2' }]);
		expect(result.items).toEqual([deletedBeside(12, 0), skipped(1)]);
		expect([has(12), has(13), lookUpsOf(testbed).length]).toEqual([false, true, 2]);
	});

	it.each<[INodeParameters, number[], boolean[]]>([
		[{}, [], [true, true]],
		[{ onMultipleMatches: 'error' }, [], [true, true]],
		[{ onMultipleMatches: 'updateFirst' }, [12], [false, true]],
		[{ onMultipleMatches: 'all' }, [12, 13], [false, false]],
	])('a deletion by match with several matching records and %j', async (options, gone, left) => {
		setReference('KEY-1', 12, 13);
		const result = await testbed.run({ ...deleteBy, options }, [{ Reference: 'KEY-1' }]);
		expect(result.items).toEqual(gone.map((id) => deleted(id, 0)));
		const expectedError = gone.length > 0 ? /^$/ : /^2 records match 'KEY-1' in 'Reference'/;
		expect(result.error?.message ?? '').toMatch(expectedError);
		expect([has(12), has(13)]).toEqual(left);
	});

	it('a failed deletion by match says which records were deleted before it', async () => {
		setReference('KEY-1', 12, 13);
		testbed.refuse(({ method, path }) => method === 'DELETE' && path.endsWith('/13'));
		const options = { onMultipleMatches: 'all' };
		const result = await testbed.run({ ...deleteBy, options }, [{ Reference: 'KEY-1' }]);
		expect(result.error?.description).toMatch(/record 13; deleted before it: 12\./);
	});

	it('a deletion by match compares the stored form of a time that was read with Time Zone, or rejects it', async () => {
		const { deliveryTime } = orders.fields;
		testbed.order(12).set(deliveryTime, '2026/01/15 10:00:00');
		testbed.order(13).set(deliveryTime, '2026/01/15 18:00:00');
		const get = { ...deleteOrder, operation: 'get', options: { timeZone: 8 } };
		const read = (await testbed.run(get, [{ id: 12 }])).items[0]?.json;
		expect(read?.['Delivery Time']).toBe('2026/01/15 18:00:00');
		const byTime = { ...deleteBy, matchFields: ['Delivery Time'] };
		const exists = { ...byTime, operation: 'ifExists' };
		setReference('KEY-13', 13);
		const ofOther = { ...exists, matchFields: ['Delivery Time', 'Reference'] };
		const items = [{ ...read, Reference: 'KEY-13' }];
		expect((await testbed.run(ofOther, items)).items).toEqual([]);
		expect((await testbed.run(byTime, [{ ...read }])).items).toEqual([deleted(12, 0)]);
		for (const parameters of [byTime, exists]) {
			const { error } = await testbed.run(parameters, [{ ...read }]);
			expect(error?.message).toContain("'Delivery Time' to match on has no value");
		}
		expect(has(13)).toBe(true);
	});

	it.each([
		{ options: { timeZone: 0 }, comparesTimes: true },
		{ options: {}, comparesTimes: false },
	])(
		'a time that was read with $options is compared with the stored time: $comparesTimes',
		async (row) => {
			testbed.order(12).set(orders.fields.deliveryTime, '2026/01/15 10:00:00');
			const get = { ...deleteOrder, operation: 'get', options: row.options };
			const read = (await testbed.run(get, [{ id: 12 }])).items[0]?.json;
			testbed.service.requests.clear();
			const byTime = { ...deleteBy, matchFields: ['Delivery Time'] };
			expect((await testbed.run(byTime, [{ ...read }])).items).toEqual([deleted(12, 0)]);
			expect(testbed.readUrls.some((url) => url.includes('tz=0'))).toBe(row.comparesTimes);
		},
	);

	it.each(['', null, []])(
		'the error for an item with an empty match field (%j) says that it is empty',
		async (value) => {
			const { error } = await testbed.run(deleteBy, [{ Customer: 'Acme', Reference: value }]);
			expect(error?.message).toBe("The field 'Reference' to match on has no value in this item");
			expect(error?.description).toMatch(/^The item has the field, but it is empty\./);
		},
	);

	it.each(['delete', 'ifExists'])(
		'the error for an item without a value to match on lists the fields of the item: %s',
		async (operation) => {
			const items = [{ Customer: 'Acme', Town: 'Graz' }];
			const { error } = await testbed.run({ ...deleteBy, operation }, items);
			expect(error?.message).toBe("The field 'Reference' to match on has no value in this item");
			expect(error?.description).toMatch(/^The fields of the item are 'Customer', 'Town'\./);
			expect(testbed.service.requests.all()).toEqual(testbed.reads);
			expect(lookUpsOf(testbed)).toEqual([]);
		},
	);

	it.each<[string, INodeParameters, object[], RegExp]>([
		['a mask', { matchFields: ['Internal Margin'] }, [{ 'Internal Margin': '**' }], /Margin'/],
		['an empty value', {}, [{ Reference: '' }, { Reference: null }, { City: 'Oslo' }], /no value/],
		['no field', { matchFields: '={{ [] }}' }, [{ Reference: 'KEY-1' }], /No field to match on/],
		['an unknown field', { matchFields: ['Nothing'] }, [{ Nothing: 'x' }], /not a field/],
		[
			'no choice',
			{ ...deleteOrder, deleteBy: '={{ $json.by }}' },
			[{ by: '' }],
			/By' has no value/,
		],
	])(
		'a deletion is rejected for %s, and deletes nothing',
		async (_, overrides, items, expectedError) => {
			const inputItems = items.map((item) => ({ id: 12, ...item }));
			await testbed.expectRefused({ ...deleteBy, ...overrides }, inputItems, expectedError);
		},
	);
});
