import type { INodeParameters } from 'n8n-workflow';

import { makeBinary, runNode, type InputItem } from '../engine/runner';
import { generatedBytes } from '../service/data/byteSource';
import { downloadPlainly, listPlainly, uploadPlainly } from './plainTransfer';
import type { TransferReport, TransferTask } from './transferTask';

const sampleMilliseconds = 10;
const megabyte = 1024 * 1024;

/** Does one task in this process and tells the parent what it took. */
async function work(task: TransferTask): Promise<TransferReport> {
	const way = { download, upload, list }[task.direction];
	const plainWay = { download: downloadPlainly, upload: uploadPlainly, list: listPlainly }[
		task.direction
	];
	return await (task.client === 'node' ? way(task) : measured(async () => await plainWay(task)));
}

async function list(task: TransferTask): Promise<TransferReport> {
	const parameters = (limit: number) => ({
		resource: 'record',
		operation: 'getAll',
		sheet: { __rl: true, mode: 'path', value: task.sheetPath },
		...(limit > 0 ? { returnAll: false, limit } : { returnAll: true }),
		options: { subtables: false },
	});
	await run(task, parameters(10));
	return await measured(async () => await run(task, parameters(0)));
}

async function download(task: TransferTask): Promise<TransferReport> {
	const parameters = (fileValue: string) => ({
		resource: 'file',
		operation: 'download',
		fileValue,
	});
	await run(task, parameters(task.smallFile));
	return await measured(async () => await run(task, parameters(task.largeFile)));
}

async function upload(task: TransferTask): Promise<TransferReport> {
	const parameters = {
		resource: 'file',
		operation: 'upload',
		sheet: { __rl: true, mode: 'path', value: task.sheetPath },
		recordId: { __rl: true, mode: 'id', value: task.recordId },
		fieldId: task.fieldId,
	};
	const itemOf = async (size: number): Promise<InputItem> => {
		const content = generatedBytes(size).open();
		const data = await makeBinary(content, 'large.bin', 'application/octet-stream');
		return { json: {}, binary: { data } };
	};
	await run(task, parameters, await itemOf(megabyte));
	// What it takes to put the file into n8n's store counts, too, or it would hide what the upload takes.
	const before = process.memoryUsage.rss();
	const large = await itemOf(task.size);
	return await measured(async () => await run(task, parameters, large), before);
}

async function run(task: TransferTask, parameters: INodeParameters, item: InputItem = {}) {
	const { baseUrl, account, apiKey } = task;
	const result = await runNode({
		node: 'sheetRecords',
		parameters,
		items: [item],
		credentials: { sheetRecordsApi: { baseUrl, account, apiKey, requestsPerSecond: 0 } },
	});
	if (result.error) throw new Error(result.error.message);
}

async function measured(
	act: () => Promise<void>,
	before = process.memoryUsage.rss(),
): Promise<TransferReport> {
	let peak = before;
	const sample = () => {
		peak = Math.max(peak, process.memoryUsage.rss());
	};
	const sampling = setInterval(sample, sampleMilliseconds);
	const begun = performance.now();
	try {
		await act();
	} finally {
		clearInterval(sampling);
	}
	const milliseconds = performance.now() - begun;
	sample();
	return { milliseconds, growthMegabytes: (peak - before) / megabyte };
}

process.once('message', (task: TransferTask) => {
	void work(task).then(
		(report) => process.send?.(report, () => process.disconnect()),
		(error: unknown) => {
			console.error(error);
			process.exitCode = 1;
			process.disconnect();
		},
	);
});
