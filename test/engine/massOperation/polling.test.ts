import { lockTen, mass, quickly, ten, useTasksInSteps } from './massParameters';

const { testbed, taskId, looks } = useTasksInSteps();
const lockFor = (timeout: number) => mass('lock', { ...ten, options: { ...quickly, timeout } });
const [atAccount, atSheet] = ['/acme', '/acme/sales/orders/1'];

it.each(['http404', 'code106', 'html'] as const)(
	'if the account does not know tasks (%s), the sheet is requested instead, and only the sheet after that',
	async (position) => {
		testbed.service.switches.taskAtAccount = position;
		const result = await testbed.run(lockTen);
		expect(result.json[0]).toMatchObject({ status: 'COMPLETED', progress: 10 });
		// Code 106 is repeated, because the service sometimes mistakes a valid key for a guest's.
		const first = position === 'code106' ? [atAccount, atAccount] : [atAccount];
		expect(looks()).toEqual([...first, atSheet, atSheet, atSheet, atSheet]);
		expect(testbed.reads[first.length]?.rawUrl).toBe(`${atSheet}?api&taskId=${taskId()}`);
	},
);

describe('a task that the service no longer knows', () => {
	it.each(['code404', 'http404', 'empty'] as const)(
		'a task that the service no longer knows is an error (%s)',
		async (unknownTask) => {
			testbed.service.switches.unknownTask = unknownTask;
			testbed.service.switches.looksUntilForgotten = 0;
			const result = await testbed.run(lockTen);
			expect(result.error?.message).toBe(
				`The service does not know the task ${taskId() || lost()}`,
			);
			expect(result.error?.description).toContain('last state: RUNNING, 8 of 10 records');
			expect(testbed.writes).toHaveLength(1);
		},
	);

	/** Returns the requested task ID, which the service has forgotten. */
	const lost = () => testbed.reads[0]?.query.find(([name]) => name === 'taskId')?.[1] ?? '';
});

it('the error for a time-out names the task, its last state, and how to continue', async () => {
	testbed.service.tasks.hold();
	const result = await testbed.run(lockFor(0.2));
	expect(result.error?.message).toBe(
		`The task ${taskId()} has not ended within 0.2 seconds (last state: NOT_STARTED, 0 of 10 records)`,
	);
	expect(result.error?.description).toContain("operation 'Wait' of the resource 'Task'");
	expect(testbed.writes).toHaveLength(1);
	expect(testbed.service.tasks.all).toHaveLength(1);
});

it('a submission without a task ID is an error with the words of the service', async () => {
	testbed.inject({ kind: 'body', body: '{"status":"SUCCESS","msg":"Form Index 1"}' });
	const { error } = await testbed.run(lockTen);
	expect(error?.message).toBe('The service did not say which task it started: Form Index 1');
});

it.each(['{"status":"SUCCESS"}', '{"taskId":""}', '[]'])(
	'a submission without a task id is an error: %s',
	async (body) => {
		testbed.inject({ kind: 'body', body });
		const result = await testbed.run(lockTen);
		expect(result.error?.message).toBe('The service did not say which task it started');
		expect(result.error?.description).toContain('It is unknown whether the change was made');
		expect(testbed.writes).toHaveLength(1);
		expect(testbed.reads).toEqual([]);
	},
);
