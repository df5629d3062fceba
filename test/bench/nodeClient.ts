import type { INodeParameters } from 'n8n-workflow';
import { activateTrigger, type InputItem } from '../engine/runner';
import { credentialsOf, inputOf, runInEngine } from './inEngine';
import type { Prepared, Task } from './task';
import { workPlans } from './works';

/** Prepares the node in n8n's engine. A first run loads all modules. */
export async function prepareNode(task: Task): Promise<Prepared> {
	if (task.work === 'verify') return await prepareTrigger(task);
	const plan = workPlans[task.work];
	const parameters = { ...plan.parameters?.(task), sheet: sheetOf(task) };
	const run = async (overrides: INodeParameters, items: InputItem[]) =>
		await runInEngine(task, {
			node: 'sheetRecords',
			parameters: { ...parameters, ...overrides },
			items,
		});
	await run(plan.smaller?.(task) ?? {}, await inputOf(task, task.warmUpItems, task.amount));
	const items = await inputOf(task, task.amount);
	return { run: async () => await run({}, items) };
}

const sheetOf = ({ sheetPath }: Task) => ({ __rl: true, mode: 'path', value: sheetPath });

/** Prepares the trigger in an active workflow that receives deliveries. */
async function prepareTrigger(task: Task): Promise<Prepared> {
	const listener = await activateTrigger({
		parameters: { sheet: sheetOf(task) },
		credentials: credentialsOf(task),
	});
	let executionCount = 0;
	const count = () => (executionCount += listener.executions.splice(0).length);
	// Remove finished executions regularly, because n8n does not keep them in memory either.
	setInterval(count, 50).unref();
	const run = async () => {
		await listener.settled();
		return count();
	};
	return { url: listener.url, run };
}
