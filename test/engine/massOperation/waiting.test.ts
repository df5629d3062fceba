import { orders } from '../../service';
import { retrying } from '../retryOnFail/retrying';
import {
	byConditions,
	byIds,
	lockTen,
	mass,
	quickly,
	ten,
	useTasksInSteps,
} from './massParameters';

const { testbed, taskId, looks } = useTasksInSteps();
const { fields } = orders;

it('progress is shown in the editor after each status request, and summarized in a hint', async () => {
	const result = await testbed.run(lockTen);
	const states = ['NOT_STARTED, 0', 'RUNNING, 4', 'RUNNING, 8', 'COMPLETED, 10'];
	for (const state of states)
		expect(result.recorded).toContain(`Task ${taskId()}: ${state} of 10 records`);
	expect(looks()).toHaveLength(4);
	const message = 'The task ended: 10 of 10 records, failures not reported';
	expect(result.hints).toEqual([{ message, type: 'info', location: 'outputPane' }]);
});

it('a new task that the service does not know at the first status request is awaited', async () => {
	const unknown = '{"status":"ERROR","code":404,"msg":"Unknown task."}';
	testbed.inject({
		...{ kind: 'body', body: unknown, times: 2 },
		when: ({ rawUrl }) => rawUrl.includes('taskId='),
	});
	const result = await testbed.run(lockTen);
	expect(result.json).toMatchObject([{ status: 'COMPLETED', succeeded: true }]);
});

