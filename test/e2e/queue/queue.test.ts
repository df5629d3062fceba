import { setTimeout as wait } from 'node:timers/promises';
import { empty, orders, type SeenRequest } from '../../service';
import {
	chain,
	example,
	items,
	ordersLocator,
	placed,
	recordLocator,
	sheetRecords,
	start,
} from '../chain';
import type { SavedCredential, SavedWorkflow } from '../editor';
import { everyThreeSeconds, isPoll } from '../schedule';
import { until } from '../until';
import { QueueTestbed } from './queueTestbed';

const queue = new QueueTestbed();
const testbed = queue.main;
const { fields } = orders;

let credential: SavedCredential;
beforeAll(async () => {
	await queue.start();
	credential = await testbed.apiKey('admin');
}, 600_000);
beforeEach(() => testbed.service.reset());
afterAll(async () => await queue.stop(), 240_000);

/** Returns the number of executions that each worker has started. */
const begun = () =>
	queue.workers.map(({ printed }) => printed.split('started execution').length - 1);

const read = (recordId: number) =>
	chain(
		`Order ${recordId}`,
		sheetRecords('Get', credential, { operation: 'get', recordId: recordLocator(recordId) }),
	);

async function begin(json: ReturnType<typeof chain>): Promise<string> {
	const workflow = await testbed.editor.importWorkflow(json, [credential]);
	return await testbed.editor.begin(workflow, { name: start });
}

describe('a run from the editor', () => {
	it('is executed by a worker, and a second run at the same time by the other worker', async () => {
		const before = begun();
		// Answer no request until both workers have sent one.
		const release = testbed.service.beforeRequest(async () => {
			await until(() => testbed.service.requests.count >= 2);
		});
		const ids = [await begin(read(1)), await begin(read(2))];
		const executions = await Promise.all(ids.map(async (id) => await testbed.editor.execution(id)));
		expect(executions.map(({ json }) => json)).toHaveLength(2);
		expect(executions.flatMap((execution) => execution.json('Get'))).toMatchObject([
			{ _recordId: 1 },
			{ _recordId: 2 },
		]);
		expect(begun().map((count, worker) => count - (before[worker] ?? 0))).toEqual([1, 1]);
		for (const { stored } of executions) testbed.expectNoSecrets(stored);
		release();
	});

	it('shows the number of finished items in the editor', async () => {
		testbed.service.switches.latencyMilliseconds = 300;
		const messages = await testbed.editor.listen();
		const titles = Array.from({ length: 8 }, (_, index) => ({ title: `Title ${index}` }));
		const create = sheetRecords('Create', credential, {
			operation: 'create',
			sheet: { ...ordersLocator, value: `${empty.path}/${empty.index}` },
			inputMode: 'json',
			recordJson: `={{ JSON.stringify({ '${empty.fields.title}': $json.title }) }}`,
		});
		const execution = await testbed.run(chain('Titles', ...items(...titles), create), credential);
		expect(execution.json('Create')).toHaveLength(8);
		await until(() => messages.printedLines.some((text) => /\d of 8 items/.test(text)));
		messages.close();
		testbed.expectNoSecrets(messages.printedLines.join());
	});

	it('passes on a file that is stored in the database', async () => {
		const value = testbed.service.data.storeFile('a.txt', 'text/plain', Buffer.from('Süd'));
		const download = sheetRecords('Download', credential, {
			resource: 'file',
			operation: 'download',
			fileValue: value,
		});
		const upload = sheetRecords('Upload', credential, {
			resource: 'file',
			operation: 'upload',
			recordId: recordLocator(2),
			fieldId: fields.contract,
		});
		const execution = await testbed.run(chain('A file', download, upload), credential);
		expect([execution.status, execution.error]).toEqual(['success', undefined]);
		expect(execution.items('Download')[0]?.binary?.data?.id).toMatch(/^database/);
		const [uploaded] = testbed.service.requests.all().flatMap(({ files }) => files);
		expect(uploaded).toMatchObject({ fileName: 'a.txt', size: Buffer.byteLength('Süd') });
	});

	it('sends no more requests after it is canceled', async () => {
		const isAsked = () => testbed.service.requests.count >= 2;
		testbed.service.faults.inject({ kind: 'hang', when: isAsked });
		const four = items({ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 });
		const get = { operation: 'get', recordId: recordLocator('={{ $json.id }}') };
		const id = await begin(chain('Four', ...four, sheetRecords('Get', credential, get)));
		await until(isAsked);
		await testbed.editor.stop(id);
		expect((await testbed.editor.execution(id)).status).toBe('canceled');
		expect((await testbed.run(read(1), credential)).status).toBe('success');
		const paths = testbed.service.requests.all().map(({ path }) => path.split('/').at(-1));
		expect(paths).toEqual(['1', '2', '1']);
	});
});

