import { setTimeout as wait } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import type { ScriptedRequest, Task } from './task';

/** Sends a request and resolves with the text of the response. */
export type Send = (request: ScriptedRequest) => Promise<string>;

/** First poll interval of a task, in ms. The node is configured with the same interval. */
export const firstPollMilliseconds = 10;
const pollGrowth = 1.5;

/** Returns the task of the warm-up: as many requests as the node gets items, and the small file. Repeats a shorter script. */
export function warmUpOf(task: Task): Task {
	const { script, warmUpItems, smallFile } = task;
	const repeated = Array.from({ length: warmUpItems }, (_, index) => script[index % script.length]);
	return { ...task, script: repeated.flatMap((request) => request ?? []), largeFile: smallFile };
}

export async function replay({ script, account }: Task, send: Send): Promise<IDataObject[]> {
	const results: IDataObject[] = [];
	for (const request of script) {
		const answer = parsed(await send(request));
		if (request.method === 'GET') results.push(...recordsIn(answer));
		else if (typeof answer.taskId === 'string')
			results.push(await ended(answer.taskId, account, send));
		else if (answer.status === 'SUCCESS') results.push(answer);
		else throw new Error(`The service refused: ${String(answer.msg)}`);
	}
	return results;
}

/** Returns the records of a response, without its other keys. */
function recordsIn(answer: IDataObject): IDataObject[] {
	const ids = Object.keys(answer).filter((key) => /^\d+$/.test(key));
	return ids.map((id) => answer[id]).filter(isObject);
}

async function ended(taskId: string, account: string, send: Send): Promise<IDataObject> {
	for (let pause = firstPollMilliseconds; ; pause *= pollGrowth) {
		const task = parsed(await send({ method: 'GET', address: `/${account}?api&taskId=${taskId}` }));
		if (task.status === 'COMPLETED') return task;
		await wait(pause);
	}
}

function parsed(text: string): IDataObject {
	const value: unknown = JSON.parse(text);
	if (isObject(value)) return value;
	throw new Error('The service answered with something else than an object');
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
