import { orders, type SheetRecord } from '../../service';
import type { RecordTestbed } from '../recordTestbed';

/** Returns the orders in the default order of the service, by creation. */
export function ordersByCreation({ service }: RecordTestbed): SheetRecord[] {
	const listed = [...service.data.sheet(orders).records.values()].sort(
		(left, right) => left.created.at - right.created.at,
	);
	return service.switches.defaultOrder === 'newestFirst' ? listed.reverse() : listed;
}

export function idsByCreation(testbed: RecordTestbed): number[] {
	return ordersByCreation(testbed).map(({ id }) => id);
}

/** Returns the IDs of the matching orders. Fails if all or no orders match, because such a filter proves nothing. */
export function idsWhere(testbed: RecordTestbed, test: (record: SheetRecord) => boolean): number[] {
	const allOrders = ordersByCreation(testbed);
	const found = allOrders.filter(test);
	expect(found.length).toBeGreaterThan(0);
	expect(found.length).toBeLessThan(allOrders.length);
	return found.map(({ id }) => id);
}

/** Returns the conditions of each requested list, unchanged. */
export function conditionsSent({ reads }: RecordTestbed): string[] {
	return reads
		.filter(({ rawUrl }) => rawUrl.includes('limit='))
		.flatMap(({ rawUrl }) => rawUrl.match(/(?<=[?&]where=)[^&]*/g) ?? []);
}
