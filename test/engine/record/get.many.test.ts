import { orders, type SeenRequest } from '../../service';
import { errorsOf, recordId, recordsOf, sheet, useRecordTestbed } from '../recordTestbed';
import { onLines, rowIdsOf } from '../subtableRow/rowTestbed';

const testbed = useRecordTestbed();
const { fields } = orders;
const getOrder = { operation: 'get', sheet: sheet(orders), recordId: recordId('={{ $json.id }}') };
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const isList = ({ path }: SeenRequest) => path === '/acme/sales/orders/1';
const lists = () => testbed.reads.filter(isList);

it('of many records, those that a page does not hold are read by themselves, and fail by themselves', async () => {
	const ids = [...numbers(30), 99_999, 5, 99_999];
	const refused = '{"status":"ERROR","code":202,"msg":"No."}';
	for (const id of numbers(30)) testbed.service.data.record(orders, id).set(fields.remark, `${id}`);
	testbed.service.people.massChange(orders, numbers(28), ({ id }) => ({
		[fields.remark]: `new ${id}`,
	}));
	testbed.service.people.massChange(orders, numbers(100).slice(30), () => ({}));
	testbed.service.faults.inject({
		kind: 'body',
		body: refused,
		when: ({ path }) => path.endsWith('/1/30'),
	});
	// Nobody may list records 29 and 30.
	testbed.service.data.sheet(orders).fixedFilter = [
		{ fieldId: fields.remark, operator: 'like', value: 'new' },
	];
	const items = ids.map((id) => ({ id }));
	const result = await testbed.run(getOrder, items, { onError: 'continueErrorOutput' });
	expect(result.items.map(({ json, pairedItem }) => [json.Remark, pairedItem])).toEqual([
		...numbers(28).map((id) => [`new ${id}`, { item: id - 1 }]),
		['29', { item: 28 }],
		['new 5', { item: 31 }],
	]);
	expect(errorsOf(result.errorItems)).toEqual([
		[expect.stringContaining('No.'), { item: 29 }],
		[expect.stringContaining('no record 99999'), { item: 30 }],
		[expect.stringContaining('no record 99999'), { item: 32 }],
	]);
	const single = testbed.reads.filter((request) => !isList(request)).map(({ path }) => path);
	expect(single.map((path) => path.split('/').pop())).toEqual(['29', '30', '99999', '99999']);
});

it('reads by other options, or of another sheet, are others', async () => {
	const items = [...numbers(40), ...numbers(40)].map((id, item) => ({
		id,
		fieldKeys: item % 2 ? 'id' : 'name',
	}));
	const options = { fieldKeys: '={{ $json.fieldKeys }}' };
	const result = await testbed.run({ ...getOrder, options }, items);
	expect(recordsOf(result)).toEqual(items.map(({ id }, item) => [id, { item }]));
	for (const [item, { json }] of result.items.entries()) {
		expect(Object.keys(json).includes(item % 2 ? fields.reference : 'Reference')).toBe(true);
	}
	expect(new Set(lists().map(({ rawUrl }) => /naming=\w+/.exec(rawUrl)?.[0])).size).toBe(2);
	expect(testbed.reads.length).toBeLessThan(8);
});

it('a row that is deleted twice is not there the second time, however many are read together', async () => {
	const orderIds = numbers(60).filter((id) => rowIdsOf(testbed.service, id).length > 0);
	const items = [...orderIds, ...orderIds.slice(0, 1)].map((order) => ({
		order,
		line: rowIdsOf(testbed.service, order)[0],
	}));
	const remove = onLines('delete', { rowId: '={{ $json.line }}' });
	const result = await testbed.run(remove, items, { onError: 'continueErrorOutput' });
	expect(recordsOf(result)).toEqual(orderIds.map((id, item) => [id, { item }]));
	expect(errorsOf(result.errorItems)).toEqual([
		[expect.stringContaining('no row'), { item: orderIds.length }],
	]);
	expect(testbed.reads.length).toBeLessThan(6);
});
