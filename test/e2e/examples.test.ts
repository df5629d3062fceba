import { orders } from '../service';
import type { SavedCredential } from './editor';
import { example } from './chain';
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
