import type { IDataObject } from 'n8n-workflow';
import { submitMassOperation, type MassOperation } from '../../../api/tasks/massOperations';
import type { Client } from '../../../api/http/client';
import type { SelectionPart } from '../../../api/read/recordSelection';
import { ServiceError } from '../../../api/http/serviceError';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import type { Task } from '../../../api/tasks/task';

/** A result, and the records that it is about when it is not about all that are selected. */
export interface OperationOutput {
	json: IDataObject;
	recordIds?: readonly string[];
}

/** One part of a selection with the task that works on it. */
export interface SubmittedPart {
	part: SelectionPart;
	taskId: string;
	/** How the task ended, when that was waited for. */
	task?: Task;
}

/**
 * Submits one part of a selection after the other.
 *
 * @param waitForEnd waits for a task before the next part is submitted; without it nobody waits
 * @throws ServiceError; for a selection of several parts its description tells what was submitted
 */
export async function submitParts(
	client: Client,
	sheet: SheetAddress,
	operation: MassOperation,
	parts: readonly SelectionPart[],
	waitForEnd?: (taskId: string) => Promise<Task>,
): Promise<SubmittedPart[]> {
	const submitted: SubmittedPart[] = [];
	for (const part of parts) {
		try {
			const taskId = await submitMassOperation(client, sheet, operation, part);
			const current: SubmittedPart = { part, taskId };
			submitted.push(current);
			current.task = await waitForEnd?.(taskId);
		} catch (error) {
			throw amongOthers(error, parts, submitted, part);
		}
	}
	return submitted;
}

/** When a selection was split, an error of one part must not hide what became of the others. */
function amongOthers(
	error: unknown,
	parts: readonly SelectionPart[],
	submitted: readonly SubmittedPart[],
	failed: SelectionPart,
): unknown {
	if (!(error instanceof ServiceError) || parts.length === 1) return error;
	const wasSubmitted = submitted.some(({ part }) => part === failed);
	const rest = parts.slice(parts.indexOf(failed) + 1);
	const description = [
		error.details.description,
		`The selection of ${sizeOf(parts)} records was split into ${parts.length} operations.`,
		toldOf(submitted),
		wasSubmitted ? '' : `This one was for ${sizeOf([failed])} records, ${from(failed)}.`,
		...rest.slice(0, 1).map((next) => {
			return `For the last ${sizeOf(rest)} records, ${from(next)}, nothing was submitted.`;
		}),
	];
	return error.with({ description: description.filter(Boolean).join(' ') });
}

function toldOf(submitted: readonly SubmittedPart[]): string {
	if (submitted.length === 0) return 'None was submitted before.';
	const size = sizeOf(submitted.map(({ part }) => part));
	const taskIds = submitted.map(({ taskId }) => taskId).join(', ');
	return `Submitted, for the first ${size} records: ${taskIds}.`;
}

function from({ recordIds = [] }: SelectionPart): string {
	return `from ID ${recordIds[0] ?? ''} on`;
}

function sizeOf(parts: readonly SelectionPart[]): number {
	return parts.reduce((size, { recordIds = [] }) => size + recordIds.length, 0);
}
