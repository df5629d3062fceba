import type { IBinaryData } from 'n8n-workflow';

import { orders } from '../service';
import type { SavedCredential } from './editor';
import { chain, example, items, sheetRecords } from './chain';
import { useSharedN8n } from './n8nTestbed';

const testbed = useSharedN8n();
const { fields } = orders;

let credential: SavedCredential;

beforeAll(async () => {
	credential = await testbed.apiKey('admin');
});

beforeEach(() => testbed.service.reset());

const order = (id: number) => testbed.service.data.record(orders, id);

it('the rows example runs: rows, a comment with a file, a lock that refuses, a button', async () => {
	const execution = await testbed.run(example('around'), credential);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	expect(execution.json('Add Lines')).toHaveLength(2);
	expect(execution.json('Change Although Locked', 1)).toEqual([
		expect.objectContaining({ error: expect.stringMatching(/locked/i) }),
	]);
	expect(execution.json('Mark as Shipped')).toEqual([
		expect.objectContaining({ message: expect.stringContaining('is on its way') }),
	]);
	const { locked, comments } = order(100);
	expect([locked, order(100).text(fields.status), comments.at(-1)?.text]).toEqual([
		false,
		'Shipped',
		expect.stringContaining('Contract checked ✔'),
	]);
});

it('the mass lock example runs: 500 orders are locked by one task', async () => {
	const execution = await testbed.run(example('massLock'), credential);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	const ids = execution.json('List 500 Orders').map(({ _recordId }) => Number(_recordId));
	expect(ids).toHaveLength(500);
	expect(ids.filter((id) => !order(id).locked)).toEqual([]);
	expect(testbed.service.tasks.all).toHaveLength(1);
});

/** A file of an item, from n8n's file store, as the editor shows it. */
async function contentOf(file: IBinaryData | undefined): Promise<Buffer> {
	expect(file?.id).toMatch(/^filesystem/);
	const answer = await testbed.editor.file(
		`/rest/binary-data?id=${encodeURIComponent(file?.id ?? '')}&action=download&fileName=file`,
	);
	expect(answer.status).toBe(200);
	return Buffer.from(await answer.arrayBuffer());
}

it('the documents example runs: documents of an order, one of them attached and downloaded', async () => {
	const execution = await testbed.run(example('documents'), credential);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	const exported = await contentOf(execution.items('As a PDF')[0]?.binary?.data);
	expect(exported.toString('latin1')).toMatch(/^%PDF/);
	const downloaded = await contentOf(execution.items('Download It Again')[0]?.binary?.data);
	expect(downloaded.equals(exported)).toBe(true);
});

function references(): string[] {
	const { records } = testbed.service.data.sheet(orders);
	return [...records.values()].map((record) => `${record.id} ${record.text(fields.reference)}`);
}

it('the example of records runs as it is, and leaves nothing behind', async () => {
	const before = references();
	const execution = await testbed.run(example('records'), credential);
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
	const execution = await testbed.run(workflow, credential);
	expect([execution.status, execution.runs('Create')]).toEqual(['success', 3]);
	expect(execution.items('Loop').map(({ json }) => json._recordId)).toHaveLength(5);
	expect(references().filter((reference) => reference.includes('LOOP-'))).toHaveLength(5);
});
