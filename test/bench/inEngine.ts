import { statSync } from 'node:fs';
import {
	binaryPath,
	makeBinary,
	runNode,
	type InputItem,
	type RunNodeOptions,
} from '../engine/runner';
import { generatedBytes } from '../service/data/storedFiles';
import type { Task } from './task';
import { workPlans } from './works';

/** Returns the input of the measured node: `amount` items from number `first`, or one item with a file of `amount` bytes. */
export async function inputOf({ work }: Task, amount: number, first = 0): Promise<InputItem[]> {
	if (work !== 'upload') return workPlans[work].items?.(amount, first) ?? [{}];
	const content = generatedBytes(amount).open();
	const data = await makeBinary(content, 'large.bin', 'application/octet-stream');
	return [{ json: {}, binary: { data } }];
}

export function credentialsOf({ baseUrl, account, apiKey }: Task) {
	return { sheetRecordsApi: { baseUrl, account, apiKey, requestsPerSecond: 0 } };
}

/** Runs a node. Returns the size of the downloaded file in bytes, or for other work the number of output items. */
export async function runInEngine(task: Task, options: RunNodeOptions): Promise<number> {
	const { error, items } = await runNode({ ...options, credentials: credentialsOf(task) });
	if (error) throw new Error(error.message);
	if (task.work !== 'download') return items.length;
	return statSync(binaryPath(items[0]?.binary?.data)).size;
}
