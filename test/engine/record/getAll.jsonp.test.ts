import { empty, orders } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed({ demoRecords: 2_500 });

const getOrders = { operation: 'getAll', sheet: sheet(orders), limit: 3 };

/** The records in a call of `name`. */
function argumentOf(jsonp: unknown, name: string): object {
	const text = String(jsonp);
	expect(text.startsWith(`${name}(`) && text.endsWith(')')).toBe(true);
	return JSON.parse(text.slice(name.length + 1, -1));
}

it('comes back unparsed, one item for a page', async () => {
	const result = await testbed.run({ ...getOrders, options: { callback: 'show.records_1' } });
	expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
	expect(Object.keys(result.items[0]?.json ?? {})).toEqual(['jsonp']);
	expect(Object.keys(argumentOf(result.items[0]?.json.jsonp, 'show.records_1'))).toHaveLength(3);
	expect(testbed.reads.map(({ query }) => query)).toEqual([
		expect.arrayContaining([
			['callback', 'show.records_1'],
			['naming', 'FNAME'],
			['version', '2025-01-01'],
			['limit', '3'],
		]),
	]);
});

it('has all pages', async () => {
	const result = await testbed.run({
		...getOrders,
		returnAll: true,
		options: { callback: 'show', pageSize: 1000, subtables: false },
	});
	const pages = result.items.map(({ json }) => Object.keys(argumentOf(json.jsonp, 'show')));
	// Each page begins with the last record of the one before.
	expect(pages.map((ids) => ids.length)).toEqual([1000, 1000, 502]);
	expect(new Set(pages.flat()).size).toBe(2500);
});

it('says no as JSON does', async () => {
	testbed.service.faults.inject({
		kind: 'body',
		body: 'show({"status":"ERROR","code":106,"msg":"No access right."})',
		times: 2,
	});
	const wrapped = await testbed.run({ ...getOrders, options: { callback: 'show' } });
	expect(wrapped.error).toMatchObject({ message: expect.stringContaining('No access right') });

	testbed.service.faults.inject({
		kind: 'body',
		body: '{"status":"ERROR","code":201,"msg":"Error processing request parameters."}',
	});
	const bare = await testbed.run({ ...getOrders, options: { callback: 'show' } });
	expect(bare.error).toMatchObject({ message: expect.stringContaining('request parameters') });
});

it('yields what the user chose when nothing is found', async () => {
	const options = { callback: 'show', emptyResult: 'emptyItem' };
	const result = await testbed.run({ operation: 'getAll', sheet: sheet(empty), options });
	expect(result.items.map(({ json }) => json)).toEqual([{}]);
});

it('is not asked for with a name that is none', async () => {
	const options = { callback: 'alert(1);show' };
	const result = await testbed.run({ ...getOrders, options });
	expect(result.error).toMatchObject({
		message: expect.stringContaining('JSONP Callback'),
		context: { itemIndex: 0 },
	});
	expect(testbed.service.requests.count).toBe(0);
});
