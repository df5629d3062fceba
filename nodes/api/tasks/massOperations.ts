import { readAnswer, type RawAnswer } from '../http/answer';
import { sheetRequest, type Client, type ServiceRequest } from '../http/client';
import { ServiceError } from '../http/serviceError';
import { isJsonObject, memberText } from '../json/orderedJson';
import { selectionParts, type RecordSelection, type SelectionPart } from '../read/query';
import { InputError } from '../values/inputError';
import type { SheetAddress } from '../values/sheetAddress';
import type { Task } from './task';

/** The types of the specification, endpoint 13, with their bodies. */
export type MassOperation =
	| { type: 'massLock'; body: { action: 'lock' | 'unlock' } }
	| { type: 'massApproval'; body: { action: 'approve' | 'reject'; comment?: string } }
	| { type: 'massActionButton'; body: { buttonId: number | string } }
	| { type: 'massUpdate'; body: { action: FieldAssignment[] } }
	| { type: 'massSearchReplace'; body: { action: FieldReplacement[] } };

export interface FieldAssignment {
	/** A text when JavaScript cannot hold the id. */
	field: number | string;
	value: string | number | boolean | string[];
}

export interface FieldReplacement {
	field: number | string;
	valueReplaced: string;
	valueNew: string;
}

export interface PartOutcome {
	/** The ids in it, when the selection is by ids. */
	recordIds?: readonly string[];
	taskId?: string;
	/** How the task ended, when that was waited for. */
	task?: Task;
	error?: Error;
}

interface Submission {
	/** Waits for a task before the next part is submitted; without it all are submitted at once. */
	waitForEnd?: (taskId: string) => Promise<Task>;
	/** Whether the other parts are submitted although one failed. */
	goesOn?: boolean;
}

/** Servers and proxies on the way accept addresses of about 8,000 characters, with a key or session in them. */
const longestAddress = 7_499;

/** Carries out a mass operation in as many parts as short addresses need. Throws InputError for an empty selection; ServiceError. */
export async function submitMassOperation(
	client: Client,
	sheet: SheetAddress,
	{ type, body }: MassOperation,
	selection: RecordSelection,
	{ waitForEnd, goesOn = false }: Submission = {},
): Promise<PartOutcome[]> {
	const address = sheetRequest(client, sheet, [], `/massOperation/${type}`);
	const request = { ...address, method: 'POST' as const, body: JSON.stringify(body) };
	const parts = partsOf(client, address, selection);
	const outcomes: PartOutcome[] = [];
	for (const { query, recordIds } of parts) {
		const outcome: PartOutcome = { recordIds };
		outcomes.push(outcome);
		try {
			const write = { ...request, query: [address.query, ...query].join('&') };
			// Conditions may hold the time: in another try of the run they are others, and the write is the same.
			const identity = recordIds ? undefined : address.path;
			outcome.taskId = await client.write({ ...write, identity }, readTaskId);
			outcome.task = await waitForEnd?.(outcome.taskId);
		} catch (error) {
			client.signal?.throwIfAborted();
			if (!goesOn || !(error instanceof Error)) throw amongOthers(error, parts, outcomes);
			outcome.error = error;
		}
	}
	return outcomes;
}

function partsOf(client: Client, address: ServiceRequest, selection: RecordSelection) {
	const { path, query } = address;
	const room = longestAddress - `${client.connection.baseUrl}${path}?${query}`.length;
	const parts = selectionParts(selection, room);
	if (parts.length === 0 || parts.some((part) => part.query.length === 0)) throw emptySelection();
	if (parts.some((part) => ['', ...part.query].join('&').length > room)) {
		throw new InputError(
			'The conditions are too long for one request',
			'Use fewer or shorter conditions, or select the records by their IDs.',
		);
	}
	return parts;
}

/** Returns the error of a selection without conditions and ids, which might mean every record. */
export function emptySelection(): InputError {
	return new InputError(
		'The selection is empty, and nothing was done: without a selection the operation might run on every record',
		'Add a condition or record IDs. If the selection comes from other nodes, check that they return what they should.',
	);
}

function readTaskId(answer: RawAnswer): string {
	const value = readAnswer(answer);
	const taskId = isJsonObject(value) && memberText(value, 'taskId');
	if (taskId) return taskId;
	throw new ServiceError({
		kind: 'malformed',
		message: 'The service did not say which task it started',
		status: answer.status,
	});
}

/** The error of the last of these parts must not hide what became of the others. */
function amongOthers(error: unknown, parts: SelectionPart[], outcomes: PartOutcome[]): unknown {
	if (parts.length < 2 || !(error instanceof ServiceError)) return error;
	const tasks = outcomes.flatMap(({ taskId }) => taskId ?? []).join(', ');
	const firstId = outcomes.at(-1)?.recordIds?.[0] ?? '';
	const split = `The selection was split into ${parts.length} operations. Submitted: ${tasks || 'none'}.`;
	const own = `This error is of the one from record ${firstId} on; those behind it were not submitted.`;
	const description = [error.details.description, split, own].filter(Boolean).join(' ');
	return error.with({ description });
}