describe('the status of a task', () => {
	it.each(['COMPLETED', 'DONE', 'done'])('the status word %s means success', async (word) => {
		testbed.service.switches.taskWords.done = word;
		const result = await testbed.run(lockTen);
		expect(result.json[0]).toMatchObject({ status: word.toUpperCase(), succeeded: true });
	});

	it.each(['NOT_STARTED', 'PROCESSING', 'RUNNING', 'anything'])(
		'the status word %s means that the task continues',
		async (word) => {
			Object.assign(testbed.service.switches.taskWords, { waiting: word, running: word });
			const result = await testbed.run(lockTen);
			expect(result.json[0]).toMatchObject({ status: 'COMPLETED' });
			expect(looks()).toHaveLength(4);
		},
	);

	it('the status word FAILED is an error with the counts and the message of the service', async () => {
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

describe('records that a task could not process', () => {
	const approve = (options: object = {}) =>
		mass('approve', { ...byIds('12,99999'), options: { ...quickly, ...options } });
	const words = 'Record 99999: Record not found.';

	it.each([
		['progress', '2 of 2 records, 1 failed', { total: 2, progress: 2 }],
		['counts', '2 processed, 1 succeeded, 1 failed', { processed: 2, success: 1 }],
	] as const)(
		'failed records are reported in the item and in a hint: %s',
		async (taskShape, counts, visible) => {
			testbed.service.switches.taskShape = taskShape;
			const result = await testbed.run(approve());
			expect(result.json[0]).toMatchObject({
				...{ succeeded: true, fail: 1, message: words, ...visible },
				_warning: `The operation failed for some records (${counts}). The service said: ${words}`,
			});
			expect(result.hints).toMatchObject([
				{ type: 'warning', message: `The task ended: ${counts}` },
			]);
			const strict = await testbed.run(approve({ failOnPartial: true }));
			expect(strict.error?.message).toContain(`failed for some records (${counts}): ${words}`);
			expect(testbed.order(12).approval?.status).toBe('Approved');
		},
	);
});

describe('a task that counts fewer records than were selected by their IDs', () => {
	const isLook = ({ method }: { method: string }) => method === 'GET';

	it.each([
		{ reported: { progress: 2, total: 2 }, counts: '2 of 2 records, failures not reported' },
		{
			reported: { processed: 2, success: 2, fail: 0 },
			counts: '2 processed, 2 succeeded, 0 failed',
		},
	])(
		'the item has a warning, and Fail on Partial fails: $reported',
		async ({ reported, counts }) => {
			const body = JSON.stringify({ status: 'COMPLETED', ...reported });
			testbed.inject({ kind: 'body', body, when: isLook, times: 2 });
			const lock = mass('lock', byIds('10,11,99999'));
			const words =
				'The task counts 2 of the 3 selected records. The others may be deleted, or hidden from this user.';
			expect((await testbed.run(lock)).json).toMatchObject([{ succeeded: true, _warning: words }]);
			const options = { ...quickly, failOnPartial: true };
			const strict = await testbed.run({ ...lock, options });
			expect(strict.error?.message).toContain(`failed for some records (${counts}): ${words}`);
		},
	);

	it('an ID that comes twice is one record', async () => {
		const body = JSON.stringify({ status: 'COMPLETED', progress: 2, total: 2 });
		testbed.inject({ kind: 'body', body, when: isLook });
		const options = { ...quickly, failOnPartial: true };
		const result = await testbed.run(mass('lock', { ...byIds('10,11,10'), options }));
		expect(result.json).toMatchObject([{ succeeded: true }]);
		expect(result.json[0]).not.toHaveProperty('_warning');
	});

	it('no number of records is no warning', async () => {
		const body = JSON.stringify({ status: 'COMPLETED' });
		testbed.inject({ kind: 'body', body, when: isLook });
		const result = await testbed.run(mass('lock', byIds('10,11')));
		expect(result.json[0]).not.toHaveProperty('_warning');
	});
});

it('words of the service about the submission, failed records and uncounted records are all named in _warning', async () => {
	const submitted = JSON.stringify({ taskId: 't1', msg: 'Some fields are read-only here.' });
	testbed.inject({ kind: 'body', body: submitted, when: ({ method }) => method === 'POST' });
	const ended = JSON.stringify({ status: 'COMPLETED', processed: 2, success: 1, fail: 1 });
	testbed.inject({ kind: 'body', body: ended, when: ({ method }) => method === 'GET' });
	const result = await testbed.run(mass('lock', byIds('10,11,12')));
	expect(result.json[0]?._warning).toBe(
		'The operation failed for some records (2 processed, 1 succeeded, 1 failed). Some fields are read-only here. The task counts 2 of the 3 selected records. The others may be deleted, or hidden from this user.',
	);
});

it('a task that reports "2 records failed" in its message fails with Fail on Partial, and has a warning without', async () => {
	const body = JSON.stringify({ status: 'COMPLETED', message: '2 records failed' });
	testbed.inject({ kind: 'body', body, when: ({ method }) => method === 'GET', times: 2 });
	const result = await testbed.run(lockTen);
	expect(result.items).toMatchObject([
		{
			json: {
				fail: 2,
				_warning:
					'The operation failed for some records (2 failed). The service said: 2 records failed',
			},
			pairedItem: { item: 0 },
		},
	]);
	const options = { ...quickly, failOnPartial: true };
	const strict = await testbed.run({ ...lockTen, options });
	expect(strict.error?.message).toContain('failed for some records (2 failed): 2 records failed');
});

it('without waiting, the item contains the task ID, for a later Wait for Completion', async () => {
	const submitted = await testbed.run({ ...lockTen, waitForCompletion: false });
	expect(submitted.items).toEqual([{ json: { taskId: taskId() }, pairedItem: { item: 0 } }]);
	expect(testbed.reads).toEqual([]);
	expect(submitted.hints).toEqual([]);
	const ended = await testbed.run(
		{ resource: 'task', operation: 'wait', taskId: '={{ $json.taskId }}', options: quickly },
		submitted.items,
	);
	expect(ended.items[0]?.json).toMatchObject({ taskId: taskId(), status: 'COMPLETED' });
});

describe('a task that ends once is counted once in the hint', () => {
	const hint = (counts: string) => [`The task ended: ${counts}`];

	it('if several items wait for it', async () => {
		const { items } = await testbed.run({ ...lockTen, waitForCompletion: false });
		const wait = { resource: 'task', operation: 'wait', taskId: '={{ $json.taskId }}' };
		const result = await testbed.run({ ...wait, options: quickly }, [...items, ...items]);
		expect(result.hintTexts).toEqual(hint('10 of 10 records, failures not reported'));
	});

	it('if each attempt of Retry On Fail waits for it', async () => {
		testbed.inject({
			kind: 'body',
			body: '{"status":"COMPLETED","processed":10,"success":9,"fail":1}',
			when: ({ rawUrl }) => rawUrl.includes('taskId='),
			times: 3,
		});
		const options = { ...quickly, failOnPartial: true };
		const result = await testbed.runAll({ ...lockTen, options }, [{}], retrying);
		expect(result.hintTexts).toEqual(hint('10 processed, 9 succeeded, 1 failed'));
	});
});

it.each([
	['pollInterval', -1],
	['pollInterval', 'soon'],
	['timeout', -5],
])('the interval %s %s is rejected before anything is sent', async (name, value) => {
	const result = await testbed.run(mass('lock', { ...ten, options: { [name]: value } }));
	expect(result.error?.message).toContain('must be a number of seconds greater than 0');
	expect(testbed.service.requests.count).toBe(0);
});

it.each(['progress', 'counts'] as const)(
	'an operation on no record says so in a hint and in the item: %s',
	async (taskShape) => {
		testbed.service.switches.taskShape = taskShape;
		const nowhere = byConditions([fields.reference, 'eq', 'no record has this']);
		const result = await testbed.run(mass('lock', { ...nowhere }));
		expect(result.json).toMatchObject([{ succeeded: true, total: 0 }]);
		const message = 'No record matched the selection. Nothing was changed.';
		expect(result.hints).toMatchObject([{ message, type: 'warning' }]);
	},
);
