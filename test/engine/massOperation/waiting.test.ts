import { orders, type Switches } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { byIds, mass, quickly } from './massParameters';

const testbed = useRecordTestbed();

const ten = byIds('10,11,12,13,14,15,16,17,18,19');
const lockTen = mass('lock', ten);
const withOptions = (options: Record<string, boolean | number>) =>
	mass('lock', { ...ten, options: { ...quickly, ...options } });
const taskId = () => testbed.service.tasks.all[0]?.id ?? '';
const looks = () => testbed.reads.map(({ path }) => path);

beforeEach(() => {
	testbed.service.tasks.recordsPerLook = 4;
});

describe('progress', () => {
	it('is shown in the editor at each look, and summed up in a hint', async () => {
		const result = await testbed.run(lockTen);
		for (const state of [
			'NOT_STARTED, 0 of 10',
			'RUNNING, 4 of 10',
			'RUNNING, 8 of 10',
			'COMPLETED, 10 of 10',
		]) {
			expect(result.recorded).toContain(`Task ${taskId()}: ${state} records`);
		}
		expect(looks()).toHaveLength(4);
		expect(result.hints).toEqual([
			{ message: 'The task ended: 10 of 10 records', type: 'info', location: 'outputPane' },
		]);
	});

	it('is shown to nobody when nobody looks', async () => {
		const result = await testbed.run(lockTen, [{}], { mode: 'trigger' });
		expect(result.status).toBe('success');
		expect(result.recorded).not.toContain(`Task ${taskId()}: RUNNING`);
	});
});

describe('the shape of an answer', () => {
	const nothing = { processed: null, success: null, fail: null, total: null, progress: null };
	const counts = { ...nothing, processed: 10, success: 10, fail: 0 };
	const shapes: Array<[Switches['taskShape'], object]> = [
		['counts', { ...counts, taskName: 'massLock', account: 'acme' }],
		['short', { ...nothing, taskName: null, account: null }],
	];

	it.each(shapes)('%s is read into the one shape', async (taskShape, expected) => {
		testbed.service.switches.taskShape = taskShape;
		const result = await testbed.run(lockTen);
		expect(result.items.map(({ json }) => json)).toEqual([
			{
				taskId: taskId(),
				status: 'COMPLETED',
				finished: true,
				succeeded: true,
				message: '',
				...expected,
			},
		]);
	});
});

describe('the status word', () => {
	it.each(['COMPLETED', 'DONE', 'done'])('%s ends well', async (word) => {
		testbed.service.switches.taskWords.done = word;
		const result = await testbed.run(lockTen);
		expect(result.items[0]?.json).toMatchObject({ status: word.toUpperCase(), succeeded: true });
	});

	it.each(['NOT_STARTED', 'PROCESSING', 'RUNNING', 'anything'])(
		'%s means that it goes on',
		async (word) => {
			Object.assign(testbed.service.switches.taskWords, { waiting: word, running: word });
			const result = await testbed.run(lockTen);
			expect(result.items[0]?.json).toMatchObject({ status: 'COMPLETED' });
			expect(looks()).toHaveLength(4);
		},
	);

	it('FAILED is an error with the counts and the words of the service', async () => {
		testbed.service.switches.taskShape = 'counts';
		testbed.service.tasks.breaksAfter = 6;
		const result = await testbed.run(lockTen);
		expect(result.status).toBe('error');
		expect(result.error?.message).toBe(
			`The task ${taskId()} failed (6 processed, 6 succeeded, 0 failed): The operation was broken off.`,
		);
		expect(result.error?.name).toBe('NodeApiError');
	});
});

describe('records that fail', () => {
	beforeEach(() => {
		testbed.service.tasks.obstacle = (id) => (id === 13 ? 'In use' : undefined);
		testbed.service.switches.taskShape = 'counts';
	});

	it('show in the counts, and the hint warns', async () => {
		const result = await testbed.run(lockTen);
		expect(result.items[0]?.json).toMatchObject({
			succeeded: true,
			processed: 10,
			success: 9,
			fail: 1,
			message: 'Record 13: In use',
		});
		expect(result.hints[0]).toMatchObject({ type: 'warning' });
	});

	it('are an error with Fail on Partial', async () => {
		const result = await testbed.run(withOptions({ failOnPartial: true }));
		expect(result.error?.message).toBe(
			`The task ${taskId()} failed for some records (10 processed, 9 succeeded, 1 failed): Record 13: In use`,
		);
		expect(testbed.service.data.record(orders, 14).locked).toBe(true);
	});
});

it('without waiting the item holds the task, which another node waits for', async () => {
	const submitted = await testbed.run({ ...lockTen, waitForCompletion: false });
	expect(submitted.items).toEqual([{ json: { taskId: taskId() }, pairedItem: { item: 0 } }]);
	expect(testbed.reads).toEqual([]);
	expect(submitted.hints).toEqual([]);
	const ended = await testbed.run(
		{
			resource: 'task',
			operation: 'wait',
			taskId: '={{ $json.taskId }}',
			options: quickly,
		},
		submitted.items,
	);
	expect(ended.items[0]?.json).toMatchObject({ taskId: taskId(), status: 'COMPLETED' });
});

it.each([
	['pollInterval', -1],
	['pollInterval', 'soon'],
	['timeout', -5],
])('the interval %s %s is refused before anything is sent', async (name, value) => {
	const result = await testbed.run(mass('lock', { ...ten, options: { [name]: value } }));
	expect(result.error?.message).toContain('must be a number of seconds greater than 0');
	expect(testbed.service.requests.count).toBe(0);
});