describe('a signed change', () => {
	let workflow: SavedWorkflow;
	const address = () =>
		`${queue.webhooks.url}/webhook/${workflow.nodes.find(({ webhookId }) => webhookId)?.webhookId}/webhook`;
	const body = (recordId: number, remark: string) => {
		const sheet = testbed.service.data.sheet(orders);
		const record = sheet.record(recordId);
		record.set(fields.remark, remark);
		return testbed.service.webhooks.body(sheet, 'UPDATE', [record]);
	};
	const deliver = async (text: string) =>
		(await testbed.service.webhooks.deliver(address(), text)).status;
	/** Returns the remarks with which each execution was started, oldest execution first. */
	const remarks = async (count: number) => {
		const executions = await testbed.editor.endedExecutions(workflow, count);
		return executions
			.map((execution) => execution.json('Changed Records'))
			.map((records) => records.map(({ record }) => Object(record).Remark))
			.reverse();
	};

	beforeAll(async () => {
		const json = example('trigger');
		const nodes = json.nodes.map((node) => ({
			...node,
			parameters: {
				...node.parameters,
				...(node.webhookId && { options: { skipUnchanged: true, skipRepeats: true } }),
			},
		}));
		workflow = await testbed.editor.importWorkflow({ ...json, nodes }, [credential]);
		await testbed.editor.activate(workflow);
		await until(async () => (await deliver('{}')) !== 404);
	});
	afterAll(async () => await testbed.editor.deactivate(workflow));

	it('starts one run in a worker, but a repeated or forged delivery starts no run', async () => {
		const before = begun();
		const first = body(5, 'first');
		expect(await deliver(first)).toBe(200);
		expect(await remarks(1)).toEqual([['first']]);
		expect(await deliver(first.replace('first', 'forged'))).toBe(401);
		expect(await deliver(first)).toBe(200);
		const again = body(5, 'second');
		expect(await deliver(again)).toBe(200);
		// Deliveries processed by one program are known to all programs, so the repeated delivery was ignored.
		expect(await remarks(2)).toEqual([['first'], ['second']]);
		const all = begun().reduce((sum, count) => sum + count, 0);
		expect(all).toBe(before.reduce((sum, count) => sum + count, 0) + 2);
	});
});

it('the polling trigger polls only in the main program, and starts runs in the workers', async () => {
	const isFromPoll = (request: SeenRequest) => isPoll(request) && request.status > 0;
	const polls = () => testbed.service.requests.all().filter(isFromPoll).length;
	const trigger = {
		name: 'Changed Orders',
		type: 'n8n-nodes-sheet-records.sheetRecordsPollingTrigger',
		parameters: { pollTimes: everyThreeSeconds, events: ['UPDATE'], sheet: ordersLocator },
		credentials: { [credential.type]: { id: credential.id, name: credential.name } },
	};
	const next = { name: 'Next', type: 'n8n-nodes-base.noOp', parameters: {} };
	const workflow = await testbed.editor.importWorkflow(
		{
			name: 'Changes',
			nodes: [trigger, next].map(placed),
			connections: { [trigger.name]: { main: [[{ node: next.name, type: 'main', index: 0 }]] } },
		},
		[credential],
	);
	const before = begun().reduce((sum, count) => sum + count, 0);
	await testbed.editor.activate(workflow);
	// The poll at activation sends up to four requests, and emits no changes made before its end.
	await until(() => polls() > 5);
	testbed.service.people.edit(orders, 5, { [fields.remark]: 'changed' });
	await testbed.editor.endedExecutions(workflow, 1);
	expect(begun().reduce((sum, count) => sum + count, 0)).toBeGreaterThan(before);
	await testbed.n8n.stop();
	const soFar = polls();
	// Two polls are due in this time.
	await wait(7_000);
	expect(polls()).toBe(soFar);
	await testbed.n8n.start();
	await until(() => polls() > soFar);
});
