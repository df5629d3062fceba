import type { WorkflowJson } from '../engine/runner/storedWorkflow';
import { orders } from '../service';
import { chain, example, items, sheetRecords } from './chain';
import type { SavedCredential } from './editor';
import { useSharedN8n } from './n8nTestbed';

const testbed = useSharedN8n();
const { fields } = orders;

let credential: SavedCredential;

beforeAll(async () => {
	credential = await testbed.apiKey('admin');
});

beforeEach(() => testbed.service.reset());

async function run(workflow: WorkflowJson) {
	return await testbed.run(workflow, credential);
}

function references(): string[] {
	const { records } = testbed.service.data.sheet(orders);
	return [...records.values()].map((record) => `${record.id} ${record.text(fields.reference)}`);
}

it('the example of records runs as it is, and leaves nothing behind', async () => {
	const before = references();
	const execution = await run(example('records'));
	expect([execution.status, execution.error]).toEqual(['success', undefined]);

	const said = (node: string, key: string) => execution.json(node).map((json) => json[key]);
	expect(execution.json('Create Orders')).toHaveLength(3);
	expect(said('List by Total', 'Reference')).toEqual(['DEMO-2', 'DEMO-1', 'DEMO-3']);
	expect(said('Change or Add', '_action')).toEqual(['updated', 'created']);
	expect(said('List Again', 'Reference')).toEqual(['DEMO-1', 'DEMO-2', 'DEMO-3', 'DEMO-4']);
	expect(said('Delete Orders', 'deleted')).toEqual([true, true, true, true]);
	expect(references()).toEqual(before);
});

it('a loop writes batch by batch', async () => {
	const rows = [1, 2, 3, 4, 5].map((number) => ({
		Reference: `LOOP-${number}`,
		'Customer Number': 'C-0001',
	}));
	const workflow = chain(
		'Loop',
		...items(...rows),
		{
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { batchSize: 2 },
		},
		sheetRecords('Create', credential, {
			operation: 'create',
			fields: {
				mappingMode: 'autoMapInputData',
				value: null,
				matchingColumns: [],
				schema: [],
			},
		}),
	);
	const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
	workflow.connections.Loop = { main: [[], to('Create')] };
	workflow.connections.Create = { main: [to('Loop')] };
	const execution = await run(workflow);
	expect([execution.status, execution.runs('Create')]).toEqual(['success', 3]);
	expect(execution.items('Loop').map(({ json }) => json._recordId)).toHaveLength(5);
	expect(references().filter((reference) => reference.includes('LOOP-'))).toHaveLength(5);
});
