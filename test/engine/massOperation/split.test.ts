import { orders } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { byIds, byItems, itemsOf, mass } from './massParameters';

const testbed = useRecordTestbed({ demoRecords: 2_500 });

const manyIds = Array.from({ length: 3000 }, (_, index) => index + 1);
const list = `={{ [${manyIds.join()}] }}`;

const addresses = () => testbed.writes.map(({ rawUrl }) => `${testbed.service.baseUrl}${rawUrl}`);
const sentIds = () =>
	testbed.writes.map(({ query }) =>
		query.filter(([name]) => name === 'recordId').map(([, value]) => Number(value)),
	);
const lockedIds = () =>
	[...testbed.service.data.sheet(orders).records.values()]
		.filter(({ locked }) => locked)
		.map(({ id }) => id);

/** Each id in its order, none lost or doubled, and no address too long or needlessly short. */
function expectAllSent(): void {
	expect(sentIds().flat()).toEqual(manyIds);
	const lengths = addresses().map((address) => address.length);
	expect(Math.max(...lengths)).toBeLessThan(7500);
	for (const length of lengths.slice(0, -1)) expect(length).toBeGreaterThan(7000);
}

describe('3,000 records', () => {
	beforeEach(() => {
		const { records } = testbed.service.data.sheet(orders);
		for (const record of records.values()) record.locked = false;
	});

	it('of input items are split, and each result is linked to the items of its records', async () => {
		const result = await testbed.run(mass('lock', byItems()), itemsOf(manyIds));
		expectAllSent();
		expect(lockedIds()).toHaveLength(2500);
		const links = result.items.map(({ pairedItem }) => [pairedItem].flat());
		const expected = sentIds().map((ids) => ids.map((id) => ({ item: id - 1 })));
		expect(links).toEqual([...expected, manyIds.map((id) => ({ item: id - 1 }))]);
	});

	it('of a list are split, with the tasks and then their sum in the output', async () => {
		testbed.service.switches.taskShape = 'counts';
		const result = await testbed.run(mass('lock', byIds(list)));
		expectAllSent();
		const methods = testbed.service.requests.all().map(({ method }) => method);
		expect(methods.join(' ')).not.toContain('POST POST');
		const { all } = testbed.service.tasks;
		expect(all.length).toBeGreaterThan(3);
		expect(result.items.map(({ json }) => json.taskId)).toEqual([...all.map(({ id }) => id), null]);
		expect(result.items.at(-1)?.json).toEqual({
			taskId: null,
			taskIds: all.map(({ id }) => id),
			taskName: 'massLock',
			account: 'acme',
			status: 'COMPLETED',
			finished: true,
			succeeded: true,
			processed: 3000,
			success: 2500,
			fail: 500,
			total: null,
			progress: null,
			message: expect.stringContaining('Record not found'),
		});
		expect(
			result.items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}'),
		).toBe(true);
		expect(result.hints).toEqual([
			expect.objectContaining({
				type: 'warning',
				message: `${all.length} tasks ended: 3000 processed, 2500 succeeded, 500 failed`,
			}),
		]);
	});

	it('are submitted at once when nobody waits', async () => {
		const result = await testbed.run(
			mass('lock', { ...byItems(), waitForCompletion: false }),
			itemsOf(manyIds),
		);
		expectAllSent();
		expect(testbed.reads).toEqual([]);
		expect(result.items.map(({ json }) => json)).toEqual(
			testbed.service.tasks.all.map(({ id }) => ({ taskId: id })),
		);
		const expected = sentIds().map((ids) => ids.map((id) => ({ item: id - 1 })));
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(expected);
	});

	it('leave room for a key in the query', async () => {
		const credentials = testbed.credentials('member', { apiKeyIn: 'query' });
		await testbed.run(mass('lock', byIds(list)), [{}], { credentials });
		expect(sentIds().flat()).toEqual(manyIds);
		expect(Math.max(...addresses().map((address) => address.length))).toBeLessThan(7500);
	});
});

describe('a part that goes wrong', () => {
	const isPart = (number: number) => () => testbed.writes.length === number;

	async function failAt(part: number, waitForCompletion = true) {
		testbed.service.faults.inject({
			kind: 'body',
			body: '{"status":"ERROR","code":108,"msg":"Error loading the requested form."}',
			when: ({ method }) => method === 'POST' && isPart(part)(),
		});
		return await testbed.run(mass('lock', { ...byIds(list), waitForCompletion }));
	}

	it.each([true, false])('when it is submitted (waiting: %s): names the others', async (waits) => {
		const result = await failAt(3, waits);
		expect(testbed.writes).toHaveLength(3);
		const ids = testbed.service.tasks.all.map(({ id }) => id).join(', ');
		const [first = [], second = [], third = []] = sentIds();
		const done = first.length + second.length;
		const rest = 3000 - done - third.length;
		expect(result.error?.message).toContain('Error loading the requested form');
		expect(result.error?.description).toContain(
			`Submitted, for the first ${done} records: ${ids}. This one was for ${third.length} records, from ID ${third[0]} on. For the last ${rest} records, from ID ${(third.at(-1) ?? 0) + 1} on, nothing was submitted.`,
		);
	});

	it('at first: none was submitted', async () => {
		const result = await failAt(1);
		expect(testbed.service.tasks.all).toEqual([]);
		expect(result.error?.description).toContain('None was submitted before.');
	});

	it('while it runs: it is named, and nothing more is submitted', async () => {
		testbed.service.tasks.obstacle = (id) => {
			if (id === 1000) testbed.service.tasks.breaksAfter = 0;
			return undefined;
		};
		const result = await testbed.run(mass('lock', byIds(list)));
		const { all } = testbed.service.tasks;
		expect(result.error?.message).toContain(`The task ${all.at(-1)?.id} failed`);
		expect(result.error?.description).toContain(all.map(({ id }) => id).join(', '));
		expect(result.error?.description).toContain('nothing was submitted');
		expect(result.error?.description).not.toContain('This one was for');
		expect(testbed.writes).toHaveLength(all.length);
		expect(all.length).toBeLessThan(4);
	});
});
