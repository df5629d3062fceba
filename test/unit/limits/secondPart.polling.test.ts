import { ServiceError } from '../../../nodes/api/http/serviceError';
import {
	checkDeletions,
	firstDeletionCheck,
} from '../../../nodes/SheetRecordsPollingTrigger/deletionCheck';
import { startCursor } from '../../../nodes/SheetRecordsPollingTrigger/findChanges';
import {
	parseState,
	stateText,
	type PollState,
} from '../../../nodes/SheetRecordsPollingTrigger/pollState';
import { SheetReader } from '../../../nodes/SheetRecordsPollingTrigger/sheetReader';
import { noteWatched, withWatched } from '../../../nodes/SheetRecordsPollingTrigger/watchedValues';
import { FakeService } from '../api/http/fakeService';

const idsUpTo = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

/** Returns a reader of a list, and the IDs that were read singly. */
function readerOf(ids: readonly string[], isFailing = false) {
	const singleReads: string[] = [];
	const reader = {
		hasConditions: false,
		async *fetchIds() {
			await Promise.resolve();
			yield [...ids];
		},
		fetchRecord: async (id: string) => {
			singleReads.push(id);
			if (isFailing) throw new ServiceError({ kind: 'server', message: 'It failed.' });
			return await Promise.resolve(ids.includes(id) ? { id, content: new Map() } : undefined);
		},
		fetchNewest: async () => await Promise.resolve([{ id: '1', content: new Map() }]),
	};
	return { reader, singleReads };
}

it('a check reads no further record after two reads have failed, and checks all missing records again later', async () => {
	const check = firstDeletionCheck();
	await checkDeletions(check, readerOf(idsUpTo(20)).reader, 1_000, 1);
	const { reader, singleReads } = readerOf(idsUpTo(12), true);
	const { deletedIds, failure } = await checkDeletions(check, reader, 1_000, 2);
	expect([singleReads.length, deletedIds, failure?.message]).toEqual([2, [], 'It failed.']);
	expect([...check.missing].sort()).toEqual(idsUpTo(20).slice(12).sort());
});

it('of 60 restored records, a check finds 50, and the next one the other ten', async () => {
	const check = firstDeletionCheck();
	check.deleted = idsUpTo(60);
	const { reader } = readerOf(idsUpTo(60));
	const first = await checkDeletions(check, reader, 1_000, 1);
	const second = await checkDeletions(check, reader, 1_000, 2);
	expect(first.restoredIds).toEqual(idsUpTo(50));
	expect(second.restoredIds).toEqual(idsUpTo(60).slice(50));
	expect(check.deleted).toEqual([]);
});

it('a list of ten records that are on another sheet costs three single reads', async () => {
	const read: string[] = [];
	const reader = {
		fetchNewest: async () =>
			await Promise.resolve(
				idsUpTo(10).map((id) => ({
					id,
					content: new Map([['_update_date', `2026/01/31 09:30:${id.padStart(2, '0')}`]]),
				})),
			),
		fetchRecord: async (id: string) => await Promise.resolve(void read.push(id)),
	};
	await expect(startCursor(reader, 1)).rejects.toThrow('a list of another sheet');
	expect(read).toHaveLength(3);
});

it('the digests of fields are stored for the latest 50 of 51 records, and the other digests for all', () => {
	const emitted = new Map(
		idsUpTo(51).map((id) => {
			const time = `2026/01/31 09:30:${id.padStart(2, '0')}`;
			return [id, { time, values: 'abcdef', fields: 'ghijkl' }] as const;
		}),
	);
	const cursor = {
		...{ readFrom: '', latestTime: '', latestTimeReadAt: 1, completeSince: '' },
		...{ comparedAt: 1, lateStates: [], emitted },
	};
	const deletions = firstDeletionCheck();
	const state: PollState = { source: '', settings: '', cursor, deletions, warnings: {} };
	const stored = [...(parseState(stateText(state))?.cursor?.emitted ?? [])];
	expect(stored.map(([, { values }]) => values)).toEqual(Array(51).fill('abcdef'));
	expect(stored.filter(([, { fields }]) => fields === undefined).map(([id]) => id)).toEqual(['1']);
});

it('the watched values of the latest 3,000 of 3,001 records are known', () => {
	const watched = withWatched(undefined, ['1000001']);
	const keys = { keys: new Map([['1000001', '1000001']]), rowFields: new Map() };
	const note = (id: string, value: string) =>
		noteWatched(watched, { id, content: new Map([['1000001', value]]) }, keys).previous;
	for (const id of idsUpTo(3_001)) note(id, 'before');
	expect(watched.values.size).toBe(3_000);
	expect(note('2', 'after')).toEqual(new Map([['1000001', 'before']]));
	expect(note('1', 'after')).toEqual(new Map());
});

it('a test run with conditions of the node asks for the latest 1,000 records', async () => {
	const service = new FakeService(() => ({ body: {} }));
	const matching = {
		sheet: { folders: ['sales'], sheetIndex: 1 },
		where: [],
		reading: { naming: 'EID', version: '2025-01-01' } as const,
	};
	const filter = { isEmpty: false, matches: () => true, requireFields: () => {} };
	const filters = { ofRecords: filter, byIds: filter } as never;
	const client = await service.connect();
	const reader = new SheetReader(
		client,
		matching,
		filters,
		async () => await Promise.resolve(undefined),
	);
	await reader.fetchNewestMatch();
	const limits = service.requests.map(({ url }) => url.searchParams.get('limit'));
	expect(limits.map((limit) => limit?.split(',').at(-1))).toEqual(['1000']);
});
