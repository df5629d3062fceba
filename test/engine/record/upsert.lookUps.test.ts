import { customers, empty, orders, tasks } from '../../service';
import type { SeenRequest } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 2_500 });
const { fields } = orders;

const upsertByReference = {
	operation: 'upsert',
	sheet: sheet(orders),
	...autoMapped([fields.reference]),
};

const isLookUp = ({ rawUrl }: SeenRequest) => rawUrl.includes('where=');
const lookUps = () => testbed.reads.filter(isLookUp);
const actions = (items: Array<{ json: object }>) =>
	items.map(({ json }) => ('_action' in json ? json._action : undefined));

/** As many items as asked for: every second has a record to match, the others are new. */
function manyItems(count: number, reference = (index: number) => `KEY-${index}`) {
	return Array.from({ length: count }, (_, index) => {
		if (index % 2 === 0) {
			testbed.service.data.record(orders, index + 1).set(fields.reference, reference(index));
		}
		return { [fields.reference]: reference(index), [fields.customerNumber]: 'C-0001' };
	});
}

it('are few: 500 items that match on one field cost at most ten', async () => {
	const items = manyItems(500);
	const result = await testbed.run(upsertByReference, items);
	expect(result.status).toBe('success');
	expect(lookUps().length).toBeGreaterThan(0);
	expect(lookUps().length).toBeLessThanOrEqual(10);
	expect(testbed.reads.length - lookUps().length).toBeLessThanOrEqual(4);
	expect(testbed.writes).toHaveLength(500);
	expect(actions(result.items)).toEqual(
		items.map((_, index) => (index % 2 === 0 ? 'updated' : 'created')),
	);
	expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
		items.map((_, item) => ({ item })),
	);
	expect(testbed.service.data.sheet(orders).records.size).toBe(2750);
}, 120_000);

it('stay within addresses of 8,000 characters when values are long and must be encoded', async () => {
	const items = manyItems(60, (index) => `${index} ${'küche, '.repeat(30)}`);
	const result = await testbed.run(upsertByReference, items);
	expect(result.status).toBe('success');
	expect(Math.max(...lookUps().map(({ rawUrl }) => rawUrl.length))).toBeLessThan(8_000);
	expect(actions(result.items).filter((action) => action === 'updated')).toHaveLength(30);
	expect(testbed.service.data.sheet(orders).records.size).toBe(2530);
});

it('ask for field ids, without subtables', async () => {
	await testbed.run(upsertByReference, manyItems(1));
	expect(Object.fromEntries(lookUps()[0]?.query ?? [])).toMatchObject({
		naming: 'EID',
		subtables: '0',
		where: `${fields.reference},eq,KEY-0`,
	});
});

describe('two items with the same new key', () => {
	const items = [
		{ [fields.reference]: 'NEW', [fields.customerNumber]: 'C-0001', [fields.remark]: 'first' },
		{ [fields.reference]: 'NEW', [fields.remark]: 'second' },
		{ [fields.reference]: 'NEW', [fields.remark]: 'third' },
	];

	it.each([0, 60_000])('create one record (filters lag by %i ms)', async (lag) => {
		testbed.service.switches.filterLagMilliseconds = lag;
		const result = await testbed.run(upsertByReference, items);
		expect(
			result.items.map(({ json, pairedItem }) => [json._recordId, json._action, pairedItem]),
		).toEqual([
			[2501, 'created', { item: 0 }],
			[2501, 'updated', { item: 1 }],
			[2501, 'updated', { item: 2 }],
		]);
		expect(testbed.service.data.record(orders, 2501).text(fields.remark)).toBe('third');
		expect(testbed.service.data.sheet(orders).records.size).toBe(2501);
	});

	it('create one record after the first of them has failed', async () => {
		testbed.service.faults.inject({
			kind: 'body',
			body: '{"status":"ERROR","code":109,"msg":"Full"}',
			when: ({ method }) => method === 'POST',
		});
		const complete = items.map((item) => ({ ...item, [fields.customerNumber]: 'C-0001' }));
		const result = await testbed.run(upsertByReference, complete, {
			onError: 'continueErrorOutput',
		});
		expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(actions(result.items)).toEqual(['created', 'updated']);
	});
});

describe('sheets that differ from item to item', () => {
	it('are looked up each for itself', async () => {
		testbed.service.data.record(tasks, 7).set(tasks.fields.title, 'Same');
		const result = await testbed.run(
			{
				operation: 'upsert',
				sheet: { __rl: true, mode: 'path', value: '={{ $json.sheet }}' },
				...asJson('={{ ({ Title: $json.title }) }}'),
				matchFields: ['Title'],
			},
			[
				{ sheet: 'archive/2024/tasks/7', title: 'Same' },
				{ sheet: 'sales/empty/9', title: 'Same' },
				{ sheet: 'archive/2024/tasks/7', title: 'Other' },
				{ sheet: 'sales/empty/9', title: 'Same' },
			],
		);
		expect(
			result.items.map(({ json, pairedItem }) => [json._recordId, json._action, pairedItem]),
		).toEqual([
			[7, 'updated', { item: 0 }],
			[0, 'created', { item: 1 }],
			[41, 'created', { item: 2 }],
			[0, 'updated', { item: 3 }],
		]);
		expect(testbed.service.data.sheet(empty).records.size).toBe(1);
	});
});

