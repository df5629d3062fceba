import type { IDataObject } from 'n8n-workflow';
import { amount } from '../../amount';
import type { ReadPage } from '../../../nodes/SheetRecordsPollingTrigger/changePages';
import { ChangeReader } from '../../../nodes/SheetRecordsPollingTrigger/changeReader';
import { DeletionCheck } from '../../../nodes/SheetRecordsPollingTrigger/deletionCheck';
import { GivenRecords } from '../../../nodes/SheetRecordsPollingTrigger/emittedRecords';
import { storeState } from '../../../nodes/SheetRecordsPollingTrigger/pollState';
import type { PollState } from '../../../nodes/SheetRecordsPollingTrigger/pollState';
import { WatchedRecords } from '../../../nodes/SheetRecordsPollingTrigger/watchedRecords';
import { digest } from '../../../nodes/api/json/digest';
import { packIds, unpackIds } from '../../../nodes/api/values/packedNumbers';
import { timeAt } from '../../../nodes/api/read/updateTimes';
import { SimulatedSheet } from './simulatedSheet';

const mostCharacters = amount(45_000, 200_000);

const readNothing: ReadPage = async () => [];

it('a hundred thousand records that change in one second come once each, while little is stored', async () => {
	const sheet = new SimulatedSheet({ lag: 0, finest: 1 });
	for (let count = 0; count < amount(6_000, 100_000); count++) {
		// Every third id is missing, as on a sheet from which records were deleted.
		sheet.create('new', count + Math.floor(count / 2));
	}
	const time = sheet.timeText(sheet.now);
	const records = sheet.found().map((version) => sheet.shown(version));
	let read = 0;
	const readPage: ReadPage = async (beginning, offset, limit) => {
		read += 1;
		return beginning !== undefined && beginning > time ? [] : records.slice(offset, offset + limit);
	};
	let now = 0;
	const most = amount(2_000, 20_000);
	let text = JSON.stringify((await ChangeReader.beginningBehind([], readNothing, now)).store());
	const given = new Set<string>();
	const lengths: number[] = [];
	for (let quiet = 0; quiet < 20;) {
		now += 60_000;
		const reader = ChangeReader.load(JSON.parse(text));
		const changes =
			(await reader?.read(
				readPage,
				() => true,
				() => now,
				most,
			)) ?? [];
		for (const { record } of changes) {
			if (given.has(record.id)) throw new Error(`${record.id} came twice`);
			given.add(record.id);
		}
		text = JSON.stringify(reader?.store());
		lengths.push(text.length);
		quiet = changes.length === 0 ? quiet + 1 : 0;
	}
	expect(given.size).toBe(records.length);
	expect(Math.max(...lengths)).toBeLessThan(mostCharacters);
	expect(lengths.at(-1)).toBeLessThan(500);
	// Once for the portions, again for what the index may be late with, and then nothing.
	expect(read).toBeLessThan(8 * (records.length / most) + 20);
});

