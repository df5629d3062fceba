import { buttonError } from '../http/missingItems';
import { readAnswer, type RawAnswer } from '../http/answer';
import { sheetRequest, type Client, type ServiceRequest } from '../http/client';
import { ServiceError } from '../http/serviceError';
import { successWords } from '../http/successWords';
import { plainWords } from '../values/plainWords';
import { isJsonObject, memberText } from '../json/orderedJson';
import { selectionParts, type RecordSelection, type SelectionPart } from '../read/query';
import { InputError } from '../values/inputError';
import type { SheetAddress } from '../values/sheetAddress';
import type { Task } from './task';

/** Types of mass operations with their request bodies (specification, endpoint 13). */
export type MassOperation =
	| { type: 'massLock'; body: { action: 'lock' | 'unlock' } }
	| { type: 'massApproval'; body: { action: 'approve' | 'reject'; comment?: string } }
	| { type: 'massActionButton'; body: { buttonId: number | string } }
	| { type: 'massUpdate'; body: { action: FieldAssignment[] } }
	| { type: 'massSearchReplace'; body: { action: FieldReplacement[] } };

export interface FieldAssignment {
	/** Field ID. A text if a JavaScript number cannot hold it exactly. */
	field: number | string;
	value: string | number | boolean | string[];
}

export interface FieldReplacement {
	field: number | string;
	/** Value to search for. */
	valueReplaced: string;
	valueNew: string;
}

/** Outcome of one request of a mass operation. */
export interface PartOutcome {
	/** Record IDs of the part. Set if records are selected by ID. */
	recordIds?: readonly string[];
	taskId?: string;
	/** Words of the service beside the task, without bare confirmations. */
	warning?: string;
	/** The finished task. Set if the caller waited for it. */
	task?: Task;
	error?: Error;
}

interface Submission {
	/** Waits for a task before the next part is submitted. If omitted, all parts are submitted immediately. */
	waitForEnd?: (taskId: string, recordIds?: readonly string[]) => Promise<Task>;
	/** Whether the remaining parts are submitted after one failed. */
	continuesAfterFailure?: boolean;
}

/** Maximum length of an address in characters. Servers and proxies accept about 8,000, including a key or session. */
const maxAddressCharacters = 7_499;

/**
 * Submits a mass operation, in several parts if the address would be too long for all record IDs. Returns one outcome per part.
 * Throws InputError for an empty selection and for conditions that are too long, and ServiceError.
 */
export async function submitMassOperation(
	client: Client,
	sheet: SheetAddress,
	{ selection, ...operation }: MassOperation & { selection: RecordSelection },
	{ waitForEnd, continuesAfterFailure = false }: Submission = {},
): Promise<PartOutcome[]> {
	const address = sheetRequest(client, sheet, [], `/massOperation/${operation.type}`);
	const request = { ...address, method: 'POST' as const, body: JSON.stringify(operation.body) };
	const parts = requestParts(client, address, selection);
	const outcomes: PartOutcome[] = [];
	for (const { query, recordIds } of parts) {
		const outcome: PartOutcome = { recordIds };
		outcomes.push(outcome);
		try {
			const write = { ...request, query: [address.query, ...query].join('&') };
			// Conditions are not part of the step, because they may contain the current time.
			const step = ['mass operation', ...(recordIds ? query : [])].join(' ');
			const submitted = client.write({ ...write, step }, submittedTask);
			const { taskId, words } = await submitted.catch((error: unknown) => {
				throw errorOf(operation, error);
			});
			outcome.taskId = taskId;
			outcome.warning = (await client.redactedWords(words)) || undefined;
			outcome.task = await waitForEnd?.(outcome.taskId, recordIds);
		} catch (error) {
			client.signal?.throwIfAborted();
			if (!continuesAfterFailure || !(error instanceof Error))
				throw withOutcomes(error, parts, outcomes);
			outcome.error = error;
		}
	}
	return outcomes;
}

/** Returns the error of submitting a mass operation. If its action button does not exist, the message says so. */
function errorOf(operation: MassOperation, error: unknown): unknown {
	if (operation.type !== 'massActionButton') return error;
	return buttonError(error, String(operation.body.buttonId));
}

function requestParts(client: Client, address: ServiceRequest, selection: RecordSelection) {
	const { path, query } = address;
	const room = maxAddressCharacters - `${client.connection.baseUrl}${path}?${query}`.length;
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

/** Returns the error for a selection without conditions and IDs. The service might apply the operation to every record. */
export function emptySelection(): InputError {
	return new InputError(
		'The selection is empty, and nothing was done: without a selection the operation might run on every record',
		'If the selection comes from other nodes, check that they return what they should.',
		'selectRecords',
	);
}

function submittedTask(answer: RawAnswer): { taskId: string; words: string } {
	const value = readAnswer(answer);
	const taskId = isJsonObject(value) && memberText(value, 'taskId');
	if (taskId) return { taskId, words: successWords(value) };
	const words = isJsonObject(value) ? plainWords(successWords(value)) : '';
	throw new ServiceError({
		kind: 'malformed',
		message: `The service did not say which task it started${words === '' ? '' : `: ${words}`}`,
		status: answer.status,
		serviceMessage: words || undefined,
	});
}

/** Returns the error of the last submitted part. If there are several parts, its description lists the submitted tasks. */
function withOutcomes(error: unknown, parts: SelectionPart[], outcomes: PartOutcome[]): unknown {
	if (parts.length < 2 || !(error instanceof ServiceError)) return error;
	const tasks = outcomes.flatMap(({ taskId }) => taskId ?? []).join(', ');
	const firstId = outcomes.at(-1)?.recordIds?.[0] ?? '';
	const split = `The selection was split into ${parts.length} operations. Submitted: ${tasks || 'none'}.`;
	const failed = `This error is of the operation that starts at record ${firstId}; later ones were not submitted.`;
	const description = [error.details.description, split, failed].filter(Boolean).join(' ');
	return error.with({ description });
}