describe('a silent cap on pages', () => {
	it('of 1000 hides no match', async () => {
		for (let id = 1; id <= 1001; id += 1) {
			testbed.service.data.record(orders, id).set(fields.reference, 'MANY');
		}
		testbed.service.switches.maximumLimit = 1000;
		const { items } = await testbed.run(
			{ ...upsertByReference, options: { onMultipleMatches: 'updateFirst' } },
			[{ [fields.reference]: 'MANY', [fields.remark]: 'x' }],
		);
		expect(items.map(({ json }) => [json._recordId, json._action])).toEqual([[1, 'updated']]);
		expect(lookUps().map(({ query }) => Object.fromEntries(query).offset)).toEqual(['0', '999']);
		expect(testbed.service.data.sheet(orders).records.size).toBe(2500);
	});
});

describe('a look-up that fails', () => {
	const items = [
		{ 'Customer Number': 'C-0001', Name: 'a' },
		{ 'Customer Number': 'C-0002', Name: 'b' },
		{ 'Customer Number': 'C-0003', Name: 'c' },
	];
	const upsertCustomer = {
		operation: 'upsert',
		sheet: sheet(customers),
		...autoMapped([customers.fields.customerNumber]),
	};
	const refusal = {
		kind: 'body' as const,
		body: '{"status":"ERROR","code":106,"msg":"No access right."}',
		times: 2,
		when: isLookUp,
	};

	it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'fails every item of its batch with %s, and writes nothing',
		async (onError) => {
			testbed.service.faults.inject(refusal);
			const result = await testbed.run(upsertCustomer, items, { onError });
			const apart = onError === 'continueErrorOutput';
			const failed = apart ? result.errorItems : result.items;
			expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([
				{ item: 0 },
				{ item: 1 },
				{ item: 2 },
			]);
			const told = apart
				? { error: expect.stringMatching(/No access right.*\bcode 106\b/i) }
				: {
						error: expect.stringContaining('No access right'),
						details: expect.objectContaining({ code: 106 }),
					};
			expect(failed.map(({ json }) => json)).toEqual(
				items.map((item) => (apart ? { ...item, ...told } : told)),
			);
			expect(lookUps()).toHaveLength(2);
			expect(testbed.writes).toEqual([]);
		},
	);

	it('stops the workflow at its first item', async () => {
		testbed.service.faults.inject(refusal);
		const result = await testbed.run(upsertCustomer, items);
		expect(result.error).toMatchObject({
			message: expect.stringContaining('No access right'),
			context: { itemIndex: 0 },
		});
		expect(testbed.writes).toEqual([]);
	});

	it('does not fail the items of other sheets', async () => {
		testbed.service.faults.inject(refusal);
		const result = await testbed.run(
			{
				operation: 'upsert',
				sheet: { __rl: true, mode: 'path', value: '={{ $json.sheet }}' },
				...asJson('={{ ({ Title: $json.title }) }}'),
				matchFields: ['Title'],
			},
			[
				{ sheet: 'sales/empty/9', title: 'a' },
				{ sheet: 'archive/2024/tasks/7', title: 'b' },
				{ sheet: 'sales/empty/9', title: 'c' },
			],
			{ onError: 'continueErrorOutput' },
		);
		expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 2 },
		]);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	});

	it('is repeated when it may pass: it only asks', async () => {
		const headers = { 'retry-after': '0' };
		testbed.service.faults.inject({
			kind: 'status',
			status: 503,
			headers,
			when: isLookUp,
			times: 2,
		});
		const result = await testbed.run(upsertCustomer, items);
		expect(actions(result.items)).toEqual(['updated', 'updated', 'updated']);
		expect(testbed.writes).toHaveLength(3);
	});

	it.each([
		['a web page', '<html><title>Busy</title></html>'],
		['a list in place of records', '[]'],
		['INVALID', '{"status":"INVALID","code":202,"msg":"x"}'],
	])('with %s creates nothing', async (_, body) => {
		testbed.service.faults.inject({ kind: 'body', body, when: isLookUp, times: Infinity });
		const result = await testbed.run(upsertCustomer, [{ 'Customer Number': 'C-9999', Name: 'x' }]);
		expect(result.status).toBe('error');
		expect(testbed.writes).toEqual([]);
	});
});

it('are not asked for an item that cannot be written, and the others go on', async () => {
	testbed.service.data.record(orders, 12).set(fields.reference, 'KEY-1');
	const result = await testbed.run(
		upsertByReference,
		[
			{ [fields.reference]: 'KEY-1', Remrk: 'x' },
			{ [fields.reference]: 'KEY-1', Remark: 'y' },
			{ Remark: 'no key' },
		],
		{ onError: 'continueErrorOutput' },
	);
	expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
	expect(result.items.map(({ json, pairedItem }) => [json._recordId, pairedItem])).toEqual([
		[12, { item: 1 }],
	]);
});
