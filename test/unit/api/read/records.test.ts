import { ServiceError } from '../../../../nodes/api/http/serviceError';
import { listPage, recordsIn } from '../../../../nodes/api/read/records';
import { FakeService } from '../http/fakeService';
import { spyOnYields } from '../http/yields';
import { request } from './listedPages';

const recordCount = 20_000;
const ids = Array.from({ length: recordCount }, (_, index) => String(recordCount - index));
const page = `{${ids.map((id) => `"${id}":{"Name":"A name of some length, number ${id}"}`).join()}}`;
const answerWith = (text: string) => ({ status: 200, headers: {}, text });

/** Parses a page. The clock advances by some milliseconds each time it is read. */
async function decoded(text: string, millisecondsPerLook: number) {
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => (now += millisecondsPerLook));
	const yields = spyOnYields();
	const records = await recordsIn(answerWith(text));
	return { records, yields: yields.mock.calls.length };
}

describe('a page of a list', () => {
	afterEach(() => jest.restoreAllMocks());

	it('yields to the event loop while a page of megabytes is parsed, and keeps the order', async () => {
		const { records, yields } = await decoded(page, 20);
		expect(yields).toBeGreaterThanOrEqual(Math.floor(page.length / 200_100));
		expect(records.map(({ id }) => id)).toEqual(ids);
	});

	it('does not yield while parsing takes no time', async () => {
		const { records, yields } = await decoded(page, 0);
		expect(yields).toBe(0);
		expect(records).toHaveLength(recordCount);
	});

	it.each(['{}', '{"-1":{"_svcId":-1}}', '{"-1":{},"_metaData":{},"info":{}}', '{"-1":"x"}'])(
		'has no records when it is %s',
		async (text) => {
			expect(await recordsIn(answerWith(text))).toEqual([]);
		},
	);

	it('is an error when its text ends too early', async () => {
		const incomplete = decoded(page.slice(0, -1), 20);
		await expect(incomplete).rejects.toThrow(ServiceError);
		await expect(incomplete).rejects.toThrow('empty, incomplete or no JSON');
	});
});

it.each(['7', ' 7', '7\n'])(
	'the shared view %j is requested, and named if it does not exist',
	async (sharedViewId) => {
		const body = { status: 'ERROR', code: 201, msg: 'Unknown filterId: 7' };
		const service = new FakeService(() => ({ body }));
		const search = { sharedViewId };
		const range = { offset: 0, limit: 10 };
		const list = listPage(await service.connect(), { ...request, search }, range, recordsIn);
		await expect(list).rejects.toThrow(/^This sheet has no shared view 7: /);
		expect(service.requests[0]?.url.searchParams.get('filterId')).toBe('7');
	},
);
