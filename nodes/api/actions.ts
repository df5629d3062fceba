import { buttonAnswer, readAnswer, successAnswer, type RawAnswer } from './http/answer';
import { buttonError } from './http/missingItems';
import { recordRequest, sheetRequest, type Client } from './http/client';
import { cacheKey, CachePart } from './http/runCache';
import { accessRefusals, fallbackTo, ServiceError } from './http/serviceError';
import { mayDenySuccess, successWords } from './http/successWords';
import { getOrLoad } from './json/objects';
import { isJsonObject, memberText, type JsonObject } from './json/orderedJson';
import { readOptionsBy } from './read/readOptions';
import { plain } from './read/record';
import { getRecord } from './read/records';
import { switchIn } from './sheet/kinds/checkbox';
import { scalarTextOf } from './sheet/kinds/valueChecks';
import { FormBody } from './values/formBody';
import { InputError } from './values/inputError';
import { isWholeNumber, type RecordAddress, type SheetAddress } from './values/sheetAddress';
import { plainWords } from './values/plainWords';
import { joinedSentences } from './values/text';
import { outcomeUnknown } from './write/confirmation';

/** An action button of a sheet (specification, "Action button"). */
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
	return await client.read(request, actionButtonsIn);
}

/** Parses a list of action buttons: a bare array, or the member `actionButtons`. An empty object is an empty list. */
function actionButtonsIn(answer: RawAnswer): ActionButton[] {
	const value = readAnswer(answer);
	if (isJsonObject(value) && value.size === 0) return [];
	const buttons = isJsonObject(value) ? value.get('actionButtons') : value;
	if (!Array.isArray(buttons)) {
		throw new ServiceError({
			kind: 'unexpected',
			message: 'The service answered with something else than action buttons',
			description: 'Check that the sheet address is that of a sheet.',
			status: answer.status,
		});
	}
	return buttons.filter(isJsonObject).flatMap((button) => {
		const id = button.get('id');
		if (typeof id !== 'string' && typeof id !== 'number') return [];
		return [{ buttonId: String(id), name: String(plain(button.get('name') ?? id)) }];
	});
}

const knownButtons = new CachePart<Promise<ActionButton[]>>();

/**
 * Returns the ID of a button. `key` is its name if `isName` is set, otherwise its name or ID. Without `isName`, a number is
 * returned as the ID without a check. Throws InputError if no button or several buttons match, and ServiceError.
 */
export async function findActionButton(
	client: Client,
	sheet: SheetAddress,
	key: string,
	isName: boolean,
): Promise<string> {
	if (!isName && isWholeNumber(key)) return key;
	const known = client.cache.part(knownButtons);
	const load = async () => await listActionButtons(client, sheet);
	const buttons = await getOrLoad(known, cacheKey(client, sheet), load);
	const named = buttons.filter(
		(button) => button.name === key || (!isName && button.buttonId === key),
	);
	const [found] = named;
	if (found && named.length === 1) return found.buttonId;
	const list = buttons.map(({ name, buttonId }) => `'${name}' (${buttonId})`).join(', ');
	const count = found ? `${named.length} action buttons` : 'no action button';
	throw new InputError(
		`'${key}' is the ${isName ? 'name' : 'name or ID'} of ${count} of this sheet`,
		`Its buttons, with their IDs: ${list || 'none that this user may see'}.`,
	);
}

/** Messages of the service about an action that was carried out, as plain text without secrets. */
export interface ActionResult {
	message: string;
	/** Set if the service answered `WARN`, or sent a `warning`. */
	warning?: string;
}

/** Runs an action button on a record (specification, endpoint 12). Throws ServiceError. */
export async function runActionButton(
	client: Client,
	record: RecordAddress,
	buttonId: string,
): Promise<ActionResult> {
	const request = recordRequest(client, record, [['bId', buttonId]]);
	const write = { ...request, method: 'POST', step: `button ${buttonId}` } as const;
	const answer = await client.write(write, buttonAnswer).catch((error: unknown) => {
		throw buttonError(error, buttonId);
	});
	return await resultIn(client, answer);
}

/** Returns the messages of an answer. The message is an empty text if the service sent no message. */
async function resultIn(client: Client, answer: JsonObject): Promise<ActionResult> {
	const message = await client.redactedWords(memberText(answer, 'msg') ?? '');
	const isWarning = memberText(answer, 'status')?.toUpperCase() === 'WARN';
	const warning = await client.redactedWords(memberText(answer, 'warning') ?? '');
	const words = joinedSentences(new Set([isWarning && message, warning]));
	const warned = words || (isWarning ? 'The service answered with a warning without words.' : '');
	return warned === '' ? { message } : { message, warning: warned };
}

/**
 * Locks or unlocks a record (specification, endpoint 11). Returns the words of the service beside the success, without bare
 * confirmations. If they may deny it, the record must show its new state. Throws ServiceError.
 */
export async function setLock(
	client: Client,
	record: RecordAddress,
	action: 'lock' | 'unlock',
): Promise<string> {
	const location = recordRequest(client, record, [[action]]);
	const request = { ...location, method: 'POST', step: action } as const;
	const answer = await client.write(request, (received) => successAnswer(received));
	const sentWords = successWords(answer);
	const words = await client.redactedWords(sentWords);
	const isLock = action === 'lock';
	if (
		mayDenySuccess(plainWords(sentWords), isLock) &&
		(await isLocked(client, record)) !== isLock
	) {
		throw outcomeUnknown(words);
	}
	return words;
}

/** Keys under which a record may show whether it is locked (specification, "Record lock"). */
const lockKeys = ['111', '_locked'];

/** Returns whether the record is locked; undefined if it does not show that in a word that is known, or cannot be read. */
async function isLocked(client: Client, record: RecordAddress): Promise<boolean | undefined> {
	const read = getRecord(client, record, readOptionsBy('EID', ['info', true]));
	const content = (await read.catch(fallbackTo(undefined)))?.content;
	const shown = lockKeys.map((key) => scalarTextOf(content?.get(key))).find(Boolean);
	return switchIn(shown);
}

/**
 * Starts the import from a URL that is configured for the sheet (specification, endpoint 10), and returns the service's
 * messages. Throws ServiceError. If access is refused and the error has no remedy, its description is replaced by the requirements
 * of the import.
 */
export async function startUrlImport(client: Client, sheet: SheetAddress): Promise<ActionResult> {
	const body = new FormBody([['importData', '']]);
	const write = client.write({
		...sheetRequest(client, sheet, []),
		method: 'POST',
		body,
		step: 'import',
	});
	const answer = await write.catch((error: unknown) => {
		// Only an access error may mean that the permission is missing.
		const mayLackRight = error instanceof ServiceError && accessRefusals.includes(error.kind);
		if (!mayLackRight || error.details.remedy) throw error;
		const description =
			'The import needs a user with SYSAdmin privilege, and the periodic import from URL turned on for the sheet.';
		throw error.with({ description });
	});
	return await resultIn(client, answer);
}
