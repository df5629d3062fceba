import { orders } from '../service';
import { chain, items, sheetRecords } from './chain';
import type { SavedCredential } from './editor';
import { example } from './example';
import { useSharedN8n } from './n8nTestbed';

const testbed = useSharedN8n();
const { fields } = orders;

let credential: SavedCredential;

beforeAll(async () => {
	credential = await testbed.apiKey('admin');
});

beforeEach(() => testbed.service.reset());

const order = (id: number) => testbed.service.data.record(orders, id);

it('the example runs: 500 orders are locked by one task', async () => {
	const execution = await testbed.run(example('massLock'), credential);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	const ids = execution.json('List 500 Orders').map(({ _recordId }) => Number(_recordId));
	expect(ids).toHaveLength(500);
	expect(ids.filter((id) => !order(id).locked)).toEqual([]);
	expect(testbed.service.tasks.all).toHaveLength(1);
});

describe('mass operations', () => {
	it('lock the records of all input items in one task, and wait for it', async () => {
		testbed.service.tasks.speed = 4;
		const ids = [11, 12, 13, 14, 15, 16];
		const execution = await testbed.run(
			chain(
				'Lock many',
				...items(...ids.map((_recordId) => ({ _recordId }))),
				sheetRecords('Lock', credential, {
					resource: 'massOperation',
					operation: 'lock',
					selection: 'inputItems',
					lockAction: 'lock',
					options: { pollInterval: 1 },
				}),
			),
			credential,
		);
		expect([execution.status, execution.error]).toEqual(['success', undefined]);
		expect(execution.json('Lock')).toEqual([
			expect.objectContaining({ finished: true, succeeded: true, progress: 6, total: 6 }),
		]);
		expect(testbed.service.tasks.all).toHaveLength(1);
		expect(ids.map((id) => order(id).locked)).toEqual(ids.map(() => true));
	});

	it('hand a task to a later wait', async () => {
		const execution = await testbed.run(
			chain(
				'Wait later',
				sheetRecords('Update', credential, {
					resource: 'massOperation',
					operation: 'update',
					selection: 'recordIds',
					recordIds: '21, 22',
					assignments: { assignment: [{ field: fields.remark, value: 'Mass change' }] },
					waitForCompletion: false,
				}),
				sheetRecords('Wait', credential, {
					resource: 'task',
					operation: 'wait',
					taskId: '={{ $json.taskId }}',
				}),
			),
			credential,
		);
		expect([execution.status, execution.error]).toEqual(['success', undefined]);
		expect(execution.json('Wait')).toEqual([expect.objectContaining({ succeeded: true })]);
		expect([21, 22].map((id) => order(id).text(fields.remark))).toEqual([
			'Mass change',
			'Mass change',
		]);
	});

	it('refuse an empty selection, with nothing sent', async () => {
		const execution = await testbed.run(
			chain(
				'Nothing chosen',
				sheetRecords('Lock', credential, {
					resource: 'massOperation',
					operation: 'lock',
					selection: 'filters',
				}),
			),
			credential,
		);
		expect([execution.status, execution.error?.message]).toEqual([
			'error',
			expect.stringMatching(/selection is empty/),
		]);
		expect(testbed.service.requests.all().filter(({ method }) => method !== 'GET')).toEqual([]);
	});
});
