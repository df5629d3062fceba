import { ServiceError } from '../../../../nodes/api/http/serviceError';
import { recordsIn } from '../../../../nodes/api/read/records';
import { spyOnYields } from '../http/yields';

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
