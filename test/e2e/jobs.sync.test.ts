import { orders } from '../service';
import { example } from './chain';
import type { Execution, SavedCredential } from './editor';
import { useSharedN8n } from './n8nTestbed';

/** Jobs that make a sheet what tables of n8n say. */
const testbed = useSharedN8n();
const { fields, subtables } = orders;

let credential: SavedCredential;

beforeAll(async () => {
	credential = await testbed.apiKey('admin');
});

beforeEach(() => testbed.service.reset());

const order = (id: number) => testbed.service.data.record(orders, id);
const writes = () => testbed.service.requests.all().filter(({ method }) => method === 'POST');

async function runJob(): Promise<Execution> {
	const job = example('jobs/ordersWithLines');
	const execution = await testbed.runFrom('Every Night', job, credential);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	return execution;
}

it('orders with lines, every night: rows are made those of the table, once, and what was refused is told', async () => {
	const { article, quantity } = subtables.lines.fields;
	const linesOf = (id: number) =>
		[...order(id).rows(subtables.lines.id).values()].map((row) => [
			...[row.get(article), row.get(quantity)],
		]);
	order(11).set(fields.reference, 'SHOP-11');
	order(12).set(fields.reference, 'SHOP-12');
	const customer = (id: number) => order(id).text(fields.customerNumber);
	const line = (number: string, name: string, count: string) => ({
		...{ order: number, article: name, quantity: count, price: '5' },
	});
	await testbed.editor.createDataTable(
		'orders',
		['number', 'customer'],
		[
			{ number: 'SHOP-11', customer: customer(11) },
			{ number: 'SHOP-12', customer: customer(12) },
			{ number: 'SHOP-13', customer: '' },
		],
	);
	await testbed.editor.createDataTable(
		'order_lines',
		['order', 'article', 'quantity', 'price'],
		[
			...[line('SHOP-11', 'Chair', '2'), line('SHOP-11', 'Lamp', '1')],
			...[line('SHOP-12', 'Desk', '3'), line('SHOP-13', 'Vase', '1')],
		],
	);
	const execution = await runJob();
	expect([linesOf(11), linesOf(12)]).toEqual([
		[
			['Chair', '2'],
			['Lamp', '1'],
		],
		[['Desk', '3']],
	]);
	expect(execution.json('Create or Update').map(({ _action }) => _action)).toEqual([
		...['updated', 'updated'],
	]);
	expect(execution.json('Tell Someone')).toHaveLength(1);

	// The next run has nothing left to write but what was refused.
	const seen = writes().length;
	const again = await runJob();
	expect(again.json('Create or Update').map(({ _action }) => _action)).toEqual([
		...['unchanged', 'unchanged'],
	]);
	expect(writes().length - seen).toBe(1);
});
