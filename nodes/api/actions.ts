import { readAnswer } from './http/answer';
import { recordRequest, sheetRequest, type Client } from './http/client';
import { meaningOfCode } from './http/errorCodes';
import { ServiceError } from './http/serviceError';
import { isJsonObject, type JsonObject, type JsonValue } from './json/orderedJson';
import { plain } from './read/record';
import { FormBody } from './values/formBody';
import type { RecordAddress, SheetAddress } from './values/sheetAddress';

/** A button of a sheet that can be pressed on its records (specification, "Action button"). */
export interface ActionButton {
	buttonId: string;
	name: string;
}

/** Returns the action buttons of a sheet (specification, endpoint 12). Throws ServiceError. */
export async function listActionButtons(
	client: Client,
	sheet: SheetAddress,
): Promise<ActionButton[]> {
	const parameters = [['category', 'massOperation']] as const;
	const request = sheetRequest(client, sheet, parameters, '/metadata/actionButton');
	return await client.read(request, (answer) => {
		const buttons = actionButtonsOf(readAnswer(answer));
		if (buttons) return buttons;
		throw new ServiceError({
			kind: 'refused',
			message: 'The service answered with something else than action buttons',
			status: answer.status,
		});
	});
}

/** Presses a button on a record and returns the answer (specification, endpoint 12). Throws ServiceError. */
export async function runActionButton(
	client: Client,
	record: RecordAddress,
	buttonId: string,
): Promise<JsonObject> {
	return await client.write({
		...recordRequest(client, record, [['bId', buttonId]]),
		method: 'POST',
	});
}

/** Locks or unlocks a record (specification, endpoint 11). Throws ServiceError. */
export async function setLock(
	client: Client,
	record: RecordAddress,
	action: 'lock' | 'unlock',
): Promise<void> {
	await client.write({ ...recordRequest(client, record, [[action]]), method: 'POST' });
}

/**
 * Starts the import from the address that is set up on the sheet and returns the answer (specification,
 * endpoint 10). Throws ServiceError, which names the right that is needed.
 */
export async function importFromUrl(client: Client, sheet: SheetAddress): Promise<JsonObject> {
	const body = new FormBody([['importData', '']]);
	const write = client.write({ ...sheetRequest(client, sheet, []), method: 'POST', body });
	return await write.catch(withNeededRight);
}

/**
 * Returns the buttons of an answer: a bare array or `actionButtons`; an empty object is an empty list, as it is
 * of records. Undefined for any other value.
 */
export function actionButtonsOf(value: JsonValue): ActionButton[] | undefined {
	if (isJsonObject(value) && value.size === 0) return [];
	const buttons = isJsonObject(value) ? value.get('actionButtons') : value;
	if (!Array.isArray(buttons)) return undefined;
	return buttons.filter(isJsonObject).flatMap((button) => {
		const id = button.get('id');
		if (typeof id !== 'string' && typeof id !== 'number') return [];
		return [{ buttonId: String(id), name: String(plain(button.get('name') ?? id)) }];
	});
}

/** "Error executing the request": its general advice is about records and does not help with an import. */
const executionCode = 202;

function withNeededRight(error: unknown): never {
	if (!(error instanceof ServiceError) || !mayLackRight(error)) throw error;
	throw error.with({
		description:
			'The import needs a user with SYSAdmin privilege, and the periodic import from URL turned on for the sheet.',
	});
}

/** Other codes say what to do whatever was asked for, such as a wrong address of the sheet. */
function mayLackRight({ kind, details: { code = executionCode } }: ServiceError): boolean {
	if (kind === 'noAccess') return true;
	return kind === 'refused' && (code === executionCode || meaningOfCode(code) === undefined);
}
