import { readAnswer, type RawAnswer } from '../http/answer';
import { actionButtonsOf, type ActionButton } from './actionButton';
import type { JsonObject } from '../json/orderedJson';
import { ServiceError } from '../http/serviceError';
import type { RecordAddress, SheetAddress } from '../values/sheetAddress';
import type { Client } from '../http/client';
import { recordRequest, sheetRequest } from '../http/sheetRequest';

/** The action buttons of a sheet (specification, endpoint 12). Throws ServiceError. */
export async function listActionButtons(
	client: Client,
	sheet: SheetAddress,
): Promise<ActionButton[]> {
	const parameters = [['category', 'massOperation']] as const;
	const request = sheetRequest(client, sheet, parameters, '/metadata/actionButton');
	return await client.read(request, readButtons);
}

/**
 * Presses a button on a record (specification, endpoint 12). Returns the answer of the service. Throws
 * ServiceError for every answer but `SUCCESS`.
 */
export async function runActionButton(
	client: Client,
	record: RecordAddress,
	buttonId: string,
): Promise<JsonObject> {
	const request = recordRequest(client, record, [['bId', buttonId]]);
	return await client.write({ ...request, method: 'POST' });
}

function readButtons(answer: RawAnswer): ActionButton[] {
	const buttons = actionButtonsOf(readAnswer(answer));
	if (buttons) return buttons;
	throw new ServiceError({
		kind: 'refused',
		message: 'The service answered with something else than action buttons',
		status: answer.status,
	});
}
