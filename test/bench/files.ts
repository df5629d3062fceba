import { fork } from 'node:child_process';
import { join } from 'node:path';

import { print, printTable, refused } from '../demo/display';
import { orders, startReferenceService, type ReferenceService } from '../service';
import type { TransferReport, TransferTask } from './transferTask';

const megabyte = 1024 * 1024;
const size = 300 * megabyte;
const mostGrowthMegabytes = 100;
const recordId = '5';
const recordCount = 100_000;

/**
 * Moves a large file each way, with the node and with a plain client, each in a process of its own.
 *
 * @returns the exit code: 1 when the process with the node grew by more than 100 MB
 */
export async function measureFiles(): Promise<number> {
	const service = await startReferenceService({ demoRecords: 10 });
	try {
		print(`A file of ${size / megabyte} MB each way, n8n's files on disk`);
		print();
		const down = await measureBoth(service, 'download', size);
		const up = await measureBoth(service, 'upload', size);
		printTable(
			['Direction', 'Client', 'Time', 'Ratio', 'Memory'],
			[...rowsOf('download', down), ...rowsOf('upload', up)],
		);
		print();
		const largest = Math.max(down.node.growthMegabytes, up.node.growthMegabytes);
		if (largest <= mostGrowthMegabytes) return 0;
		print(refused(`The process grew by ${Math.round(largest)} MB, not by 100 at most.`));
		return 1;
	} finally {
		await service.close();
	}
}

/** Reads many records at once; n8n keeps them all, so their memory is only told. */
export async function measureList(): Promise<number> {
	const service = await startReferenceService({ demoRecords: recordCount });
	try {
		print();
		print(`All of ${recordCount} records, without their rows`);
		print();
		const both = await measureBoth(service, 'list', recordCount);
		printTable(['Direction', 'Client', 'Time', 'Ratio', 'Memory'], rowsOf('list', both));
		print();
		return 0;
	} finally {
		await service.close();
	}
}

interface Both {
	node: TransferReport;
	plain: TransferReport;
}

async function measureBoth(
	service: ReferenceService,
	direction: TransferTask['direction'],
	amount: number,
): Promise<Both> {
	const { baseUrl, account, identities, data } = service;
	const sheetPath = `${orders.path}/${orders.index}`;
	const task = {
		direction,
		baseUrl,
		account,
		apiKey: identities.member.apiKey,
		size: amount,
		smallFile: data.generateFile('small.bin', megabyte),
		largeFile: data.generateFile('large.bin', size),
		sheetPath,
		recordPath: `/${account}/${sheetPath}/${recordId}`,
		recordId,
		fieldId: orders.fields.contract,
	};
	const node = await inItsOwnProcess({ ...task, client: 'node' });
	const plain = await inItsOwnProcess({ ...task, client: 'plain' });
	if (direction === 'upload') demandWhole(service);
	return { node, plain };
}

async function inItsOwnProcess(task: TransferTask): Promise<TransferReport> {
	return await new Promise((resolve, reject) => {
		const child = fork(join(__dirname, 'transferProcess.ts'), { execArgv: process.execArgv });
		child.once('message', (report: TransferReport) => resolve(report));
		child.once('exit', (exitCode) => reject(new Error(`The process ended with ${exitCode}`)));
		child.send(task);
	});
}

/** What was uploaded has arrived with all its bytes, from the node and from the plain client. */
function demandWhole({ data }: ReferenceService): void {
	const values = [data.record(orders, Number(recordId)).value(orders.fields.contract)].flat();
	const sizes = values.map((value) => data.files.get(value)?.size);
	if (sizes.filter((found) => found === size).length === 2) return;
	throw new Error(`The uploaded files have ${sizes.join(', ')} bytes`);
}

function rowsOf(direction: string, { node, plain }: Both): string[][] {
	const row = (client: string, { milliseconds, growthMegabytes }: TransferReport) => [
		direction,
		client,
		`${(milliseconds / 1000).toFixed(2)} s`,
		(milliseconds / plain.milliseconds).toFixed(2),
		`+${Math.round(growthMegabytes)} MB`,
	];
	return [row('the node, in n8n', node), row('a plain client', plain)];
}
