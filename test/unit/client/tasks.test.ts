import type { Client } from '../../../nodes/service/client';
import { waitForTask } from '../../../nodes/service/tasks';
import type { Task } from '../../../nodes/wire/task';
import { FakeService } from './fakeService';
import type { FakeAnswer } from './fakeService';

const taskId = 'a-task';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** When the task was looked at, in seconds from the beginning, until the wait ended. */
async function looksAt(
	answer: (look: number) => FakeAnswer,
	waiting: { poll: number; timeout: number; isNew?: boolean },
): Promise<{ seconds: number[]; outcome: unknown }> {
	const begun = performance.now();
	const seconds: number[] = [];
	const service = new FakeService(() => {
		seconds.push(Math.round((performance.now() - begun) / 100) / 10);
		return answer(seconds.length);
	});
	const ended = endOf(await service.connect(), waiting);
	let outcome: unknown;
	void ended.then((value) => (outcome = value));
	for (let step = 0; step < 20_000 && outcome === undefined; step++) {
		await jest.advanceTimersByTimeAsync(100);
	}
	return { seconds, outcome };
}

async function endOf(
	client: Client,
	{ poll, timeout, isNew }: { poll: number; timeout: number; isNew?: boolean },
) {
	const times = { pollMilliseconds: poll * 1000, timeoutMilliseconds: timeout * 1000 };
	return await waitForTask(client, { taskId, isNew }, times).catch((error: unknown) => error);
}

const running = { body: { status: 'RUNNING', progress: 1, total: 2 } };
const done = { body: { status: 'DONE' } };
const gaps = (seconds: number[]) =>
	seconds.slice(1).map((at, index) => Math.round((at - (seconds[index] ?? 0)) * 10) / 10);

it('the interval grows by half from look to look, to 15 seconds at most', async () => {
	const { seconds, outcome } = await looksAt((look) => (look < 10 ? running : done), {
		poll: 2,
		timeout: 600,
	});
	expect(outcome).toMatchObject<Partial<Task>>({ status: 'DONE', succeeded: true });
	expect(seconds[0]).toBe(0);
	const expected = [2, 3, 4.5, 6.75, 10.125, 15, 15, 15, 15];
	gaps(seconds).forEach((gap, index) => {
		expect(Math.abs(gap - (expected[index] ?? 0))).toBeLessThanOrEqual(0.2);
	});
	expect(seconds).toHaveLength(10);
});

it('an interval longer than 15 seconds stays as it is', async () => {
	const { seconds } = await looksAt((look) => (look < 4 ? running : done), {
		poll: 60,
		timeout: 600,
	});
	expect(gaps(seconds)).toEqual([60, 60, 60]);
});

it('a last look is taken when the time is up', async () => {
	const { seconds, outcome } = await looksAt((look) => (look < 4 ? running : done), {
		poll: 10,
		timeout: 28,
	});
	expect(outcome).toMatchObject({ status: 'DONE' });
	expect(seconds.at(-1)).toBeCloseTo(28, 0);
});

it('a new task that is not known yet is looked for once more', async () => {
	const unknown = { body: { status: 'ERROR', code: 404, msg: 'No such task' } };
	const waiting = { poll: 2, timeout: 60, isNew: true };
	const late = await looksAt((look) => (look < 2 ? unknown : done), waiting);
	expect(late.outcome).toMatchObject({ status: 'DONE' });
	expect(gaps(late.seconds)).toEqual([2]);
	const never = await looksAt(() => unknown, waiting);
	expect(never.outcome).toMatchObject({ kind: 'notFound' });
	expect(never.seconds).toHaveLength(2);
	const old = await looksAt(() => unknown, { poll: 2, timeout: 60 });
	expect(old.outcome).toMatchObject({ kind: 'notFound' });
	expect(old.seconds).toHaveLength(1);
});

it('then the wait ends with the last state', async () => {
	const { seconds, outcome } = await looksAt(() => running, { poll: 10, timeout: 28 });
	expect(outcome).toMatchObject({
		kind: 'timeout',
		message:
			'The task a-task has not ended within 28 seconds (last state: RUNNING, 1 of 2 records)',
	});
	expect(seconds).toHaveLength(4);
});
