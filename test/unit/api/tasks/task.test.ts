import { parseOrderedJson } from '../../../../nodes/api/json/orderedJson';
import {
	getTask,
	requireSuccess,
	sumOfTasks,
	taskCounts,
	taskJson,
	taskOf,
	taskProgress,
	uncountedRecords,
	waitForTask,
} from '../../../../nodes/api/tasks/task';
import { FakeService, type FakeAnswer } from '../http/fakeService';

const read = (value: unknown) => taskOf(parseOrderedJson(JSON.stringify(value)), 'asked-for');

describe('a task', () => {
	it.each([
		[{ progress: 2, total: 2 }, null],
		[{ processed: 10, success: 7, total: 10 }, 3],
		[{ processed: 10, success: 10 }, 0],
		[{ processed: 8, success: 8, fail: 0, total: 10 }, 2],
		[{ success: 7, fail: 1 }, 1],
		[{ message: 'Record 99999: Record not found.' }, 1],
		[{ fail: 0, message: 'Record 13: In use; Record 14: In use; record 13: again' }, 2],
		[{ processed: 2, success: 2, fail: 0, message: 'Record 10: updated; Record 11: updated' }, 0],
		[{ fail: 0, message: 'Records 10, 11 updated, no errors.' }, 0],
		[{ fail: 0, message: 'Record 10: updated; Record 11: In use' }, 1],
		[{ fail: 0, message: 'Record 12: Updated by another user' }, 1],
		[{ message: '10 records updated. No record failed.' }, null],
		[{ success: '2', fail: '1,000' }, 1000],
		[{ processed: ' 5 ', success: '4.0' }, 1],
	])('a task that ended with %j has failed for %j records', (counts, fail) => {
		expect(read({ status: 'DONE', ...counts })?.fail).toBe(fail);
		const failed = { status: 'FAILED', ...counts };
		const failures = 'fail' in counts ? Number(String(counts.fail).replace(',', '')) : null;
		expect(read(failed)?.fail).toBe(failures);
	});

	it('an answer without a task is not a task', () => {
		const notTasks = [{}, [], 'RUNNING', 5, null, { status: null }, { status: {} }];
		for (const value of [...notTasks, { acme: { children: {} } }, { '17': { _svcId: 17 } }]) {
			expect(read(value)).toBeUndefined();
		}
	});
});

describe('the sum of tasks', () => {
	const names = ['processed', 'success', 'fail', 'total', 'progress'] as const;
	/** Returns the sum of tasks with these counts, which are in progress, so that no count follows from others. */
	const sumOf = (name: string, counts: ReadonlyArray<number | null>) =>
		sumOfTasks(counts.flatMap((count) => read({ status: 'RUNNING', [name]: count }) ?? []));

	it.each(names)('%s is reported if each task reports it, or if failures are known', (name) => {
		expect(sumOf(name, [5, 7])[name]).toBe(12);
		expect(sumOf(name, [5, null])[name]).toBe(name === 'fail' ? 5 : null);
		expect([sumOf(name, [0, null])[name], sumOf(name, [null, null])[name]]).toEqual([null, null]);
	});

	it('the state is that of the first task that failed', () => {
		const statuses = ['DONE', 'FAILED', 'RUNNING'];
		const tasks = statuses.flatMap((status) => {
			return read({ status, taskName: `of ${status}`, message: status, id: status }) ?? [];
		});
		expect(sumOfTasks(tasks)).toMatchObject({
			...{ status: 'FAILED', taskName: 'of FAILED', taskIds: statuses, finished: false },
			...{ succeeded: false, message: 'DONE; FAILED; RUNNING' },
		});
		expect(sumOfTasks(tasks.slice(0, 1))).toMatchObject({ status: 'DONE', succeeded: true });
	});
});

