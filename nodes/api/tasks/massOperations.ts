import { readAnswer, type RawAnswer } from '../http/answer';
import { isJsonObject } from '../json/orderedJson';
import { selectionParts, type RecordSelection, type SelectionPart } from '../read/recordSelection';
import { InputError } from '../values/inputError';
import { ServiceError } from '../http/serviceError';
import type { SheetAddress } from '../values/sheetAddress';
import type { Client } from '../http/client';
import { sheetRequest } from '../http/sheetRequest';

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

/** Servers and proxies on the way accept addresses of about 8,000 characters. */
const longestAddress = 7_499;

/**
 * The parts into which a selection has to be split for its addresses to stay short enough. Throws InputError
 * for an empty selection, which might mean every record, and for conditions that are too long.
 */
export function operationParts(
	client: Client,
	sheet: SheetAddress,
	{ type }: MassOperation,
	selection: RecordSelection,
): SelectionPart[] {
	const { path, query } = sheetRequest(client, sheet, [], `/massOperation/${type}`);
	const { baseUrl, authenticationLength: identityLength } = client.connection;
	const room = longestAddress - `${baseUrl}${path}?${query}`.length - identityLength;
	const parts = selectionParts(selection, room);
	if (parts.length === 0 || parts.some((part) => part.query.length === 0)) {
		throw emptySelection();
	}
	if (parts.some((part) => ['', ...part.query].join('&').length > room)) {
		throw new InputError(
			'The conditions are too long for one request',
			'Use fewer or shorter conditions, or select the records by their IDs.',
		);
	}
	return parts;
}

/** The error of a selection without conditions and ids, which might mean every record. */
export function emptySelection(): InputError {
	return new InputError(
		'The selection is empty, and nothing was done: without a selection the operation might run on every record',
		'Add a condition or record IDs. If the selection comes from other nodes, check that they return what they should.',
	);
}

/**
 * Submits one part of a mass operation, which goes on in the service (specification, endpoint 13). Returns the
 * id of its task. Throws ServiceError, also when the answer holds no task id.
 */
export async function submitMassOperation(
	client: Client,
	sheet: SheetAddress,
	{ type, body }: MassOperation,
	{ query }: SelectionPart,
): Promise<string> {
	const request = sheetRequest(client, sheet, [], `/massOperation/${type}`);
	return await client.write(
		{
			path: request.path,
			query: [request.query, ...query].join('&'),
			method: 'POST',
			body: JSON.stringify(body),
		},
		readTaskId,
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
