import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { byIds, mass, quickly, taskItem } from '../massOperation/massParameters';
import { useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const sheetPath = `${orders.path}/${orders.index}`;
const ask = (operation: string, overrides: INodeParameters = {}): INodeParameters => ({
	resource: 'task',
	operation,
	taskId: '={{ $json.taskId }}',
	options: {},
	...overrides,
});

/** Submits a lock of the given number of orders for each number. Returns the items with the tasks. */
async function submit(...sizes: number[]) {
	const ids = '={{ Array.from({ length: $json.size }, (_, index) => index + 10).join() }}';
	const parameters = { ...mass('lock', byIds(ids)), waitForCompletion: false };
	const sized = sizes.map((size) => ({ size }));
	const { items } = await testbed.run(parameters, sized);
	testbed.service.requests.clear();
	return items;
}

const taskIds = () => testbed.service.tasks.all.map(({ id }) => id);

describe('task get', () => {
	it('task get returns the current state, and needs no sheet', async () => {
		testbed.service.tasks.hold();
		const items = await submit(10);
		testbed.service.tasks.step(4);
		const result = await testbed.run(ask('get'), items);
		expect(result.items).toEqual([
			{
				json: taskItem({
					...{ taskId: taskIds()[0], status: 'RUNNING', finished: false, succeeded: false },
					...{ total: 10, progress: 4 },
				}),
				pairedItem: { item: 0 },
			},
		]);
		expect(testbed.readUrls).toEqual([`/acme?api&taskId=${taskIds()[0]}`]);
	});

	it('task get requests the task from the sheet in the options if the account rejects the request', async () => {
		testbed.service.switches.taskAtAccount = 'http404';
		testbed.service.tasks.hold();
		const items = await submit(2);
		const address = `${testbed.service.baseUrl}/acme/${sheetPath}?PAGEID=x#top`;
		for (const sheet of [sheetPath, address]) {
			testbed.service.requests.clear();
			const result = await testbed.run(ask('get', { options: { sheet } }), items);
			expect(result.json[0]).toMatchObject({ status: 'NOT_STARTED' });
			expect(testbed.reads.map(({ path }) => path)).toEqual(['/acme', '/acme/sales/orders/1']);
		}
		expect((await testbed.run(ask('get'), items)).status).toBe('error');
	});
});

const waiting = (overrides: INodeParameters = {}) =>
	ask('wait', { options: { ...quickly, ...overrides } });

it('task wait waits for the task of each item, one after the other', async () => {
	testbed.service.tasks.recordsPerLook = 2;
	const items = await submit(4, 6);
	const result = await testbed.run(waiting(), items);
	const [first, second] = taskIds();
	expect(result.links).toEqual([{ item: 0 }, { item: 1 }]);
	expect(result.json).toMatchObject([
		{ taskId: first, total: 4, succeeded: true },
		{ taskId: second, total: 6, succeeded: true },
	]);
	expect(result.hintTexts).toEqual(['2 tasks ended: 10 of 10 records, failures not reported']);
	expect(result.recorded).toContain(`Task ${taskIds()[1]}: RUNNING, 2 of 6 records`);
});

it('a failed task is counted in the hint, beside those that succeeded', async () => {
	const items = await submit(4, 6);
	const [, second] = taskIds();
	const body = JSON.stringify({ id: second, status: 'FAILED', processed: 6, success: 5, fail: 1 });
	const when = ({ rawUrl }: { rawUrl: string }) => rawUrl.includes(String(second));
	testbed.inject({ kind: 'body', body, when, times: Infinity });
	const { hintTexts, errorItems } = await testbed.runAll(waiting(), items);
	expect(errorItems).toHaveLength(1);
	expect(hintTexts).toEqual([expect.stringMatching(/^2 tasks ended: /)]);
});

it('task wait requests the task from the sheet in the options if the account rejects the request', async () => {
	testbed.service.switches.taskAtAccount = 'http404';
	const result = await testbed.run(waiting({ sheet: sheetPath }), await submit(2));
	expect(result.json).toMatchObject([{ taskId: taskIds()[0], total: 2, succeeded: true }]);
	expect(testbed.reads.map(({ path }) => path)).toEqual(['/acme', '/acme/sales/orders/1']);
});

it.each(['get', 'wait'])('task %s without an ID sends nothing', async (operation) => {
	const result = await testbed.run(ask(operation, { taskId: '={{ "" }}' }));
	expect(result.status).toBe('error');
	expect(testbed.service.requests.count).toBe(0);
});
