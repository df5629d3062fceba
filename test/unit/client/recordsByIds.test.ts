import { mostReads, readRecords } from '../../../nodes/service/recordsByIds';
import { FakeService } from './fakeService';
import type { FakeRequest } from './fakeService';

const sheet = { folders: ['sales'], sheetIndex: 1 };

/** A sheet whose list begins with the ids given, in their order. */
function sheetOf(ids: readonly number[]): FakeService {
	const record = (id: number): [string, object] => [`${id}`, { _svcId: id }];
	return new FakeService(({ url }) => {
		const single = /\/1\/(\d+)$/.exec(url.pathname)?.[1];
		if (single !== undefined) {
			return { body: ids.includes(Number(single)) ? { [single]: {} } : {} };
		}
		const [offset, limit] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name)));
		const page = ids.slice(Number(offset), Number(offset) + Number(limit));
		// By hand: the order of integer keys would be lost in an object.
		const members = page.map(record).map(([id, content]) => `"${id}":${JSON.stringify(content)}`);
		return { body: `{${members.join()}}` };
	});
}

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, i) => from + i);
const texts = (ids: readonly number[]) => ids.map(String);
const isList = ({ url }: FakeRequest) => url.pathname.endsWith('/1');

async function read(service: FakeService, ids: readonly number[]) {
	const readings = await readRecords(await service.connect(), sheet, texts(ids), 'EID');
	expect([...readings.keys()]).toEqual(texts(ids));
	return [...readings.values()].map(({ kind }) => kind);
}

const all = (kind: string, count: number) => Array<string>(count).fill(kind);

describe('records by their ids', () => {
	it('are read one by one when they are few', async () => {
		const service = sheetOf(numbers(50));
		expect(await read(service, [7, 99, 3])).toEqual(['content', 'gone', 'content']);
		expect(service.requests.filter(isList)).toEqual([]);
		expect(service.requests).toHaveLength(3);
	});

	it('are found at the beginning of the list when they were changed together', async () => {
		const service = sheetOf(numbers(5_000));
		const ids = numbers(2_500).reverse();
		expect(await read(service, ids)).toEqual(all('content', 2_500));
		expect(service.requests).toHaveLength(3);
	});

	it('are read from the list, where it is in another order, as long as that is cheaper', async () => {
		const service = sheetOf(numbers(5_000));
		const ids = numbers(500).map((number) => number * 10);
		expect(await read(service, ids)).toEqual(all('content', 500));
		expect(service.requests.length).toBeLessThan(60);
	});

	it('are not looked for on further pages when a page brings none', async () => {
		const service = sheetOf(numbers(5_000));
		const ids = numbers(50, 4_000);
		expect(await read(service, ids)).toEqual(all('content', 50));
		expect(service.requests.filter(isList)).toHaveLength(1);
		expect(service.requests).toHaveLength(51);
	});

	it('are read with so many requests and no more', async () => {
		const service = sheetOf(numbers(100));
		const ids = numbers(5_000, 1_000);
		const unread = all('unread', 5_000 - mostReads + 1);
		expect(await read(service, ids)).toEqual([...all('gone', mostReads - 1), ...unread]);
		expect(service.requests).toHaveLength(mostReads);
	});

	it('are not asked for when no record can have the id', async () => {
		const service = sheetOf(numbers(5));
		const readings = await readRecords(await service.connect(), sheet, ['9'.repeat(40)], 'EID');
		expect([...readings.values()]).toEqual([{ kind: 'gone' }]);
		expect(service.requests).toEqual([]);
	});
});
