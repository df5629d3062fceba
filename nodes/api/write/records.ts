import { writeAnswer, type RawAnswer } from '../http/answer';
import { type Client, recordRequest, type ServiceRequest, sheetRequest } from '../http/client';
import { ServiceError } from '../http/serviceError';
import { isJsonObject, memberText, orderedJsonIn, type JsonObject } from '../json/orderedJson';
import { recordIdText, recordsOf, type SheetRecord } from '../read/record';
import { invalidateRecord } from '../read/recordLoader';
import { isBesideRecords } from '../read/records';
import { isFieldId } from '../schema/fields';
import { FormBody } from '../values/formBody';
import type { QueryParameter } from '../values/query';
import type { RecordAddress, SheetAddress } from '../values/sheetAddress';
import { formParts, jsonBody, type RecordContent, type ValueNote } from './recordContent';
import { notesOn } from './savedAsGiven';
import { recordExists } from './storedRecord';
import { writtenRecords } from './writtenRecords';

/** What a write changed: the record's id and, when the answer has it, the saved record. */
export interface SavedRecord {
	recordId: string;
	/** The saved record keyed by field id. */
	saved?: JsonObject;
	answer: JsonObject;
	/** What the service has to say although it saved. */
	warning?: string;
	/** Values that were not saved as they were given. */
	notes?: readonly ValueNote[];
	/** Hours from UTC, when the saved record's dates were asked for in that offset. */
	offsetHours?: number;
}

/** Creates a record (specification, endpoint 6). Throws ServiceError for every answer but `SUCCESS`, and when it names no record. */
export async function createRecord(
	client: Client,
	sheet: SheetAddress,
	content: RecordContent,
	writing: Writing,
): Promise<SavedRecord> {
	// A new record cannot be locked, and the service takes parameters that it does not know for fields.
	const parameters = writingParameters({ ...writing, checkLock: undefined });
	return await save(client, sheetRequest(client, sheet, parameters), { sheet }, content, writing);
}

/** Changes the given fields of a record (specification, endpoint 7). Throws ServiceError for every answer but `SUCCESS`. */
export async function updateRecord(
	client: Client,
	record: RecordAddress,
	content: RecordContent,
	writing: Writing,
	identity?: string,
): Promise<SavedRecord> {
	const request = { ...recordRequest(client, record, writingParameters(writing)), identity };
	return await save(client, request, record, content, writing).catch((error: unknown) => {
		const isGone = error instanceof ServiceError && error.kind === 'notFound';
		if (isGone) writtenRecords(client, record.sheet).addDeleted(record.recordId);
		throw error;
	});
}

/**
 * Deletes a record (specification, endpoint 8), and remembers that, because filters find it for a while.
 * Throws ServiceError unless the answer confirms the deletion, or says nothing and the record is gone.
 */
export async function deleteRecord(client: Client, record: RecordAddress): Promise<void> {
	const { sheet, recordId } = record;
	const written = writtenRecords(client, sheet);
	written.remove(recordId);
	const deletion = client.write({ ...recordRequest(client, record, []), method: 'DELETE' });
	await deletion
		.catch(async (error: unknown) => {
			const isMute =
				error instanceof ServiceError && error.kind === 'unconfirmed' && !error.details.code;
			if (!isMute || (await recordExists(client, record).catch(() => true))) throw error;
		})
		.finally(() => invalidateRecord(client, recordId));
	written.addDeleted(recordId);
}

