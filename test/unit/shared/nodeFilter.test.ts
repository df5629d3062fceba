import { SheetFields } from '../../../nodes/api/sheet/sheetFields';
import { countMatching, NodeFilter } from '../../../nodes/shared/nodeFilter';
import { FakeService } from '../api/http/fakeService';
import { listing, request, upTo } from '../api/read/listedPages';

/** Counts the records of a sheet without conditions. Returns the count and the number of requests. */
async function counted(records: number, maxCount?: number) {
	const service = new FakeService(listing(upTo(records)));
	const client = await service.connect();
	const filter = await NodeFilter.of([], 'EID', new SheetFields(client, request.sheet));
	const count = await countMatching(client, request, filter, { maxCount });
	return { count, requests: service.requests.length };
}

it('a count ends with the first page that exceeds its maximum', async () => {
	const { count, requests } = await counted(20_000, 500);
	expect(count).toBeGreaterThan(500);
	expect(requests).toBe(1);
});

it('a count without a maximum reads all pages', async () => {
	const { count, requests } = await counted(5_000);
	expect(count).toBe(5_000);
	expect(requests).toBeGreaterThan(1);
});
