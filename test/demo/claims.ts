import type { RunResult } from '../engine/runner';
import { customers, orders, type ReferenceService } from '../service';
import { print, refused } from './display';
import type { Observation, OrderState } from './observation';

/** A statement about the run, and where what was found differs from it. */
export interface Claim {
	claim: string;
	differences: string[];
}

type Comparison = [what: string, found: unknown, expected: unknown];

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
	const requests = service.requests.all();

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
		claim(
			`All ${requests.length} requests were answered with 200, one at a time`,
			['others', requests.filter(({ status }) => status !== 200).map(({ rawUrl }) => rawUrl), []],
			['most at once', Math.max(...requests.map((request) => request.inFlightAtStart)) + 1, 1],
		),
		claim('Nothing that n8n stored, showed or logged holds the API key', [
			'found',
			keyForms(service).some((form) => result.recorded.includes(form)),
			false,
		]),
	];
}

/** A statement that holds when every found value is the expected one. */
export function claim(text: string, ...comparisons: Comparison[]): Claim {
	const differences = comparisons.flatMap(([what, found, expected]) => {
		const [foundText, expectedText] = [JSON.stringify(found), JSON.stringify(expected)];
		return foundText === expectedText ? [] : [`${what}: ${foundText}, not ${expectedText}`];
	});
	return { claim: text, differences };
}

/** Prints statements, and answers how many do not hold. */
export function printClaims(all: Claim[]): number {
	for (const { claim, differences } of all) {
		print(`${differences.length === 0 ? 'yes' : refused('NO ')}  ${claim}`);
		for (const difference of differences) print(`       ${difference}`);
	}
	return all.filter(({ differences }) => differences.length > 0).length;
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

/** The key as it may stand in a header or in an address. */
export function keyForms({ identities }: ReferenceService): string[] {
	const { apiKey } = identities.admin;
	return [apiKey, encodeURIComponent(apiKey)];
}
