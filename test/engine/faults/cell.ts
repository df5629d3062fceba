import type { INodeExecutionData } from 'n8n-workflow';
import type { SeenRequest } from '../../service';
import { RecordTestbed } from '../recordTestbed';
import { readBinary } from '../runner';
import type { Clock } from '../clock';
import type { Network } from './network';
import type { OperationCall, OperationCase, Ran, StruckRequest } from './operation';
import type { Progress } from './progress';
import { strike } from './strike';
import type { Row } from './table';

export interface Surroundings {
	network: Network;
	clock: Clock;
	elsewhere: string;
}

/** Cell of the matrix: an operation, and a fault that strikes one of its requests once or always. */
export interface Cell {
	row: Row;
	operation: OperationCase;
	request: StruckRequest;
	isLasting: boolean;
}

export interface Outcome {
	items: INodeExecutionData[];
	error?: { name: string; message: string; description: string };
	sent: number;
	logins: number;
	/** Number of changes in the state of the service. */
	changes: number;
	/** Items that contain this state. */
	expectedItems: object[];
	isFileWhole?: boolean;
	/** Shortest time-out of the requests, in ms. */
	patience: number;
	/** Longest duration of a struck request, in ms. */
	longest: number;
}

/** Time limits of the waits for a task, in seconds. As short as possible for a lasting fault. */
const patienceSeconds = { lasting: 20, passing: 100_000 };

export async function runCell(
	cell: Cell,
	surroundings: Surroundings,
	progress: Progress,
): Promise<Outcome> {
	const testbed = new RecordTestbed();
	await testbed.start({ demoRecords: 60 });
	const { baseUrl } = testbed.service;
	try {
		return await progress.of(runIn(testbed, cell, surroundings));
	} finally {
		await testbed.stop();
		surroundings.network.forget(baseUrl);
	}
}

async function runIn(
	testbed: RecordTestbed,
	cell: Cell,
	surroundings: Surroundings,
): Promise<Outcome> {
	const { operation, request, row, isLasting } = cell;
	const { service } = testbed;
	const { network } = surroundings;
	operation.prepare?.(service);
	const matches = (head: Parameters<typeof request.matches>[0]) =>
		!head.rawUrl.startsWith('/AUTH') && request.matches(head);
	strike(row.fault, { testbed, matches, times: isLasting ? Infinity : 1, ...surroundings });
	const identity = operation.identity ?? 'member';
	const credentials = { ...testbed.credentials(identity), ...testbed.sessionCredentials(identity) };
	const authentication = row.fault.startsWith('session') ? 'session' : 'apiKey';
	const patience = patienceSeconds[isLasting ? 'lasting' : 'passing'];
	const items = (await operation.items?.(service)) ?? [{ json: {} }];
	const { run = runNode } = operation;
	const result = await run({
		testbed,
		parameters: { ...operation.parameters, authentication },
		items: items.map((item) => ({ ...item, json: { ...item.json, patience } })),
		credentials,
	});
	const struck = service.requests.all().filter((seen: SeenRequest) => matches(seen));
	const { error } = result;
	const file = result.items[0]?.binary?.data;
	const outcome: Outcome = {
		items: result.items,
		...(error && { error: { ...error, description: error.description ?? '' } }),
		sent: struck.length + network.refusedBy(service.baseUrl),
		logins: testbed.logins.length,
		changes: operation.changes?.(service) ?? 0,
		expectedItems: error ? [] : operation.itemsOf(service),
		...(file && { isFileWhole: operation.isWhole?.(await readBinary(file), service) }),
		patience: network.patienceWith(service.baseUrl),
		longest: Math.max(...struck.map(({ durationMs }) => durationMs)),
	};
	await result.end?.();
	return outcome;
}

async function runNode({ testbed, parameters, items, credentials }: OperationCall): Promise<Ran> {
	const { items: made, error } = await testbed.runById(parameters, items, { credentials });
	if (!error) return { items: made };
	const { name, message, description } = error;
	return { items: made, error: { name, message, description } };
}
