import { amount } from '../../amount';
import { orders } from '../../service';
import { timeLimit } from '../../timeLimit';
import { usePollingTestbed } from './pollingTestbed';

// Many polls with many changes.
jest.setTimeout(timeLimit(60));

const polling = usePollingTestbed({ demoRecords: 300 });
const { fields } = orders;
const days = amount(6, 12);
const pollsPerDay = 4;

/** Creates 50 records and changes 25 old ones. */
function changeMany(): void {
	polling.passMinutes((24 * 60) / pollsPerDay);
	const [oldest = 1] = polling.service.data.sheet(orders).records.keys();
	for (let count = 0; count < 50; count++) polling.people.create(orders, {});
	for (let id = oldest; id < oldest + 25; id++) {
		polling.people.edit(orders, id, { [fields.remark]: `changed ${polling.requests.length}` });
	}
}

it(`without Record Deleted, the stored state does not grow in ${days} days with 300 changes a day`, async () => {
	const poller = await polling.begun({ options: { subtables: false } });
	const lengths: number[] = [];
	for (let polls = 0; polls < days * pollsPerDay; polls++) {
		changeMany();
		expect(await poller.poll()).toHaveLength(75);
		lengths.push(poller.staticDataLength);
	}
	// The 500 latest records with their digests, and the fields of the latest 50.
	expect(Math.max(...lengths)).toBeLessThan(60_000);
	const ofDay = (day: number) =>
		Math.max(...lengths.slice((day - 1) * pollsPerDay, day * pollsPerDay));
	expect(ofDay(days)).toBeLessThan(1.02 * ofDay(3));
});
