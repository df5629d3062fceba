import type { IBinaryData } from 'n8n-workflow';
import { example } from './chain';
import { useJobs } from './jobs';

const { testbed, runWell } = useJobs();

// Checks only the item counts, because the demo checks the resulting orders.
it.each([
	['around', { 'Add Lines': 2, 'Mark as Shipped': 1 }],
	['massLock', { 'List 500 Orders': 500 }],
	['records', { 'Create Orders': 3, 'Change or Add': 2, 'List Again': 4, 'Delete Orders': 4 }],
])('the example workflow %s runs without changes', async (name, counts) => {
	const execution = await runWell(example(name));
	const nodes = Object.keys(counts);
	const itemCounts = nodes.map((node) => [node, execution.json(node).length]);
	expect(Object.fromEntries(itemCounts)).toEqual(counts);
});

/** Downloads a file of an item from n8n's binary data storage, like the editor. */
async function contentOf(file: IBinaryData | undefined): Promise<Buffer> {
	expect(file?.id).toMatch(/^filesystem/);
	const answer = await testbed.editor.file(
		`/rest/binary-data?id=${encodeURIComponent(file?.id ?? '')}&action=download&fileName=file`,
	);
	expect(answer.status).toBe(200);
	return Buffer.from(await answer.arrayBuffer());
}

it('the documents example exports documents of an order, and attaches and downloads one of them', async () => {
	const execution = await runWell(example('documents'));
	const exported = await contentOf(execution.items('As a PDF')[0]?.binary?.data);
	expect(exported.toString('latin1')).toMatch(/^%PDF/);
	const downloaded = await contentOf(execution.items('Download It Again')[0]?.binary?.data);
	expect(downloaded.equals(exported)).toBe(true);
});
