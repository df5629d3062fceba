import type { IDataObject } from 'n8n-workflow';
import { webhookEvents, type DeliveredRecord } from '../../../nodes/api/webhooks/delivery';
import { RecentDeliveries } from '../../../nodes/SheetRecordsTrigger/recentDeliveries';

const unchanged = { skipRepeats: false, skipUnchanged: true };
const repeats = { skipRepeats: true, skipUnchanged: false };

/** Changed records in short: their event, and their IDs with what they hold, as in `UPDATE 1=A 2=B`. */
function recordsOf(delivery: string) {
	const [event = '', ...records] = delivery.split(' ');
	return records.map((record) => {
		const [recordId, text = ''] = record.split('=');
		return {
			recordId,
			event: webhookEvents.find((name) => name === event),
			content: new Map([['1', text]]),
		};
	});
}

let nodes = 0;

/** What is emitted of a delivery. */
function emittedOf(
	recent: RecentDeliveries,
	records: DeliveredRecord[],
	skipping: typeof repeats,
	now = 0,
) {
	const isRepeat = recent.noteDelivery({ event: records[0]?.event, records }, now);
	if (isRepeat && skipping.skipRepeats) return [];
	return records.filter((record) => !recent.noteContent(record) || !skipping.skipUnchanged);
}

/** A node that begins: returns what it emits of each delivery, in the same words. */
function node(skipping: typeof repeats, staticData: IDataObject = {}) {
	const key = `node ${nodes++}`;
	return (delivery: string): string => {
		const recent = new RecentDeliveries(key, staticData);
		const emitted = emittedOf(recent, recordsOf(delivery), skipping);
		recent.store();
		return emitted.map(({ recordId, content }) => `${recordId}=${content?.get('1')}`).join(' ');
	};
}

describe('a record', () => {
	it('is repeated within five minutes only', () => {
		const recent = new RecentDeliveries('minutes', {});
		const at = (minutes: number) =>
			emittedOf(recent, recordsOf('DELETE 1=A'), repeats, minutes * 60_000).length;
		expect([0, 1, 4, 6, 7, 5].map(at)).toEqual([1, 0, 0, 1, 0, 1]);
	});

	it('without an id is neither', () => {
		const recent = new RecentDeliveries('node', {});
		const both = { skipRepeats: true, skipUnchanged: true };
		const record = { recordId: undefined, event: 'UPDATE' as const, content: new Map() };
		for (let count = 0; count < 2; count++) {
			expect(emittedOf(recent, [record], both)).toEqual([record]);
		}
	});
});

it('2,000 records are remembered and no more: the oldest is emitted once more', () => {
	const staticData: IDataObject = {};
	const emit = node(unchanged, staticData);
	emit(`UPDATE ${Array.from({ length: 2_000 }, (_, index) => `${index + 1}=A`).join(' ')}`);
	expect(JSON.stringify(staticData).length).toBeLessThan(400_000);
	const deliveries = ['UPDATE 2001=A', 'UPDATE 3=A', 'UPDATE 1=A'];
	expect(deliveries.map(emit)).toEqual(['2001=A', '', '1=A']);
	expect(JSON.parse(String(staticData.recentDeliveries))).toHaveLength(2_000);
});
