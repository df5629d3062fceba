import type { RunResult } from '../engine/runner';
import { customers, orders, type ReferenceService } from '../service';
import { claim, type Claim } from './claim';
import { emphasised, print, printTable } from './display';
import type { Observation, OrderState } from './observation';
import { show } from './observedRun';

const workflowPath = 'test/workflows/records.json';

/** Runs the workflow against the reference service, shows it, and checks it. Answers the exit code. */
export async function showRecords(): Promise<number> {
	const exitCode = await show(workflowPath, (service) => ({
		title: `in n8n's engine, against ${service.baseUrl}`,
		claims: ({ observation, result }) => {
			print('The nodes keep to five requests a second; that is where the seconds go.');
			print();
			printOrders(observation);
			print();
			return claims(observation, result, service);
		},
	}));
	if (exitCode === 0) {
		print('What the nodes said and did was checked against what the service holds.');
	}
	return exitCode;
}

function printOrders(observation: Observation) {
	print(`Demo orders at the service: ${observation.counts()}.`);
	print('Before they were deleted they were:');
	print();
	printTable(
		['Record', 'Reference', 'Customer', 'Date', 'Status', 'Total', 'Remark'],
		observation
			.after('List Again')
			.map(({ id, reference, customerName, orderDate, status, total, remark }) => [
				String(id),
				reference,
				customerName,
				orderDate,
				status,
				total,
				remark,
			]),
	);
}

/** What somebody who has seen all this may want. */
export function printNextSteps() {
	print();
	print(emphasised('What to try next'));
	print();
	print('  npm run service      start the service alone: it prints its address, its keys and');
	print('                       a certificate to trust, for curl or for an n8n of your own');
	print(`  in n8n               install this package, import ${workflowPath}, and`);
	print('                       choose a credential for the service in its Sheet Records nodes');
	print('  npm test             everything else that the nodes promise');
}

/** What the demonstration says of the run, each statement checked against the service. */
function claims(observation: Observation, result: RunResult, service: ReferenceService): Claim[] {
	const created = observation.after('Create Orders');
	const shipped = observation.after('Mark as Shipped');
	const changed = observation.after('Change or Add');
	const deleted = observation.after('Delete Orders');
	const said = (node: string, field: string) => result.outputs(node).map(({ json }) => json[field]);

	return [
		claim(
			"Three orders were created, with dates in the service's form and rows in the subtable",
			['at first', references(observation.before), []],
			['orders', references(created), ['DEMO-1', 'DEMO-2', 'DEMO-3']],
			[
				'dates',
				created.map((order) => order.orderDate),
				['2026/03/02', '2026/03/03', '2026/03/04'],
			],
			['rows', created.map((order) => order.lines), [1, 2, 1]],
		),
		claim(
			'The service computed their totals and loaded their customers, as asked',
			['totals', created.map((order) => order.total), ['98.00', '1281.00', '55.00']],
			['customers', created.map((order) => order.customerName), customerNames(created, service)],
		),
		claim('The list came in the order asked for, by total, which is not the order of the ids', [
			'listed',
			said('List by Total', 'Reference'),
			references([...created].sort((left, right) => Number(right.total) - Number(left.total))),
		]),
		claim('Each listed order was marked as shipped, and nothing else in it changed', [
			'orders',
			shipped,
			created.map((order) => ({ ...order, status: 'Shipped' })),
		]),
		claim(
			'Of two late changes one found its order by reference, the other became a new order',
			['orders', references(changed), ['DEMO-1', 'DEMO-2', 'DEMO-3', 'DEMO-4']],
			['changed order', changed[1], { ...shipped[1], remark: 'Deliver on a Friday' }],
			['node said', said('Change or Add', '_action'), ['updated', 'created']],
		),
		claim(
			'A second list read all four, and every one of them was deleted',
			['listed', said('List Again', 'Reference'), references(changed)],
			['left', references(deleted), []],
		),
		claim(`The other ${service.data.sheet(orders).records.size} orders are what they were`, [
			'same',
			observation.others() === observation.othersBefore,
			true,
		]),
	];
}

function references(states: OrderState[]): string[] {
	return states.map(({ reference }) => reference);
}

function customerNames(states: OrderState[], { data }: ReferenceService): string[] {
	const { customerNumber, name } = customers.fields;
	const all = [...data.sheet(customers).records.values()];
	return states.map((order) => {
		const customer = all.find((record) => record.text(customerNumber) === order.customerNumber);
		return customer?.text(name) ?? 'no such customer';
	});
}
