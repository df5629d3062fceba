import { parseOrderedJson } from '../../../../nodes/api/json/orderedJson';
import {
	sumOfTasks,
	taskCounts,
	taskOf,
	taskProgress,
	waitForTask,
} from '../../../../nodes/api/tasks/task';
import type { Task } from '../../../../nodes/api/tasks/task';
import { FakeService, type FakeAnswer } from '../http/fakeService';

const read = (value: unknown) => taskOf(parseOrderedJson(JSON.stringify(value)), 'asked-for');

const bare: Task = {
	taskId: 'asked-for',
	taskName: null,
	account: null,
	status: 'RUNNING',
	finished: false,
	succeeded: false,
	processed: null,
	success: null,
	fail: null,
	total: null,
	progress: null,
	message: '',
};

describe('a task', () => {
	it('is read from the progress form', () => {
		const answer = { status: 'RUNNING', progress: 5, total: 10, message: 'on it' };
		expect(read(answer)).toEqual({ ...bare, progress: 5, total: 10, message: 'on it' });
	});

	it('is read from the form with counts', () => {
		const counts = { processed: 10, success: 9, fail: 1 };
		const said = { ...counts, taskName: 'massLock', status: 'COMPLETED' };
		const told = { ...said, taskId: 'own', account: 'acme', finished: true, succeeded: true };
		expect(read({ ...said, id: 'own', ap: 'acme' })).toEqual({ ...bare, ...told });
	});

	it('is read from its status alone', () => {
		expect(read({ status: 'PROCESSING' })).toEqual({ ...bare, status: 'PROCESSING' });
	});

	it.each([
		['COMPLETED', true, true],
		['DONE', true, true],
		['done', true, true],
		['FAILED', true, false],
		['failed', true, false],
		['RUNNING', false, false],
		['NOT_STARTED', false, false],
		['PROCESSING', false, false],
		['COMPLETED_LATER', false, false],
		['', false, false],
	])('with the status %s: finished %s, well %s', (status, finished, succeeded) => {
		expect(read({ status })).toMatchObject({ finished, succeeded });
	});

	it('may give its numbers as texts', () => {
		const task = read({ status: 'RUNNING', progress: '5', total: '10', fail: '0' });
		expect(task).toEqual({ ...bare, progress: 5, total: 10, fail: 0 });
	});

	it.each([-1, 1.5, 'many', '', null, {}, true])('has no count that is none: %j', (fail) => {
		expect(read({ status: 'x', fail })?.fail).toBeNull();
	});

	it('is not seen in anything else', () => {
		const others = [{}, [], 'RUNNING', 5, null, { status: null }, { status: {} }];
		for (const value of [...others, { acme: { children: {} } }, { '17': { _svcId: 17 } }]) {
			expect(read(value)).toBeUndefined();
		}
	});
});

describe('words on a task', () => {
	it.each([
		[bare, 'RUNNING'],
		[{ ...bare, progress: 5, total: 10 }, 'RUNNING, 5 of 10 records'],
		[{ ...bare, processed: 7 }, 'RUNNING, 7 records'],
		[{ ...bare, processed: 0, total: 10 }, 'RUNNING, 0 of 10 records'],
	])('tell how far it is', (task, words) => {
		expect(taskProgress(task)).toBe(words);
	});

	it.each([
		[bare, 'the service gives no counts'],
		[{ ...bare, progress: 10, total: 10 }, '10 of 10 records'],
		[{ ...bare, processed: 3, success: 2, fail: 1 }, '3 processed, 2 succeeded, 1 failed'],
		[{ ...bare, fail: 0 }, '0 failed'],
	])('tell how it ended', (task, words) => {
		expect(taskCounts(task)).toBe(words);
	});
});

describe('the sum of tasks', () => {
	const done = { ...bare, status: 'DONE', finished: true, succeeded: true };

	it('adds what all of them tell', () => {
		const tasks = [
			{ ...done, taskId: 'a', processed: 2, fail: 1, total: 2, message: 'one failed' },
			{ ...done, taskId: 'b', processed: 3, fail: 0, message: '' },
		];
		expect(sumOfTasks(tasks)).toEqual({
			...done,
			taskId: null,
			taskIds: ['a', 'b'],
			processed: 5,
			fail: 1,
			message: 'one failed',
		});
	});

	it('has the status of one that did not end well', () => {
		const failed = { ...bare, status: 'FAILED', finished: true };
		expect(sumOfTasks([done, failed, done])).toMatchObject({ status: 'FAILED', succeeded: false });
		expect(sumOfTasks([done, bare])).toMatchObject({ finished: false, succeeded: false });
	});
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

	/** How many seconds lay between the looks at the task, and what came of the wait. */
	async function waited(
		answer: (look: number) => FakeAnswer,
		{ poll, timeout, isNew }: Waiting,
	): Promise<{ gaps: number[]; outcome: unknown }> {
		const looks: number[] = [];
		const service = new FakeService(() => {
			looks.push(performance.now());
			return answer(looks.length);
		});
		const times = { every: poll * 1000, timeout: timeout * 1000 };
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
	])('the interval between looks, of 15 seconds at most, %s', async (_, last, waiting, gaps) => {
		const outcome = expect.objectContaining({ status: 'DONE', succeeded: true });
		expect(await waited(doneAt(last), waiting)).toEqual({ gaps, outcome });
	});

	it('when the time is up, the wait ends with the last state', async () => {
		const { gaps, outcome } = await waited(() => running, { poll: 10, timeout: 28 });
		expect(gaps).toEqual([10, 15, 3]);
		expect(outcome).toMatchObject({
			kind: 'timeout',
			message:
				'The task a-task has not ended within 28 seconds (last state: RUNNING, 1 of 2 records)',
		});
	});

	it('a new task that is not known yet is looked for once more', async () => {
		const waiting = { poll: 2, timeout: 60, isNew: true };
		const late = await waited((look) => (look < 2 ? unknown : done), waiting);
		expect(late).toMatchObject({ gaps: [2], outcome: { status: 'DONE' } });
		const never = await waited(() => unknown, waiting);
		expect(never).toMatchObject({ gaps: [2], outcome: { kind: 'notFound' } });
		const old = await waited(() => unknown, { ...waiting, isNew: false });
		expect(old).toMatchObject({ gaps: [], outcome: { kind: 'notFound' } });
	});
});
