import type { INodeParameters } from 'n8n-workflow';

import { orders } from '../service';
import { activateTrigger, type InputItem } from '../engine/runner';
import { autoMapped } from '../engine/record/recordValues';
import { uploadTarget } from './form';
import { credentialsOf, inputOf, runInEngine } from './inEngine';
import { matchField } from './items';
import { firstPollMilliseconds } from './replay';
import { isRead, type Prepared, type Task } from './task';
import { fewFields } from './wideSheet';

/** The node in n8n's engine, warm: what is loaded only once has been loaded. */
export async function prepareNode(task: Task): Promise<Prepared> {
	if (task.work === 'verify') return await prepareTrigger(task);
	const parameters = parametersOf(task);
	const run = async (more: INodeParameters, items: InputItem[]) =>
		await runInEngine(task, {
			node: 'sheetRecords',
			parameters: { ...parameters, ...more },
			items,
		});
	await run(smallChanges(task), await inputOf(task, 1));
	const items = await inputOf(task, task.amount);
	return { run: async () => await run({}, items) };
}

function parametersOf({ work, sheetPath, largeFile }: Task): INodeParameters {
	const sheet = { __rl: true, mode: 'path', value: sheetPath };
	const record = { resource: 'record', sheet };
	if (work === 'read') {
		return { ...record, operation: 'getAll', returnAll: true, options: { subtables: false } };
	}
	if (work === 'wideRead') {
		const options = { subtables: false, onlyFields: fewFields.join(', ') };
		return { ...record, operation: 'getAll', returnAll: true, options };
	}
	if (work === 'create') return { ...record, operation: 'create', ...autoMapped() };
	if (work === 'upsert') return { ...record, operation: 'upsert', ...autoMapped([matchField]) };
	if (work === 'sync') {
		const options = { skipUnchanged: true };
		return { ...record, operation: 'upsert', ...autoMapped([matchField]), options };
	}
	if (work === 'rowSync') {
		const { article } = orders.subtables.lines.fields;
		const options = { skipUnchanged: true, rowsMode: 'replace', rowMatchFields: article };
		return { ...record, operation: 'upsert', ...autoMapped([matchField]), options };
	}
	if (work === 'massLock') {
		const options = { pollInterval: firstPollMilliseconds / 1000 };
		return {
			resource: 'massOperation',
			operation: 'lock',
			sheet,
			selection: 'inputItems',
			options,
		};
	}
	if (work === 'download') return { resource: 'file', operation: 'download', fileValue: largeFile };
	const recordId = { __rl: true, mode: 'id', value: uploadTarget.recordId };
	const { fieldId } = uploadTarget;
	return { resource: 'file', operation: 'upload', sheet, recordId, fieldId };
}

/** What the run that only warms up does differently. */
function smallChanges({ work, smallFile }: Task): INodeParameters {
	if (work === 'download') return { fileValue: smallFile };
	return isRead(work) ? { returnAll: false, limit: 10 } : {};
}

/** The trigger, in an active workflow that hears deliveries. */
async function prepareTrigger(task: Task): Promise<Prepared> {
	const listener = await activateTrigger({
		parameters: { sheet: { __rl: true, mode: 'path', value: task.sheetPath } },
		credentials: credentialsOf(task),
	});
	let taken = 0;
	const count = () => (taken += listener.executions.splice(0).length);
	// n8n does not keep in memory what has ended.
	setInterval(count, 50).unref();
	const run = async () => {
		await listener.settled();
		return count();
	};
	return { url: listener.url, run };
}
