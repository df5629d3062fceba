import type { RunResult } from '../engine/runner';
import { customers, orders, type ReferenceService } from '../service';
import { claim, claimOfRequests, claimOfSecrets, type Claim } from './claim';
import type { Observation, OrderState } from './observation';

/** What the demonstration says of the run, each statement checked against the service. */
export function claims(
	observation: Observation,
	result: RunResult,
	service: ReferenceService,
): Claim[] {
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
		claimOfRequests(service),
		claimOfSecrets(result.recorded, service),
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
