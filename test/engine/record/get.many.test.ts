import { orders, type SeenRequest } from '../../service';
import { numbers, onOrder, useRecordTestbed } from '../recordTestbed';
import { onLines, rowIdsOf } from '../subtableRow/rowTestbed';

const testbed = useRecordTestbed();
const { fields } = orders;
const getOrder = onOrder('get');
const isList = ({ path }: SeenRequest) => path === '/acme/sales/orders/1';
const lists = () => testbed.reads.filter(isList);

it('records that a list does not contain are read one by one, and fail separately', async () => {
	const ids = [...numbers(30), 99_999, 5, 99_999];
	for (const id of numbers(30)) testbed.order(id).set(fields.remark, `${id}`);
	const { people } = testbed.service;
	people.massChange(orders, numbers(28), ({ id }) => ({ [fields.remark]: `new ${id}` }));
	people.massChange(orders, numbers(70, 31), () => ({}));
	testbed.refuse(({ path }) => path.endsWith('/1/30'));
	// Records 29 and 30 are missing in lists.
	testbed.orders.fixedFilter = [{ fieldId: fields.remark, operator: 'like', value: 'new' }];
	const items = ids.map((id) => ({ id }));
	const result = await testbed.runAll(getOrder, items);
	expect(result.items.map(({ json, pairedItem }) => [json.Remark, pairedItem])).toEqual([
		...numbers(28).map((id) => [`new ${id}`, { item: id - 1 }]),
		['29', { item: 28 }],
		['new 5', { item: 31 }],
	]);
	testbed.expectErrors(result, { 29: 'No.', 30: 'no record 99999', 32: 'no record 99999' });
	const single = testbed.reads.filter((request) => !isList(request)).map(({ path }) => path);
	expect(single.map((path) => path.split('/').pop())).toEqual(['29', '30', '99999', '99999']);
});

it('reads with other options, or of another sheet, are separate requests', async () => {
	const keys = (item: number) => (item % 2 ? 'id' : 'name');
	const ids = [...numbers(40), ...numbers(40)];
	const items = ids.map((id, item) => ({ id, fieldKeys: keys(item) }));
	const options = { fieldKeys: '={{ $json.fieldKeys }}' };
	const result = await testbed.run({ ...getOrder, options }, items);
	expect(result.records).toEqual(items.map(({ id }, item) => `${id} #${item}`));
	for (const [item, { json }] of result.items.entries()) {
		expect(Object.keys(json).includes(item % 2 ? fields.reference : 'Reference')).toBe(true);
	}
	expect(new Set(lists().map(({ rawUrl }) => /naming=\w+/.exec(rawUrl)?.[0])).size).toBe(2);
	expect(testbed.reads.length).toBeLessThan(8);
});

it('a row that is deleted twice does not exist the second time, however many rows are read together', async () => {
	const orderIds = numbers(60).filter((id) => rowIdsOf(testbed.service, id).length > 0);
	const firstLine = (order: number) => rowIdsOf(testbed.service, order)[0];
	const allIds = [...orderIds, ...orderIds.slice(0, 1)];
	const items = allIds.map((order) => ({ order, line: firstLine(order) }));
	const remove = onLines('delete', { rowId: '={{ $json.line }}' });
	const result = await testbed.runAll(remove, items);
	expect(result.records).toEqual(orderIds.map((id, item) => `${id} #${item}`));
	testbed.expectErrors(result, { [orderIds.length]: 'no row' });
	expect(testbed.reads.length).toBeLessThan(6);
});
