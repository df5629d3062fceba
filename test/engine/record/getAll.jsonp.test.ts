import { orders } from '../../service';
import { linksOf, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const getOrders = { operation: 'getAll', sheet: sheet(orders) };

function idsIn(jsonp: unknown, name: string): string[] {
	const text = String(jsonp);
	expect(text.startsWith(`${name}(`) && text.endsWith(')')).toBe(true);
	const keys = Object.keys(JSON.parse(text.slice(name.length + 1, -1)));
	return keys.filter((key) => /^\d+$/.test(key));
}

it('comes back unparsed, one item for a page', async () => {
	const options = { callback: 'show.records_1', pageSize: 200 };
	const result = await testbed.run({ ...getOrders, returnAll: true, options });
	expect(linksOf(result.items)).toEqual([{ item: 0 }, { item: 0 }]);
	expect(result.items.map(({ json }) => Object.keys(json))).toEqual([['jsonp'], ['jsonp']]);
	const pages = result.items.map(({ json }) => idsIn(json.jsonp, 'show.records_1'));
	// Each page begins with the last record of the one before.
	expect(pages.map(({ length }) => length)).toEqual([200, 101]);
	expect(new Set(pages.flat()).size).toBe(300);
	expect(testbed.reads[0]?.rawUrl).toBe(
		'/acme/sales/orders/1?api&naming=FNAME&version=2025-01-01&callback=show.records_1&limit=200&offset=0',
	);
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
