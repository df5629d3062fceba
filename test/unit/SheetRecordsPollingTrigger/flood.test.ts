import { amount } from '../../amount';
import { comparedRecords, cursorAfter } from '../../../nodes/SheetRecordsPollingTrigger/cursor';
import { firstDeletionCheck } from '../../../nodes/SheetRecordsPollingTrigger/deletionCheck';
import { findChanges } from '../../../nodes/SheetRecordsPollingTrigger/findChanges';
import {
	parseState,
	stateText,
	type PollState,
} from '../../../nodes/SheetRecordsPollingTrigger/pollState';
import type { ChangeRange } from '../../../nodes/SheetRecordsPollingTrigger/sheetReader';
import { changesIn, updateTimeOf } from '../../../nodes/SheetRecordsPollingTrigger/sheetReader';
import { noteWatched } from '../../../nodes/SheetRecordsPollingTrigger/watchedValues';
import type { PageRange } from '../../../nodes/api/read/records';
import type { SheetRecord } from '../../../nodes/api/read/record';
import { SimulatedSheet } from './simulatedSheet';

function startState(): PollState {
	const cursor = { ...cursorAfter([], 0), startedEmptyAt: undefined };
	return { source: '', settings: '', cursor, deletions: firstDeletionCheck(), warnings: {} };
}

/** Polls an unchanging list once a minute. The state is serialized between two polls. */
class PolledList {
	text = stateText(startState());
	requests = 0;
	readonly isTimeOver = false;
	private now = 0;

	/** @param records sorted by their Last Update Date */
	constructor(
		private readonly records: readonly SheetRecord[],
		private readonly isFiltered = true,
	) {}

	async poll(isSelected = true, maxChanges?: number): Promise<string[]> {
		this.now += 60_000;
		const state = parseState(this.text);
		if (!state?.cursor) throw new Error('The stored state was not understood');
		const select = async <T>(changes: T[]) => (isSelected ? changes : []);
		const clock = () => this.now;
		const { changes } = await findChanges(state.cursor, this, select, { maxChanges, now: clock });
		this.text = stateText(state);
		return changes.map(({ record }) => record.id);
	}

	async fetchNewest(limit: number) {
		return [...this.records].reverse().slice(0, limit);
	}

	async fetchRecord(recordId: string) {
		return this.records.find(({ id }) => id === recordId);
	}

	async fetchChanges({ since, limit, after }: ChangeRange) {
		const isListed = (record: SheetRecord) => updateTimeOf(record) >= since || !this.isFiltered;
		const first = this.records.findIndex(isListed);
		const listed = first === -1 ? [] : this.records.slice(first);
		const readPage = async ({ offset, limit: size }: PageRange) => {
			this.requests += 1;
			return listed.slice(offset, offset + size);
		};
		return await changesIn(readPage, limit, after);
	}
}

/** Returns records created at regular intervals. */
function createdRecords(count: number, secondsBetween: number): SheetRecord[] {
	const sheet = new SimulatedSheet({ lag: 0, finest: 1 });
	for (let each = 0; each < count; each++, sheet.now += secondsBetween) sheet.create('new');
	return sheet.found().map((version) => sheet.record(version));
}

it('many records that change in the same second are emitted once each', async () => {
	const records = createdRecords(amount(6_000, 30_000, 100_000), 0);
	const list = new PolledList(records);
	const most = amount(2_000, 6_000, 20_000);
	const emitted: string[] = [];
	const lengths: number[] = [];
	for (let quiet = 0; quiet < 20;) {
		const ids = await list.poll(true, most);
		emitted.push(...ids);
		lengths.push(list.text.length);
		quiet = ids.length === 0 ? quiet + 1 : 0;
	}
	expect(emitted.length).toBe(records.length);
	expect(new Set(emitted).size).toBe(records.length);
	expect(Math.max(...lengths)).toBeLessThan(45 * records.length);
	expect(lengths.at(-1)).toBeLessThan(45 * comparedRecords);
	// Each record is read once in portions, and once more in case the index is late. Then nothing is read again.
	expect(list.requests).toBeLessThan(8 * (records.length / most) + 20);
});

it('a long list without a selected change is read once', async () => {
	const records = createdRecords(amount(4_000, 20_000), 6);
	const list = new PolledList(records);
	expect(await list.poll(false)).toEqual([]);
	expect(list.requests).toBeLessThanOrEqual(records.length / 1_000 + 1);
	expect(list.text.length).toBeLessThan(45 * records.length);
	list.requests = 0;
	expect(await list.poll(false)).toEqual([]);
	expect(list.requests).toBe(1);
});

it('records that changed before the start time are skipped', async () => {
	const list = new PolledList(createdRecords(1, 0), false);
	expect(await list.poll(false)).toEqual([]);
	// After twelve minutes, the node no longer remembers the record.
	for (let polls = 0; polls < 20; polls++) expect(await list.poll()).toEqual([]);
});

it('watched values are stored for the latest 3,000 records', () => {
	const watched = { ids: ['1000001'], values: new Map() };
	const keys = { keys: new Map([['1000001', 'Status']]), rowFields: new Map() };
	const content = new Map([['Status', 'open']]);
	for (let id = 0; id < 3_001; id++) noteWatched(watched, { id: `${id}`, content }, keys);
	expect([1, 3_000, 0].map((id) => watched.values.has(`${id}`))).toEqual([true, true, false]);
});