describe('a finished task', () => {
	const taskWith = (counts: object) => {
		const [task] = [read({ status: 'DONE', ...counts })].flatMap((found) => found ?? []);
		if (!task) throw new Error('No task');
		return task;
	};

	it.each<[counts: object, selected: string[], failure: string, failureOfAll: string]>([
		[{ processed: 2, success: 2, total: 2 }, ['1', '2', '1'], '', ''],
		[{ processed: 2, success: 1, total: 2 }, [], '', 'failed for some records'],
		[{ processed: 1, success: 1, total: 1 }, ['1', '2'], '', 'counts 1 of the 2 selected records'],
		[{ processed: 1, success: 1 }, ['1', '2'], '', 'counts 1 of the 2 selected records'],
		[{}, ['1', '2'], '', ''],
		[{ status: 'FAILED', message: 'Why' }, [], 'failed .*: Why$', 'failed .*: Why$'],
	])(
		'with %j of the records %j fails: %p, or if all count: %p',
		(counts, selected, ...failures) => {
			for (const [at, failure] of failures.entries()) {
				const thrown = () => requireSuccess(taskWith(counts), at === 1, selected);
				if (failure === '') thrown();
				else expect(thrown).toThrow(new RegExp(failure));
			}
			expect(uncountedRecords(taskWith(counts), selected) ?? '').toContain(
				failures[1]?.startsWith('counts') ? failures[1] : '',
			);
		},
	);

	it.each<[counts: object, text: string, progress: string, warning: boolean]>([
		[{}, 'failures not reported', 'DONE', false],
		[{ progress: 2, total: 3 }, '2 of 3 records, 1 failed', 'DONE, 2 of 3 records', true],
		[{ progress: 2 }, 'failures not reported', 'DONE, 2 records', false],
		[
			{ processed: 5, success: 4, fail: 1, progress: 2, total: 5 },
			'5 processed, 4 succeeded, 1 failed',
			'DONE, 5 of 5 records',
			true,
		],
		[
			{ processed: 0, success: 0 },
			'0 processed, 0 succeeded, 0 failed',
			'DONE, 0 of 0 records',
			false,
		],
	])(
		'with %j is described as %p and %p, with a warning: %p',
		(counts, text, progress, isWarned) => {
			const task = taskWith(counts);
			expect([taskCounts(task), taskProgress(task)]).toEqual([text, progress]);
			expect(taskJson(task)._warning).toEqual(isWarned ? expect.stringContaining(text) : undefined);
			expect(
				taskJson({ ...task, message: 'Why' })._warning?.endsWith('The service said: Why'),
			).toBe(isWarned || undefined);
		},
	);
});

describe('waiting for a task', () => {
	const taskId = 'a-task';

	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	const running = { body: { status: 'RUNNING', progress: 1, total: 2 } };
	const done = { body: { status: 'DONE' } };
	const unknown = { body: { status: 'ERROR', code: 404, msg: 'No such task' } };

	interface Waiting {
		poll: number;
		timeout: number;
		isNew?: boolean;
	}

	/** Returns the seconds between the status checks, and the outcome of the wait. */
	async function waited(
		answer: (look: number) => FakeAnswer,
		{ poll, timeout, isNew }: Waiting,
	): Promise<{ gaps: number[]; outcome: unknown }> {
		const looks: number[] = [];
		const service = new FakeService(() => {
			looks.push(performance.now());
			return answer(looks.length);
		});
		const times = { pollInterval: poll * 1000, timeout: timeout * 1000 };
		const ended = waitForTask(await service.connect(), { taskId, isNew }, times);
		const outcome = ended.catch((error: unknown) => error);
		await jest.advanceTimersByTimeAsync(600_000);
		const gaps = looks.slice(1).map((at, index) => (at - (looks[index] ?? 0)) / 1000);
		return { gaps: gaps.map((gap) => Math.round(gap * 10) / 10), outcome: await outcome };
	}

	const doneAt = (last: number) => (look: number) => (look < last ? running : done);

	it.each<[what: string, last: number, Waiting, gaps: number[]]>([
		['grows by half', 9, { poll: 2, timeout: 600 }, [2, 3, 4.5, 6.8, 10.1, 15, 15, 15]],
		['stays as it is when it is longer', 4, { poll: 60, timeout: 600 }, [60, 60, 60]],
		['ends with a last look when the time is up', 4, { poll: 10, timeout: 28 }, [10, 15, 3]],
	])('the delay between status checks, at most 15 seconds, %s', async (_, last, waiting, gaps) => {
		const outcome = expect.objectContaining({ status: 'DONE', succeeded: true });
		expect(await waited(doneAt(last), waiting)).toEqual({ gaps, outcome });
	});

	it('a new task that is still unknown is looked up once more', async () => {
		const waiting = { poll: 2, timeout: 60, isNew: true };
		const late = await waited((look) => (look < 2 ? unknown : done), waiting);
		expect(late).toMatchObject({ gaps: [2], outcome: { status: 'DONE' } });
		const never = await waited(() => unknown, waiting);
		expect(never).toMatchObject({ gaps: [2], outcome: { kind: 'notFound' } });
		const old = await waited(() => unknown, { ...waiting, isNew: false });
		expect(old).toMatchObject({ gaps: [], outcome: { kind: 'notFound' } });
	});
});

it('a temporary failure at one address outweighs an unknown task at the other', async () => {
	const service = new FakeService(({ url }) =>
		url.pathname.includes('/sales/1')
			? { body: { status: 'ERROR', code: 404, msg: 'No such task' } }
			: { body: '<html>Maintenance</html>' },
	);
	const sheet = { folders: ['sales'], sheetIndex: 1 };
	const reading = getTask(await service.connect(), { taskId: 'a-task', sheet });
	await expect(reading).rejects.toMatchObject({ kind: 'webPage' });
	expect(service.requests).toHaveLength(2);
});
