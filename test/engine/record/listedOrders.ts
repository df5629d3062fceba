import { orders, type SheetRecord } from '../../service';
import type { RecordTestbed } from '../recordTestbed';

/** The orders as the service lists them without a wish: by creation. */
export function ordersByCreation({ service }: RecordTestbed): SheetRecord[] {
	const listed = [...service.data.sheet(orders).records.values()].sort(
		(left, right) => left.created.at - right.created.at,
	);
	return service.switches.defaultOrder === 'newestFirst' ? listed.reverse() : listed;
}

export function idsByCreation(testbed: RecordTestbed): number[] {
	return ordersByCreation(testbed).map(({ id }) => id);
}

/** The ids of the orders that ought to be found: some, and not all, as a test would prove nothing else. */
export function idsWhere(testbed: RecordTestbed, test: (record: SheetRecord) => boolean): number[] {
	const all = ordersByCreation(testbed);
	const found = all.filter(test);
	expect(found.length).toBeGreaterThan(0);
	expect(found.length).toBeLessThan(all.length);
	return found.map(({ id }) => id);
}

/** Returns the conditions of each requested list, unchanged. */
export function conditionsSent({ reads }: RecordTestbed): string[] {
	return reads
		.filter(({ rawUrl }) => rawUrl.includes('limit='))
		.flatMap(({ rawUrl }) => rawUrl.match(/(?<=[?&]where=)[^&]*/g) ?? []);
}
