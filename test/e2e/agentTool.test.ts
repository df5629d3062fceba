import { orders } from '../service';
import { ordersLocator, placed, start, type Step } from './chain';
import type { SavedCredential } from './editor';
import { useSharedN8n } from './n8nTestbed';
import { ScriptedModel } from './scriptedModel';

const testbed = useSharedN8n();
const { fields } = orders;

let model: ScriptedModel;
let credential: SavedCredential;
let modelCredential: SavedCredential;

beforeAll(async () => {
	model = await ScriptedModel.start(
		[{ arguments: { reference: 'TOOL-1' } }],
		'The order is for Lyon.',
	);
	credential = await testbed.apiKey('admin');
	modelCredential = await testbed.editor.createCredential('openAiApi', {
		apiKey: 'none',
		url: model.url,
	});
});

afterAll(async () => await model.close());

it('an AI agent finds records with the node as its tool', async () => {
	testbed.service.data.record(orders, 42).set(fields.reference, 'TOOL-1');
	const steps: Step[] = [
		{ name: start, type: 'n8n-nodes-base.manualTrigger', parameters: {} },
		{
			name: 'Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: 2,
			parameters: {
				promptType: 'define',
				text: 'Where does order TOOL-1 go?',
				options: {},
			},
		},
		{
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
			credentials: { openAiApi: modelCredential },
		},
		{
			name: 'Find an Order',
			type: 'n8n-nodes-sheet-records.sheetRecordsTool',
			parameters: {
				authentication: 'apiKey',
				resource: 'record',
				operation: 'getAll',
				sheet: ordersLocator,
				filters: {
					conditions: [
						{
							field: fields.reference,
							operator: 'eq',
							value: "={{ $fromAI('reference', 'The reference of the order', 'string') }}",
						},
					],
				},
			},
			credentials: { sheetRecordsApi: credential },
		},
	];
	const execution = await testbed.run(
		{
			name: 'Agent',
			nodes: steps.map(placed),
			connections: {
				[start]: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
				Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
				'Find an Order': { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
			},
		},
		credential,
		modelCredential,
	);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	expect(execution.json('Agent')).toEqual([
		expect.objectContaining({ output: 'The order is for Lyon.' }),
	]);

	const [offered, answered] = model.requests;
	expect(JSON.stringify(offered?.tools?.[0]?.function)).toContain('The reference of the order');
	const result = answered?.messages.find(({ role }) => role === 'tool');
	expect(JSON.stringify(result?.content)).toMatch(/_recordId.{1,8}42\b/);
	expect(testbed.service.requests.all().map(({ query }) => query)).toContainEqual(
		expect.arrayContaining([['where', expect.stringContaining('TOOL-1')]]),
	);
});
