import type { SheetRecord } from '../../../nodes/api/read/record';
import {
	checkDeletions,
	firstDeletionCheck,
	noteExisting,
} from '../../../nodes/SheetRecordsPollingTrigger/deletionCheck';

const idsFrom = (first: number, count: number) =>
	Array.from({ length: count }, (_, index) => String(first + index));

/** A sheet that has these records alone. */
function readerOf(ids: readonly string[]) {
	const recordOf = (id: string): SheetRecord => ({ id, content: new Map() });
	return {
		hasConditions: false,
		async *fetchIds() {
			yield [...ids];
		},
		fetchRecord: async (id: string) => (ids.includes(id) ? recordOf(id) : undefined),
		fetchNewest: async () => ids.slice(0, 1).map(recordOf),
	};
}

it('the latest 1,000 deleted records are recognized when they are restored', async () => {
	const check = firstDeletionCheck();
	const now = 1_700_000_000_000;
	await checkDeletions(check, readerOf(idsFrom(1, 1_012)), 2_000, now);
	const deletedIds: string[] = [];
	for (let checks = 0; checks < 2; checks++) {
		const checked = await checkDeletions(check, readerOf(['1012']), 2_000, now + checks);
		deletedIds.push(...checked.deletedIds);
	}
	expect([...deletedIds].sort()).toEqual(idsFrom(1, 1_011).sort());
	expect(noteExisting(check, deletedIds.at(-1) ?? '')).toBe(true);
	expect(noteExisting(check, deletedIds[0] ?? '')).toBe(false);
});

it('a check reads at most ten records, also if earlier checks left some of them unread', async () => {
	const check = firstDeletionCheck();
	const now = 1_700_000_000_000;
	const readsOf = async (ids: readonly string[]) => {
		const reader = readerOf(ids);
		const fetchRecord = jest.spyOn(reader, 'fetchRecord');
		await checkDeletions(check, reader, 2_000, now);
		return fetchRecord.mock.calls.length;
	};
	await readsOf(idsFrom(1, 100));
	// Three more records are missing each time.
	for (const first of [31, 34, 37]) {
		expect(await readsOf(idsFrom(first, 101 - first))).toBeLessThanOrEqual(10);
	}
});
