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

it('a count that reaches its maximum with a page continues, because there may be more', async () => {
	expect((await counted(20_000, 1000)).count).toBeGreaterThan(1000);
	expect((await counted(1000, 1000)).count).toBe(1000);
});

it('a count without a maximum reads all pages', async () => {
	const { count, requests } = await counted(5_000);
	expect(count).toBe(5_000);
	expect(requests).toBeGreaterThan(1);
});

it.each([
	{ condition: 'Is Not Empty', value: '', outcome: 'applied' },
	{ condition: 'Is Not Equal To', value: '2026/01/31 09:30:00', outcome: 'rejected' },
])(
	'$condition on a time that is read with a UTC offset is $outcome',
	async ({ value, outcome }) => {
		const fields = [{ fieldId: '1000006', fieldName: 'Delivery Time', type: 'dateTime' }];
		const service = new FakeService(() => ({ body: { fields } }));
		const sheetFields = new SheetFields(await service.connect(), request.sheet);
		const conditions = [{ fieldId: '1000006', operator: 'ne', value }];
		const filter = NodeFilter.of(conditions, 'EID', sheetFields, { offsetHours: 3 });
		expect(await filter.then(() => 'applied').catch(() => 'rejected')).toBe(outcome);
	},
);

it.each([
	{ fieldId: '1000001', place: 'of the record', read: 'only fields of records' },
	{ fieldId: '1000002', place: 'of a subtable', read: 'whole records' },
	{ fieldId: '1000009', place: 'that is not listed', read: 'whole records' },
])('a condition of the node on a field $place reads $read', async ({ fieldId, read }) => {
	const filter = await filterOn([fieldId]);
	const { parameters = [] } = filter.smallestReadOptions();
	const isWhole = parameters.every(([name]) => name !== 'subtables');
	expect(isWhole ? 'whole records' : 'only fields of records').toBe(read);
});

it.each([[[]], [['1000001']], [['1000002']], [['1000009']]])(
	'a flag that decides which records a list has is sent with conditions of the node on %j',
	async (fieldIds) => {
		const flag = ['ignoreFixedFilter', true] as const;
		const { parameters } = (await filterOn(fieldIds)).smallestReadOptions(flag);
		expect(parameters).toContainEqual(flag);
	},
);

/** Returns the filter with a condition of the node on each field. */
async function filterOn(fieldIds: string[]): Promise<NodeFilter> {
	const fields = [{ fieldId: '1000001', fieldName: 'City', type: 'text' }];
	const rows = [{ fieldId: '1000002', fieldName: 'Article', type: 'text' }];
	const subtables = [{ subtableId: '2000001', fields: rows }];
	const service = new FakeService(() => ({ body: { fields, subtables } }));
	const sheetFields = new SheetFields(await service.connect(), request.sheet);
	const conditions = fieldIds.map((fieldId) => ({ fieldId, operator: 'ne', value: 'x' }));
	return await NodeFilter.of(conditions, 'EID', sheetFields);
}
