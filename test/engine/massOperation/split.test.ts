import { useRecordTestbed } from '../recordTestbed';
import { retrying } from '../retryOnFail/retrying';
import { byIds, byItems, itemsOf, mass, taskItem } from './massParameters';

const testbed = useRecordTestbed({ demoRecords: 2_500 });

const manyIds = Array.from({ length: 3000 }, (_, index) => index + 1);
const list = `={{ [${manyIds.join()}] }}`;

const addresses = () => testbed.writes.map(({ rawUrl }) => `${testbed.service.baseUrl}${rawUrl}`);
const sentIds = () =>
	testbed.writes.map(({ query }) =>
		query.filter(([name]) => name === 'recordId').map(([, value]) => Number(value)),
	);
const lockedIds = () =>
	[...testbed.orders.records.values()].filter(({ locked }) => locked).map(({ id }) => id);

/** Expects that each ID is sent once in order, and that requests are split by the length of the address. */
function expectAllSent(): void {
	expect(sentIds().flat()).toEqual(manyIds);
	const lengths = addresses().map((address) => address.length);
	expect(Math.max(...lengths)).toBeLessThan(7500);
	for (const length of lengths.slice(0, -1)) expect(length).toBeGreaterThan(7000);
}

beforeEach(() => {
	for (const record of testbed.orders.records.values()) record.locked = false;
});

describe('3,000 records', () => {
	it('3,000 records of input items are split, and each result is linked to the items of its records', async () => {
		const result = await testbed.run(mass('lock', byItems()), itemsOf(manyIds));
		expectAllSent();
		expect(lockedIds()).toHaveLength(2500);
		const links = result.items.map(({ pairedItem }) => [pairedItem].flat());
		const expected = sentIds().map((ids) => ids.map((id) => ({ item: id - 1 })));
		expect(links).toEqual([...expected, manyIds.map((id) => ({ item: id - 1 }))]);
	});

	it('3,000 records of a list are split, with the tasks and then their sum in the output', async () => {
		testbed.service.switches.taskShape = 'counts';
		const result = await testbed.run(mass('lock', byIds(list)));
		expectAllSent();
		const methods = testbed.service.requests.all().map(({ method }) => method);
		expect(methods.join(' ')).not.toContain('POST POST');
		const { all } = testbed.service.tasks;
		expect(all.length).toBeGreaterThan(3);
		expect(result.json.map(({ taskId }) => taskId)).toEqual([...all.map(({ id }) => id), null]);
		const counts = { processed: 3000, success: 2500, fail: 500 };
		expect(result.json.at(-1)).toEqual(
			taskItem({
				...{
					taskIds: all.map(({ id }) => id),
					taskName: 'massLock',
					account: 'acme',
				},
				...{ status: 'COMPLETED', finished: true, succeeded: true, ...counts },
				message: expect.stringContaining('Record not found'),
				_warning: expect.stringContaining('2500 succeeded, 500 failed'),
			}),
		);
		expect(result.links).toEqual(result.items.map(() => ({ item: 0 })));
		const message = `${all.length} tasks ended: 3000 processed, 2500 succeeded, 500 failed`;
		expect(result.hints).toMatchObject([{ type: 'warning', message }]);
	});
});

it('3,000 records without waiting give one item with a task ID per request, and no sum', async () => {
	const result = await testbed.run(mass('lock', { ...byIds(list), waitForCompletion: false }));
	const { all } = testbed.service.tasks;
	expect(all.length).toBeGreaterThan(3);
	expect(result.json).toEqual(all.map(({ id }) => ({ taskId: id })));
	expect(result.hints).toEqual([]);
});

describe('a failed part of a mass operation', () => {
	const fails = (part: number, when: 'POST' | 'GET', body: string) =>
		testbed.inject({
			kind: 'body',
			body,
			when: ({ method }) => method === when && testbed.writes.length === part,
		});
	const refuse = (part: number) =>
		fails(part, 'POST', '{"status":"ERROR","code":108,"msg":"Error loading the requested form."}');
	const breakOff = (part: number) => fails(part, 'GET', '{"status":"FAILED","message":"Broken"}');

	it.each([
		[1, true],
		[3, true],
		[3, false],
	])('the error of part %i (waiting: %s) names the other parts', async (part, waits) => {
		refuse(part);
		const parameters = mass('lock', { ...byIds(list), waitForCompletion: waits });
		const { error } = await testbed.run(parameters);
		expect(testbed.writes).toHaveLength(part);
		const tasks = testbed.service.tasks.all.map(({ id }) => id).join(', ');
		expect(error?.message).toContain('Error loading the requested form');
		expect(error?.description).toContain(
			`Submitted: ${tasks || 'none'}. This error is of the operation that starts at record ${sentIds().at(-1)?.[0]}; later ones were not submitted.`,
		);
	});

	it.each([true, false])(
		'with Continue On Fail, the parts after a failed one of a common selection are not sent (waiting: %s)',
		async (waits) => {
			refuse(2);
			const parameters = mass('lock', { ...byIds(list), waitForCompletion: waits });
			const result = await testbed.runAll(parameters);
			expect(testbed.writes).toHaveLength(2);
			testbed.expectErrors(result, [/^Error loading the requested form/]);
			expect(result.json).toEqual([]);
		},
	);

	it.each([
		['refused', refuse, /^Error loading the requested form/],
		['broken off', breakOff, /^The task \S+ failed/],
	])('a failed part (%s) fails only its own items, on request', async (_, fail, message) => {
		fail(2);
		const items = itemsOf(manyIds.slice(0, 1500));
		const result = await testbed.runAll(mass('lock', byItems()), items);
		const [first = [], second = [], third = []] = sentIds();
		expect([testbed.writes.length, first.length + second.length + third.length]).toEqual([3, 1500]);
		const links = (...parts: number[][]) => parts.flat().map((id) => ({ item: id - 1 }));
		expect(result.links).toEqual([links(first), links(third), links(first, third)]);
		const totals = [first.length, third.length, first.length + third.length];
		expect(result.json.map(({ total }) => total)).toEqual(totals);
		const expectedErrors = Object.fromEntries(second.map((id) => [id - 1, message]));
		testbed.expectErrors(result, expectedErrors);
	});

	it('only the failed part is submitted in the next attempt of Retry On Fail, although a later part was confirmed', async () => {
		refuse(1);
		const items = itemsOf(manyIds.slice(0, 700));
		const overrides = { ...retrying, onError: 'continueErrorOutput' } as const;
		const result = await testbed.run(mass('lock', byItems()), items, overrides);
		const [first = [], second = [], again] = sentIds();
		expect(first.length + second.length).toBe(700);
		expect([testbed.writes.length, again]).toEqual([3, first]);
		expect([result.errorItems, lockedIds().length]).toEqual([[], 700]);
	});

	it('a failed part of a list of IDs ends the operation, also if the run continues', async () => {
		refuse(2);
		const result = await testbed.runAll(mass('lock', byIds(list)));
		testbed.expectErrors(result, /^Error loading the requested form/);
		expect([testbed.writes.length, result.items]).toEqual([2, []]);
	});

	it('if all parts but one fail, the output is the task of this part, without a sum', async () => {
		refuse(2);
		const items = itemsOf(manyIds.slice(0, 700));
		const result = await testbed.runAll(mass('lock', byItems()), items);
		const [first = [], second = []] = sentIds();
		expect(first.length + second.length).toBe(700);
		expect(result.json).toMatchObject([
			{ taskId: testbed.service.tasks.all[0]?.id, total: first.length },
		]);
	});
});
