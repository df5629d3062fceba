import { parseOrderedJson } from '../../../../nodes/api/json/orderedJson';
import { sumOfTasks, taskCounts, taskOf, taskProgress } from '../../../../nodes/api/tasks/task';
import type { Task } from '../../../../nodes/api/tasks/task';

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
