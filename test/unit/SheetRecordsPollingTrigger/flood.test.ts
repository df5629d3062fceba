import { amount } from '../../amount';
import type { Cursor } from '../../../nodes/SheetRecordsPollingTrigger/cursor';
import {
	cursorBehind,
	mostCompared,
	readChanges,
} from '../../../nodes/SheetRecordsPollingTrigger/cursor';
import type { ChangeRange } from '../../../nodes/SheetRecordsPollingTrigger/sheetReader';
import { stateKey, timeOf } from '../../../nodes/SheetRecordsPollingTrigger/sheetReader';
import { fromText, noteWatched, toText } from '../../../nodes/SheetRecordsPollingTrigger/pollState';
import { readAfter } from '../../../nodes/api/read/pages';
import type { SheetRecord } from '../../../nodes/api/read/record';
import { SimulatedSheet } from './simulatedSheet';

/** Polls a list that does not change, once a minute. Between two polls the cursor is a text. */
class PolledList {
	text = toText(cursorBehind([], 0));
	requests = 0;
	readonly isTimeOver = false;
	private now = 0;

	/** @param records in the order of their times */
	constructor(
		private readonly records: readonly SheetRecord[],
		private readonly isFiltered = true,
	) {}

	async poll(isWanted = () => true, most?: number): Promise<string[]> {
		this.now += 60_000;
		const cursor = fromText<Cursor>(this.text);
		const changes = await readChanges(cursor, this, isWanted, () => this.now, most);
		this.text = toText(cursor);
		return changes.map(({ record }) => record.id);
	}

	async newest(limit: number) {
		return [...this.records].reverse().slice(0, limit);
	}

	async read(...[since, most, after]: ChangeRange) {
		const isListed = (record: SheetRecord) => timeOf(record) >= since || !this.isFiltered;
		const first = this.records.findIndex(isListed);
		const listed = first === -1 ? [] : this.records.slice(first);
		const readPage = async ({ offset, limit }: { offset: number; limit: number }) => {
			this.requests += 1;
			return listed.slice(offset, offset + limit);
		};
		return await readAfter(readPage, most, after, stateKey);
	}
}

/** Records that were created one after the other. */
function createdRecords(count: number, secondsBetween: number): SheetRecord[] {
	const sheet = new SimulatedSheet({ lag: 0, finest: 1 });
	for (let each = 0; each < count; each++, sheet.now += secondsBetween) sheet.create('new');
	return sheet.found().map((version) => sheet.record(version));
}

const none = () => false;

it('a hundred thousand records that change in one second come once each', async () => {
	const records = createdRecords(amount(6_000, 100_000), 0);
	const list = new PolledList(records);
	const most = amount(2_000, 20_000);
	const emitted: string[] = [];
	const lengths: number[] = [];
	for (let quiet = 0; quiet < 20;) {
		const ids = await list.poll(undefined, most);
		emitted.push(...ids);
		lengths.push(list.text.length);
		quiet = ids.length === 0 ? quiet + 1 : 0;
	}
	expect(emitted.length).toBe(records.length);
	expect(new Set(emitted).size).toBe(records.length);
	expect(Math.max(...lengths)).toBeLessThan(40 * records.length);
	expect(lengths.at(-1)).toBeLessThan(40 * mostCompared);
	// Once for the portions, again for what the index may be late with, and then nothing.
	expect(list.requests).toBeLessThan(8 * (records.length / most) + 20);
});

it('many records that changed one after the other, none of them wanted, are gone through once', async () => {
	const records = createdRecords(amount(4_000, 20_000), 6);
	const list = new PolledList(records);
	expect(await list.poll(none)).toEqual([]);
	expect(list.requests).toBeLessThanOrEqual(records.length / 1_000 + 1);
	expect(list.text.length).toBeLessThan(40 * records.length);
	list.requests = 0;
	expect(await list.poll(none)).toEqual([]);
	expect(list.requests).toBe(1);
});

it('what is found from before the time that was asked for is passed over', async () => {
	const list = new PolledList(createdRecords(1, 0), false);
	expect(await list.poll(none)).toEqual([]);
	// After twelve minutes it is not even known any more that it was there.
	for (let polls = 0; polls < 20; polls++) expect(await list.poll()).toEqual([]);
});

it('of watched fields the last 3,000 records are known', () => {
	const watched = new Map();
	const content = new Map([['Status', 'open']]);
	for (let id = 0; id < 3_001; id++) noteWatched(watched, { id: `${id}`, content }, ['Status']);
	expect([1, 3_000, 0].map((id) => watched.has(`${id}`))).toEqual([true, true, false]);
});

it.each([[[]], [[5]], [[7, 5, 1_000_000]]])('ids of a deletion check are read back: %j', (ids) => {
	const known = new Set(ids.map(String));
	const check = { known, held: new Set(['5']), checkedAt: 3, emptySince: 2 };
	expect(fromText(toText(check))).toEqual(check);
});
