import { waitForTask } from '../../../../nodes/api/tasks/tasks';
import { FakeService } from '../http/fakeService';
import type { FakeAnswer } from '../http/fakeService';

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
	const times = { pollMilliseconds: poll * 1000, timeoutMilliseconds: timeout * 1000 };
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