it('what is stored stays under 200 kB, whatever it is', async () => {
	const count = amount(30_000, 100_000);
	const sheet = new SimulatedSheet({ lag: 0, finest: 1 });
	const texts = Array.from({ length: 300 }, (_, second) => sheet.timeText(sheet.now + second));
	const ids = Array.from({ length: count }, (_, index) => index * 3);
	const changes = ids.map((id) => ({ id, second: (id * 7_919) % 300 }));
	changes.sort((one, other) => one.second - other.second);
	const records = changes.map(({ id, second }) => {
		const time = texts[second] ?? '';
		const content = new Map([
			['_create_date', time],
			['_update_date', time],
		]);
		return { id: String(id), content };
	});
	const readPage: ReadPage = async (beginning = '', offset, limit) => {
		const first = records.findIndex(
			({ content }) => (content.get('_update_date') ?? '') >= beginning,
		);
		return records.slice(first + offset, first + offset + limit);
	};
	const reader = await ChangeReader.beginningBehind([], readNothing, 0);
	await reader.read(
		readPage,
		() => false,
		() => 0,
	);
	const watched = WatchedRecords.load(undefined);
	const digestOf = (id: number) => digest(new Map([['1', id]]));
	for (let id = 0; id < 20_000; id++) watched.isUnchanged(String(id * 97), digestOf(id));
	const textOfWatched = JSON.stringify(watched.store());
	expect(textOfWatched.length).toBeLessThan(53_000);
	const again = WatchedRecords.load(JSON.parse(textOfWatched));
	const isUnchanged = (id: number) => again.isUnchanged(String(id * 97), digestOf(id));
	expect([19_999, 17_001, 5].map(isUnchanged)).toEqual([true, true, false]);
	const known = packIds(Array.from({ length: 50_000 }, (_, index) => index * 100));
	const deletions = DeletionCheck.load({ known, pollsLeft: 1 });
	const lengthOf = (state: Partial<PollState>) => {
		const nothing = {
			source: '',
			settings: '',
			watched: WatchedRecords.load({}),
			deletions: DeletionCheck.begun(),
		};
		const staticData: IDataObject = {};
		storeState(staticData, { changes: reader, ...nothing, ...state });
		return JSON.stringify(staticData).length;
	};
	expect(lengthOf({})).toBeGreaterThan(100_000);
	expect(lengthOf({})).toBeLessThan(200_000);
	expect(lengthOf({ watched })).toBeLessThan(200_000);
	expect(lengthOf({ watched, deletions })).toBeLessThan(200_000);
	// Where there is no room at all, the node still knows where it is.
	expect(JSON.stringify(reader.store(0)).length).toBeLessThan(1_000);
});

it('many records that changed one after the other, none of them wanted, are gone through once', async () => {
	const sheet = new SimulatedSheet({ lag: 0, finest: 1 });
	const count = amount(4_000, 20_000);
	for (let each = 0; each < count; each++, sheet.now += 6) sheet.create('new');
	let now = 0;
	let reader: ChangeReader | undefined = await ChangeReader.beginningBehind([], readNothing, now);
	for (const pages of [count / 900 + 1, 1]) {
		now += 60_000;
		sheet.requests = 0;
		const changes = await reader?.read(
			sheet.readPage,
			() => false,
			() => now,
		);
		expect(changes).toEqual([]);
		expect(sheet.requests).toBeLessThanOrEqual(pages);
		const text = JSON.stringify(reader?.store());
		// Until nothing can be hidden any more, it is known who was there, and nothing else of them.
		expect(text.length).toBeLessThan(8 * count);
		reader = ChangeReader.load(JSON.parse(text));
	}
});

it('what is found from before the time that was asked for is passed over', async () => {
	const sheet = new SimulatedSheet({ lag: 0, finest: 1 });
	sheet.create('new');
	const records = sheet.found().map((version) => sheet.shown(version));
	let now = 0;
	const reader = await ChangeReader.beginningBehind(records, async () => records, now);
	// After twelve minutes it is not even known any more that it was there.
	for (let polls = 0; polls < 20; polls++) {
		now += 60_000;
		const changes = await reader.read(
			async () => records,
			() => true,
			() => now,
		);
		expect(changes).toEqual([]);
	}
});

it('of what there is no room to remember, nothing counts as new', () => {
	const given = new GivenRecords(timeAt(0));
	for (let id = 1; id <= 100; id++) given.remember(String(id), timeAt(id * 60), `digest ${id}`);
	const kept = GivenRecords.load(given.store(200));
	const seen = Array.from({ length: 100 }, (_, index) => index + 1);
	expect(seen.filter((id) => kept.isNew(String(id), timeAt(id * 60)))).toEqual([]);
	expect(seen.filter((id) => kept.isNew(String(1_000 + id), timeAt(id * 60))).length).toBeLessThan(
		50,
	);
	expect(kept.isNew('1001', timeAt(101 * 60))).toBe(true);
});

it('50,000 ids take little, and are read back', () => {
	const ids = Array.from({ length: 50_000 }, (_, index) => index * 3 + (index % 7));
	const text = packIds(ids);
	expect(text.length).toBeLessThan(70_000);
	expect(unpackIds(text)).toEqual([...new Set(ids)].sort((left, right) => left - right));
	expect(packIds(Array.from({ length: 50_000 }, (_, index) => index)).length).toBeLessThan(20);
});
