import type { SheetRecord } from '../../../nodes/api/read/record';
import {
	checkDeletions,
	firstDeletionCheck,
	noteExisting,
} from '../../../nodes/SheetRecordsPollingTrigger/deletionCheck';

const idsFrom = (first: number, count: number) =>
	Array.from({ length: count }, (_, index) => String(first + index));

/** Returns a sheet with only these records. */
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

it('a check reads at most ten records, also if earlier lists lacked existing records', async () => {
	const check = firstDeletionCheck();
	const readsWith = async (listed: readonly string[]) => {
		const reader = {
			...readerOf(idsFrom(1, 100)),
			async *fetchIds() {
				yield [...listed];
			},
		};
		const fetchRecord = jest.spyOn(reader, 'fetchRecord');
		await checkDeletions(check, reader, 2_000, 1_700_000_000_000);
		return fetchRecord.mock.calls.length;
	};
	await readsWith(idsFrom(1, 100));
	expect(await readsWith(idsFrom(11, 90))).toBe(10);
	// Three more records are missing.
	expect(await readsWith(idsFrom(14, 87))).toBe(10);
});