/** Writes a record, in a form if there are files: JSON keeps numbers and selections as they are. */
async function save(
	client: Client,
	request: ServiceRequest,
	{ sheet, recordId: known }: { sheet: SheetAddress; recordId?: string },
	content: RecordContent,
	{ timeZone: offsetHours }: Writing,
): Promise<SavedRecord> {
	const { changes, files } = content;
	const body = files.length > 0 ? new FormBody(formParts(content)) : jsonBody(changes);
	const decode = known === undefined ? createAnswer : writeAnswer;
	const write = client.write({ ...request, method: 'POST', body }, decode);
	// One that failed may have been carried out, too.
	const sent = await write.finally(() => invalidateRecord(client, known));
	const answer = await withShownWords(client, sent);
	const data = answer.get('data');
	const saved = isJsonObject(data) ? data : undefined;
	const recordId = known ?? idOf(answer) ?? (saved && idOf(saved));
	if (recordId === undefined) {
		throw new ServiceError({
			kind: 'malformed',
			message: 'The service confirmed a new record but did not say which',
			description: 'Look for it on the sheet before you run this again.',
		});
	}
	// Times in another offset are not those that filters compare.
	const isShifted = offsetHours !== undefined;
	writtenRecords(client, sheet).add(recordId, changes.fields, isShifted ? undefined : saved);
	const warning = memberText(answer, 'warning') || undefined;
	const notes = notesOn(saved, content, isShifted);
	return { recordId, saved, answer, warning, notes, offsetHours };
}

/**
 * Returns the answer to a create. A record keyed by its new ID, without `status`, is returned like any other answer: its ID, and
 * the record as `data` if field IDs are its keys. Throws as `writeAnswer`.
 */
function createAnswer(answer: RawAnswer): JsonObject {
	const record = newRecordIn(answer);
	if (!record) return writeAnswer(answer);
	const ids: JsonObject = new Map([['svcId', record.id]]);
	return isKeyedByIds(record.content) ? ids.set('data', record.content) : ids;
}

/** Returns the only record of an answer that has nothing else in it; undefined for any other answer. */
function newRecordIn({ status, text }: RawAnswer): SheetRecord | undefined {
	const value = status < 400 ? orderedJsonIn(text) : undefined;
	const [record, ...others] = recordsOf(value ?? null);
	if (!record || others.length > 0 || !isJsonObject(value)) return undefined;
	const isAlone = [...value.keys()].every((key) => key === record.id || isBesideRecords(key));
	return isAlone && (idOf(record.content) ?? record.id) === record.id ? record : undefined;
}

/** Returns an answer with its messages as they may be shown. */
async function withShownWords(client: Client, answer: JsonObject): Promise<JsonObject> {
	const shown = new Map(answer);
	for (const key of ['msg', 'warning']) {
		const message = memberText(answer, key);
		if (message) shown.set(key, await client.shownWords(message));
	}
	return shown;
}

/** Whether all fields of a record have their IDs as keys. */
function isKeyedByIds(content: JsonObject): boolean {
	const keys = [...content.keys()].filter((key) => !key.startsWith('_'));
	return keys.length > 0 && keys.every(isFieldId);
}

/** Returns the id in an answer or in a saved record, in either spelling. */
function idOf(object: JsonObject): string | undefined {
	return ['svcId', 'ragicId', '_svcId', '_ragicId']
		.map((key) => recordIdText(object.get(key)))
		.find((id) => id !== undefined);
}

/** What the service does beside writing a record (specification, endpoint 6). Only what is set is sent. */
export interface Writing {
	doFormula?: boolean;
	doDefaultValue?: boolean;
	/** Load values from linked sheets, after formulas or before them. */
	doLinkLoad?: 'true' | 'first' | 'false';
	/** Run the workflow script that is tied to the call. */
	doWorkflow?: boolean;
	notification?: boolean;
	/** Reject what fails the validation rules; the specification knows no other value than true. */
	doValidation?: boolean;
	/** Refuse to change a locked record; the specification knows no other value than true. */
	checkLock?: boolean;
	/** Hours from UTC of the moments that are written and returned. */
	timeZone?: number;
	/** Of the API (specification, "Versioning"). */
	version?: string;
}

export function writingParameters(writing: Writing): QueryParameter[] {
	const { doFormula, doDefaultValue, doLinkLoad, doWorkflow, notification } = writing;
	const { doValidation, checkLock, timeZone: tz, version } = writing;
	const asSet = { doFormula, doDefaultValue, doLinkLoad, doWorkflow, notification };
	const whenOn = { doValidation: doValidation || undefined, checkLock: checkLock || undefined };
	const all = Object.entries({ ...asSet, ...whenOn, tz, version: version || undefined });
	return all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}
