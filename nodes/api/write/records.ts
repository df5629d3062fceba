import { type Client, recordRequest, type ServiceRequest, sheetRequest } from '../http/client';
import { ServiceError } from '../http/serviceError';
import { isJsonObject, memberText, type JsonObject } from '../json/orderedJson';
import { plainReadOptions } from '../read/readOptions';
import { recordIdText } from '../read/record';
import { getRecord } from '../read/records';
import { forgetRecord } from '../read/recordLoader';
import { FormBody } from '../values/formBody';
import type { QueryParameter } from '../values/query';
import type { RecordAddress, SheetAddress } from '../values/sheetAddress';
import { formParts, jsonBody, type RecordContent, type ValueNote } from './recordContent';
import { notesOn } from './savedAsGiven';
import { addWritten, writtenTo } from './writtenRecords';

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
	return await save(client, request, record, content, writing);
}

/** Deletes a record (specification, endpoint 8). Throws ServiceError unless the answer confirms it, or says nothing and the record is gone. */
export async function deleteRecord(client: Client, record: RecordAddress): Promise<void> {
	writtenTo(client, record.sheet).delete(record.recordId);
	const deletion = client.write({ ...recordRequest(client, record, []), method: 'DELETE' });
	await deletion.catch(async (error: unknown) => {
		const isMute =
			error instanceof ServiceError && error.kind === 'unconfirmed' && !error.details.code;
		if (!isMute) throw error;
		const found = await getRecord(client, record, plainReadOptions('EID')).catch(() => error);
		if (found) throw error;
	});
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
	const write = client.write({ ...request, method: 'POST', body });
	// One that failed may have been carried out, too.
	const answer = await write.finally(() => forgetRecord(client, known));
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
	addWritten(client, { sheet, recordId }, changes.fields, isShifted ? undefined : saved);
	const warning = memberText(answer, 'warning') || undefined;
	const notes = notesOn(saved, content, isShifted);
	return { recordId, saved, answer, warning, notes, offsetHours };
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
