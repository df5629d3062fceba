import type { SheetRecord } from '../../../nodes/api/read/record';
import type { PageRange } from '../../../nodes/api/read/records';
import {
	changesIn,
	SheetReader,
	updateTimeOf,
} from '../../../nodes/SheetRecordsPollingTrigger/sheetReader';
import { FakeService } from '../api/http/fakeService';

const records = Array.from({ length: 1_500 }, (_, place): SheetRecord => {
	const minute = String(place % 60).padStart(2, '0');
	const hour = String(Math.floor(place / 60)).padStart(2, '0');
	return {
		id: `${place}`,
		content: new Map([['_update_date', `2026/01/31 ${hour}:${minute}:00`]]),
	};
});

/** Simulates a service with pages of at most 1,000 records, and an empty page for each of these requests. */
function pagesOf(all: readonly SheetRecord[], emptyRequests: readonly number[] = []) {
	let request = 0;
	return async ({ offset, limit }: PageRange) => {
		request += 1;
		if (emptyRequests.includes(request)) return [];
		return all.slice(offset, offset + Math.min(limit, 1_000));
	};
}

it.each([
	{ what: 'that has more records', count: 1_500, position: 1_000, isEnd: false },
	{
		what: 'that has as many records as are asked for',
		count: 1_000,
		position: 1_000,
		isEnd: false,
	},
	{ what: 'that has fewer records', count: 999, position: undefined, isEnd: true },
	{ what: 'without records', count: 0, position: undefined, isEnd: false },
])('a part of a list $what has the expected end', async ({ count, position, isEnd }) => {
	const list = await changesIn(pagesOf(records.slice(0, count)), 1_000);
	expect(list.position?.count).toBe(position);
	expect(list.isEnd).toBe(isEnd);
	expect(list.records).toHaveLength(Math.min(count, 1_000));
});

it('an empty page after other pages does not prove the end of a list', async () => {
	const first = await changesIn(pagesOf(records), 300);
	const empty = Array.from({ length: 20 }, (_, index) => index + 2);
	const list = await changesIn(pagesOf(records, empty), 1_000, first.position);
	expect(list.records).toHaveLength(999);
	expect(list.isEnd).toBe(false);
});

it('a part of a list begins with a page that has the record before it', async () => {
	const first = await changesIn(pagesOf(records), 300);
	const list = await changesIn(pagesOf(records), 300, first.position);
	expect(list.pages.map((page) => page.map(({ id }) => id))).toEqual([
		['299', ...list.records.map(({ id }) => id)],
	]);
});

it('a record without its Last Update Date is an error, because its changes cannot be found', () => {
	const record = { id: '7', content: new Map([['1000001', 'Ada']]) };
	expect(() => updateTimeOf(record)).toThrow('when record 7 was last changed');
});

const dated = { _update_date: '2026/01/31 09:30:00', _create_date: '2026/01/30 09:30:00' };

/** Reads changes with UTC Offset from a service that lists record 1, and record 2 only without the offset. */
async function changesWithOffset(second: object) {
	const service = new FakeService(({ url }) => ({
		body: { 1: dated, ...(url.searchParams.has('tz') ? {} : { 2: second }) },
	}));
	const matching = {
		sheet: { folders: ['sales'], sheetIndex: 1 },
		where: [],
		reading: { naming: 'EID', version: '2025-01-01', parameters: [['tz', 0] as const] } as const,
	};
	const filter = { isEmpty: true, matches: () => true, requireFields: () => {} };
	const filters = { ofRecords: filter, byIds: filter } as never;
	const noFields = async () => await Promise.resolve(undefined);
	const reader = new SheetReader(await service.connect(), matching, filters, noFields);
	const { records: found, isEnd } = await reader.fetchChanges({ since: '', limit: 100 });
	return { ids: found.map(({ id }) => id), isEnd };
}

it('with UTC Offset, a record without a date stays in the list, although the other list lacks it', async () => {
	const changes = await changesWithOffset({ _update_date: '' });
	expect(changes).toEqual({ ids: ['1', '2'], isEnd: true });
});

it('with UTC Offset, a list without a record that the other list lacks is read again by the next poll', async () => {
	expect(await changesWithOffset(dated)).toEqual({ ids: ['1'], isEnd: false });
});
