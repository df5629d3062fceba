import type { IDataObject } from 'n8n-workflow';
import type { DeliveredRecord } from '../../../nodes/api/webhooks/delivery';
import { RecentDeliveries } from '../../../nodes/SheetRecordsTrigger/recentDeliveries';

const updateOf = (recordId: string | undefined): DeliveredRecord => ({
	recordId,
	event: 'UPDATE',
	content: new Map([['1', 'A']]),
});

/** The ids of those records whose content is another than when they came last. */
function changedIn(staticData: IDataObject, records: DeliveredRecord[]) {
	const recent = new RecentDeliveries('node', staticData);
	recent.noteDelivery({ event: 'UPDATE', records }, 0);
	const changed = records.filter((record) => !recent.noteContent(record));
	recent.store();
	return changed.map(({ recordId }) => recordId);
}

it('a record without an id is neither repeated nor unchanged', () => {
	const recent = new RecentDeliveries('no ids', {});
	for (let count = 0; count < 2; count++) {
		const records = [updateOf(undefined)];
		expect(recent.noteDelivery({ event: 'UPDATE', records }, 0)).toBe(false);
		expect(records.some((record) => recent.noteContent(record))).toBe(false);
	}
});

it('2,000 records are remembered and no more: the oldest is emitted once more', () => {
	const staticData: IDataObject = {};
	const ids = Array.from({ length: 2_000 }, (_, index) => `${index + 1}`);
	changedIn(staticData, ids.map(updateOf));
	expect(JSON.stringify(staticData).length).toBeLessThan(400_000);
	const changed = ['2001', '3', '1'].map((id) => changedIn(staticData, [updateOf(id)]));
	expect(changed).toEqual([['2001'], [], ['1']]);
	expect(JSON.parse(String(staticData.recentDeliveries))).toHaveLength(2_000);
});
