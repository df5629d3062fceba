import { readAnswer, type RawAnswer } from '../http/answer';
import { sheetRequest, type Client, type ServiceRequest } from '../http/client';
import { ServiceError } from '../http/serviceError';
import { isJsonObject } from '../json/orderedJson';
import { selectionParts } from '../read/query';
import { type SelectionPart, type RecordSelection } from '../read/query';
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

/** One part of a selection with the task that works on it. */
export interface SubmittedPart {
	part: SelectionPart;
	taskId: string;
	/** How the task ended, when that was waited for. */
	task?: Task;
}

/** Servers and proxies on the way accept addresses of about 8,000 characters. */
const longestAddress = 7_499;

/**
 * Carries out a mass operation in as many parts as addresses need to stay short enough, one after the other
 * (specification, endpoint 13). Throws InputError for an empty selection and for conditions that are too long;
 * ServiceError, whose description names what was submitted when there are several parts.
 *
 * @param waitForEnd waits for a task before the next part is submitted; without it all are submitted at once
 */
export async function submitMassOperation(
	client: Client,
	sheet: SheetAddress,
	{ type, body }: MassOperation,
	selection: RecordSelection,
	waitForEnd?: (taskId: string) => Promise<Task>,
): Promise<SubmittedPart[]> {
	const address = sheetRequest(client, sheet, [], `/massOperation/${type}`);
	const request = { ...address, method: 'POST' as const, body: JSON.stringify(body) };
	const parts = partsOf(client, address, selection);
	const submitted: SubmittedPart[] = [];
	for (const part of parts) {
		try {
			const query = [address.query, ...part.query].join('&');
			const taskId = await client.write({ ...request, query }, readTaskId);
			const current: SubmittedPart = { part, taskId };
			submitted.push(current);
			current.task = await waitForEnd?.(current.taskId);
		} catch (error) {
			throw parts.length > 1 ? amongOthers(error, parts, submitted, part) : error;
		}
	}
	return submitted;
}

function partsOf(
	{ connection: { baseUrl, authenticationLength } }: Client,
	{ path, query }: ServiceRequest,
	selection: RecordSelection,
): SelectionPart[] {
	const room = longestAddress - `${baseUrl}${path}?${query}`.length - authenticationLength;
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
	const taskId = isJsonObject(value) ? value.get('taskId') : undefined;
	if ((typeof taskId === 'string' && taskId !== '') || typeof taskId === 'number') {
		return String(taskId);
	}
	throw new ServiceError({
		kind: 'malformed',
		message: 'The service did not say which task it started',
		status: answer.status,
	});
}

/** The error of one part must not hide what became of the others. */
function amongOthers(
	error: unknown,
	parts: readonly SelectionPart[],
	submitted: readonly SubmittedPart[],
	failed: SelectionPart,
): unknown {
	if (!(error instanceof ServiceError)) return error;
	const rest = parts.slice(parts.indexOf(failed) + 1);
	const done = sizeOf(submitted.map(({ part }) => part));
	const taskIds = submitted.map(({ taskId }) => taskId).join(', ');
	const description = [
		error.details.description,
		`The selection of ${sizeOf(parts)} records was split into ${parts.length} operations.`,
		done === 0
			? 'None was submitted before.'
			: `Submitted, for the first ${done} records: ${taskIds}.`,
		submitted.some(({ part }) => part === failed)
			? ''
			: `This one was for ${sizeOf([failed])} records, from ID ${firstId(failed)} on.`,
		rest[0]
			? `For the last ${sizeOf(rest)} records, from ID ${firstId(rest[0])} on, nothing was submitted.`
			: '',
	];
	return error.with({ description: description.filter(Boolean).join(' ') });
}

function firstId({ recordIds = [] }: SelectionPart): string {
	return recordIds[0] ?? '';
}

function sizeOf(parts: readonly SelectionPart[]): number {
	return parts.reduce((size, { recordIds = [] }) => size + recordIds.length, 0);
}
