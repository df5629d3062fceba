import { orders, tasks, type SheetRecord } from '../service';
import { example } from './chain';
import { useJobs } from './jobs';
import { ScriptedModel } from './scriptedModel';

// The job that starts with a chat message.
const { testbed, credential } = useJobs();

describe('the example that fills a sheet from an AI agent', () => {
	let model: ScriptedModel;

	afterEach(async () => await model.close());

	it('creates a task that does not exist, and updates an existing task', async () => {
		const add = 'Add_or_Change_a_Task';
		model = await ScriptedModel.start(
			[
				{ tool: 'Count_Tasks', arguments: { done: 'No' } },
				{ tool: 'Find_Tasks', arguments: { text: 'Invoice' } },
				{
					tool: add,
					arguments: { title: 'Water the plants', dueDate: '2026-12-24', assignee: 'Grace García' },
				},
				{
					tool: add,
					arguments: { title: 'Water the plants', dueDate: '2026-12-28', assignee: 'Grace García' },
				},
			],
			'I have written it down.',
		);
		const modelCredential = await testbed.editor.createCredential('openAiApi', {
			apiKey: 'none',
			url: model.url,
		});
		const sheet = testbed.service.data.sheet(tasks);
		const before = sheet.records.size;
		const { title, dueDate, assignee, done } = tasks.fields;
		const open = [...sheet.records.values()].filter((record) => record.text(done) === 'No');
		const isInvoice = (record: SheetRecord) => record.text(title).includes('Invoice');
		const long = [...sheet.records.values()].find(isInvoice);
		long?.set(assignee, 'x'.repeat(50_000));
		const workflow = await testbed.editor.importWorkflow(example('jobs/aiAgent'), [
			credential(),
			modelCredential,
		]);
		const execution = await testbed.editor.chat(
			workflow,
			'Chat',
			'Grace García should water the plants by Christmas. No, by the 28th.',
		);
		expect([execution.status, execution.error]).toEqual(['success', undefined]);
		expect(execution.json('Task Keeper')).toEqual([
			expect.objectContaining({ output: 'I have written it down.' }),
		]);
		testbed.expectNoSecrets(execution.stored);

		expect(sheet.records.size).toBe(before + 1);
		const added = [...sheet.records.values()].at(-1);
		expect([title, dueDate, assignee].map((fieldId) => added?.text(fieldId))).toEqual([
			'Water the plants',
			'2026/12/28',
			'Grace García',
		]);
		// The model received today's date and the results of its tool calls.
		const [firstRequest] = model.requests;
		expect(JSON.stringify(firstRequest?.messages[0])).toMatch(/Today is \d{4}-\d{2}-\d{2}/);
		const results = model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
		expect(results.map(({ content }) => JSON.stringify(content))).toEqual([
			expect.stringMatching(new RegExp(`count\\W+${open.length}\\D`)),
			expect.stringMatching(
				/^(?!.*xxx).*Invoice.*_matched.*_shown.*_leftOut.*left out of items: Assignee/,
			),
			expect.stringContaining('created'),
			expect.stringContaining('updated'),
		]);
	});
});

describe('the agent that can comment, but not delete', () => {
	let model: ScriptedModel;

	afterEach(async () => await model.close());

	it('looks an order up, corrects its mistakes by the answers, and adds one comment', async () => {
		const { orderNumber, status } = orders.fields;
		const order = testbed.service.data.record(orders, 12);
		const comments = order.comments.length;
		model = await ScriptedModel.start(
			[
				{ tool: 'Look_Up_an_Order', arguments: { orderNumber: 'SO-99999' } },
				{ tool: 'Look_Up_an_Order', arguments: { orderNumber: order.text(orderNumber) } },
				{ tool: 'Count_Orders', arguments: { status: 'Open' } },
				{ tool: 'Add_a_Comment', arguments: { recordId: 'SO-00012', comment: 'Called.' } },
				{ tool: 'Add_a_Comment', arguments: { recordId: '12', comment: 'Called.' } },
			],
			'I have added a comment.',
		);
		const modelCredential = await testbed.editor.createCredential('openAiApi', {
			apiKey: 'none',
			url: model.url,
		});
		const workflow = await testbed.editor.importWorkflow(example('jobs/agentComments'), [
			credential(),
			modelCredential,
		]);
		const execution = await testbed.editor.chat(workflow, 'Chat', 'Comment on SO-00012.');
		expect([execution.status, execution.error]).toEqual(['success', undefined]);
		testbed.expectNoSecrets(execution.stored);

		const open = [...testbed.service.data.sheet(orders).records.values()].filter(
			(record) => record.text(status) === 'Open',
		);
		const results = model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
		expect(results.map(({ content }) => JSON.stringify(content))).toEqual([
			expect.stringMatching(/No record matches .*SO-99999/),
			expect.stringMatching(/_recordId\W+12\D/),
			expect.stringMatching(new RegExp(`count\\W+${open.length}\\D`)),
			expect.stringMatching(/SO-00012.* is not a record ID.*whole number/),
			expect.stringMatching(/_recordId\W+12\D/),
		]);
		expect(order.comments.length).toBe(comments + 1);
		const writes = testbed.service.requests.all().filter(({ method }) => method !== 'GET');
		expect(new Set(writes.map(({ path }) => path))).toEqual(new Set(['/acme/sales/orders/1/12']));
	});
});
