import { codeOf, inWords, isSuccess, membersOf, type ServiceAnswer } from '../answer';
import { NotAsked, type ScratchSheet } from '../scratchSheet';
import { question } from './question';

const mostLooks = 30;

/** Mass operations, each on one record of the probe's own, and the tasks that carry them out. */
export const taskQuestions = [
	question('taskWords', 'The status words of a task that ends well', async (sheet) => {
		const words = await wordsOf(sheet, await startTask(sheet));
		const done = words.at(-1) ?? '';
		return { seen: words.join(', then '), standsFor: { done } };
	}),
];

/** Starts a mass update of a text that nobody needs. */
async function startTask(sheet: ScratchSheet): Promise<string> {
	const action = [{ field: await sheet.field('text'), value: 'probe' }];
	const answer = await sheet.submit(await sheet.newRecord(), 'massUpdate', { action });
	const { taskId } = membersOf(answer);
	if (typeof taskId === 'string') return taskId;
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

/** The status words of a task until it has ended: by its word, or because the word stays. */
async function wordsOf(sheet: ScratchSheet, taskId: string): Promise<string[]> {
	const address = isTask(await look(sheet, '', taskId)) ? '' : sheet.path;
	const seen: string[] = [];
	let answer = await look(sheet, address, taskId);
	while (isTask(answer) && seen.length < mostLooks) {
		const word = String(membersOf(answer).status);
		seen.push(word);
		const hasStayed = seen.length > 5 && seen.slice(-6).every((one) => one === word);
		const isAtEnd = hasStayed && !/START|RUN|PROCESS|WAIT|PEND|QUEUE/i.test(word);
		if (isAtEnd || /COMPLETE|DONE|FINISH|FAIL|ERROR/i.test(word)) return [...new Set(seen)];
		await sheet.client.clock.wait(1000);
		answer = await look(sheet, address, taskId);
	}
	throw new NotAsked(`the task did not end: ${[...new Set(seen)].join(', ')}`);
}
