import { codeOf, inWords, isSuccess, membersOf, type Members, type ServiceAnswer } from '../answer';
import { NotAsked, type OwnRecord, type ScratchSheet } from '../scratchSheet';
import { discovery, question, unexpected } from './question';

const maxStatusChecks = 30;

/** Questions about mass operations and their tasks. Each operation changes one record of the probe. */
export const taskQuestions = [
	question('massBodies', 'The bodies of mass operations', async (sheet) => {
		const record = await sheet.newRecord();
		const [first, alternative] = updateBodies(await sheet.field('text'), 'probe');
		const isFirst = (await sheet.submit(record, 'massUpdate', [first])).taskId !== undefined;
		const submitted = await sheet.submit(record, 'massUpdate', [alternative]);
		const isAlternative = submitted.taskId !== undefined;
		if (isFirst && isAlternative) return { seen: 'both shapes are accepted', standsFor: 'both' };
		if (isFirst) return { seen: 'the first shape alone', standsFor: 'first' };
		return isAlternative
			? { seen: 'the alternative shape alone', standsFor: 'alternative' }
			: unexpected(submitted.answer);
	}),
	question('taskAtAccount', 'Progress at the account’s address', async (sheet) => {
		const answer = await look(sheet, '', await startTask(sheet));
		return discovery(answer, isTask(answer));
	}),
	question('taskAtSheet', 'Progress at the sheet’s address', async (sheet) => {
		const answer = await look(sheet, sheet.path, await startTask(sheet));
		return discovery(answer, isTask(answer));
	}),
	question('taskShape', 'What a task tells', async (sheet) => {
		const task = membersOf(await watch(sheet, await startTask(sheet)).then(({ last }) => last));
		const seen = Object.keys(task).join(', ');
		if ('progress' in task || 'total' in task) return { seen, standsFor: 'progress' };
		return 'processed' in task || 'success' in task
			? { seen, standsFor: 'counts' }
			: { seen, standsFor: 'short' };
	}),
	question('taskWords', 'The status words of a task that ends well', async (sheet) => {
		const { words } = await watch(sheet, await startTask(sheet));
		const done = words.at(-1) ?? '';
		return { seen: words.join(', then '), standsFor: { done } };
	}),
	question('unknownTask', 'A task that is not there', async (sheet) => {
		const unknown = '00000000-0000-4000-8000-000000000000';
		// Use an existing task to find out which address reports tasks. Other addresses reject every task.
		const existingTask = sheet.mayWrite ? await startTask(sheet) : undefined;
		for (const address of ['', sheet.path]) {
			if (existingTask !== undefined && !isTask(await look(sheet, address, existingTask))) continue;
			const answer = await look(sheet, address, unknown);
			const seen = inWords(answer);
			if (codeOf(answer) === 404) return { seen, standsFor: 'code404' };
			if (answer.text.trim() === '{}') return { seen, standsFor: 'empty' };
			if (existingTask !== undefined)
				return answer.status === 404 ? { seen, standsFor: 'http404' } : { seen };
		}
		throw new NotAsked('no address is known to tell of tasks');
	}),
];

function updateBodies(field: string, value: string): [first: Members, alternative: Members] {
	return [{ action: [{ field, value }] }, { [field]: value }];
}

/** Starts a mass update of a text field in a new record. */
async function startTask(sheet: ScratchSheet): Promise<string> {
	const record: OwnRecord = await sheet.newRecord();
	const bodies = updateBodies(await sheet.field('text'), 'probe');
	const { taskId, answer } = await sheet.submit(record, 'massUpdate', bodies);
	if (taskId !== undefined) return taskId;
	throw new NotAsked(`no task could be started: ${inWords(answer)}`);
}

async function look(
	{ client }: ScratchSheet,
	address: string,
	taskId: string,
): Promise<ServiceAnswer> {
	return await client.get(address, `api&taskId=${encodeURIComponent(taskId)}`);
}

function isTask(answer: ServiceAnswer): boolean {
	const { status } = membersOf(answer);
	return typeof status === 'string' && codeOf(answer) === undefined && !isSuccess(answer);
}

/**
 * Polls a task until its status word means the end of the task, or no longer changes. Returns the last response, and the
 * different words in their order.
 */
async function watch(
	sheet: ScratchSheet,
	taskId: string,
): Promise<{ last: ServiceAnswer; words: string[] }> {
	const address = isTask(await look(sheet, '', taskId)) ? '' : sheet.path;
	const seen: string[] = [];
	let last = await look(sheet, address, taskId);
	while (isTask(last) && seen.length < maxStatusChecks) {
		const word = String(membersOf(last).status);
		seen.push(word);
		const hasStayed = seen.length > 5 && seen.slice(-6).every((state) => state === word);
		const isAtEnd = hasStayed && !/START|RUN|PROCESS|WAIT|PEND|QUEUE/i.test(word);
		if (isAtEnd || /COMPLETE|DONE|FINISH|FAIL|ERROR/i.test(word)) {
			return { last, words: [...new Set(seen)] };
		}
		await sheet.client.clock.wait(1000);
		last = await look(sheet, address, taskId);
	}
	throw new NotAsked(`the task did not end: ${seen.join(', ') || inWords(last)}`);
}
