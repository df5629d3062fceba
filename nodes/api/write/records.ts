import { writeAnswer, type RawAnswer } from '../http/answer';
import type { WriteRequest } from '../http/call';
import { type Client, recordRequest, sheetRequest } from '../http/client';
import { ServiceError } from '../http/serviceError';
import { isJsonObject, memberText, orderedJsonIn } from '../json/orderedJson';
import type { JsonObject, JsonValue } from '../json/orderedJson';
import { recordsOf, validRecordId, type SheetRecord } from '../read/record';
import { invalidateRecord } from '../read/recordLoader';
import { isInformationKey } from '../read/recordKeys';
import { isMetadataKey } from '../read/records';
import { isFieldId } from '../schema/fields';
import { FormBody } from '../values/formBody';
import type { QueryParameter } from '../values/query';
import type { RecordAddress, SheetAddress } from '../values/sheetAddress';
import { formParts, jsonBody, withSentRowIds } from './recordContent';
import type { RecordContent, ValueNote } from './recordContent';
import { notesOn } from './savedAsGiven';
import { recordExists } from './storedRecord';
import { writtenRecords } from './writtenRecords';

/** The result of a write. */
export interface SavedRecord {
	recordId: string;
	/** The saved record, keyed by field ID. Omitted if the answer does not contain it. */
	saved?: JsonObject;
	answer: JsonObject;
	/** Warning of the service about a successful write. */
	warning?: string;
	/** Notes on values that were not saved as sent, and on rows that were not deleted. */
	notes?: readonly ValueNote[];
	/** UTC offset in hours of the dates in the saved record, if one was requested. */
	offsetHours?: number;
}

/** Creates a record (specification, endpoint 6). Throws ServiceError unless the answer is `SUCCESS` with a record ID, or the new record itself. */
export async function createRecord(
	client: Client,
	sheet: SheetAddress,
	content: RecordContent,
	writing: Writing,
): Promise<SavedRecord> {
	// A new record cannot be locked. The service would treat the unknown parameter as a field.
	const parameters = writingParameters({ ...writing, checkLock: undefined });
	const request = { ...sheetRequest(client, sheet, parameters), step: 'create' };
	return await save(client, request, { sheet }, content, writing);
}

/**
 * Updates a record (specification, endpoint 7). Throws ServiceError if the answer is not `SUCCESS`.
 *
 * @param step tells the write apart from the other writes of the item to this record (see `WriteRequest`)
 */
export async function updateRecord(
	client: Client,
	record: RecordAddress,
	content: RecordContent,
	writing: Writing,
	step = 'change',
): Promise<SavedRecord> {
	const request = { ...recordRequest(client, record, writingParameters(writing)), step };
	return await save(client, request, record, content, writing);
}

/**
 * Deletes a record (specification, endpoint 8), and remembers the deletion, because filters still find the record for a while.
 * Throws ServiceError, unless the answer confirms the deletion, or neither confirms nor rejects it and the record does not exist any more.
 */
export async function deleteRecord(client: Client, record: RecordAddress): Promise<void> {
	const { sheet, recordId } = record;
	const deletion = client.write({
		...recordRequest(client, record, []),
		method: 'DELETE',
		step: 'delete',
	});
	await deletion
		.catch(async (error: unknown) => {
			const isMute =
				error instanceof ServiceError && error.kind === 'unconfirmed' && !error.details.code;
			if (!isMute || (await recordExists(client, record).catch(() => true))) throw error;
		})
		.finally(() => invalidateRecord(client, recordId));
	writtenRecords(client, sheet).addDeleted(recordId, client.connection.userDigest);
}

/** Writes a record. */
async function save(
	client: Client,
	request: Omit<WriteRequest, 'body' | 'method'>,
	{ sheet, recordId: known }: { sheet: SheetAddress; recordId?: string },
	content: RecordContent,
	{ offsetHours, afterWrite }: Writing,
): Promise<SavedRecord> {
	const sending = { ...request, method: 'POST', body: bodyOf(content) } as const;
	const isSent = !client.isConfirmed(sending);
	const write = known === undefined ? client.write(sending, createAnswer) : client.write(sending);
	// Invalidate the record after the write, even if it failed, because it may have been carried out.
	const sent = await write.finally(() => invalidateRecord(client, known));
	const answer = await withRedactedMessages(client, sent);
	const data = answer.get('data');
	const returned = isJsonObject(data) ? data : undefined;
	const recordId = known ?? recordIdIn(answer) ?? (returned && recordIdIn(returned));
	if (recordId === undefined) {
		throw new ServiceError({
			kind: 'malformed',
			message: 'The service confirmed a new record but did not say which',
			description: 'Look for it on the sheet before you run this again.',
		});
	}
	if (isSent) await afterWrite?.(recordId, returned);
	const saved = returned && withoutInformation(returned);
	// Filters compare stored times, so a saved record with times in another offset is not remembered.
	const isShifted = offsetHours !== undefined;
	writtenRecords(client, sheet).add(
		recordId,
		content.changes.fields,
		isShifted ? undefined : saved,
	);
	const warning = memberText(answer, 'warning') || undefined;
	const notes = notesOn(saved, content, isShifted);
	return { recordId, saved, answer, warning, notes, offsetHours };
}

/** Returns the body of a write: a form if there are files, otherwise JSON, which preserves numbers and selections. */
function bodyOf(content: RecordContent): FormBody | string {
	const sent = withSentRowIds(content);
	return sent.files.length > 0 ? new FormBody(formParts(sent)) : jsonBody(sent.changes);
}

/**
 * Returns the answer to a create. Some services answer only with the new record, keyed by its ID. This answer is converted to the
 * common format: the ID as `svcId`, and the record as `data` if its keys are field IDs. Throws as `writeAnswer`.
 */
function createAnswer(answer: RawAnswer): JsonObject {
	const value = orderedJsonIn(answer.text);
	const record = answer.status < 400 ? newRecordIn(value) : undefined;
	if (!record) return writeAnswer(answer, value);
	const ids: JsonObject = new Map([['svcId', record.id]]);
	return isKeyedByIds(record.content) ? ids.set('data', record.content) : ids;
}

/** Returns the record of an answer that has no other records and no other members except metadata; undefined for any other answer. */
function newRecordIn(value: JsonValue | undefined): SheetRecord | undefined {
	if (!isJsonObject(value)) return undefined;
	const records = recordsOf(value);
	const [record] = records;
	if (!record || records.length > 1) return undefined;
	const hasOnlyRecord = [...value.keys()].every((key) => key === record.id || isMetadataKey(key));
	return hasOnlyRecord && (recordIdIn(record.content) ?? record.id) === record.id
		? record
		: undefined;
}

/** Returns an answer with plain, redacted messages. */
async function withRedactedMessages(client: Client, answer: JsonObject): Promise<JsonObject> {
	const redacted = new Map(answer);
	for (const key of ['msg', 'warning']) {
		const message = memberText(answer, key);
		if (message) redacted.set(key, await client.redactedWords(message));
	}
	return redacted;
}

/** Returns a record without the keys that `info` adds. */
function withoutInformation(record: JsonObject): JsonObject {
	return new Map([...record].filter(([key]) => !isInformationKey(key)));
}

/** Returns whether all fields of a record have their IDs as keys. */
function isKeyedByIds(content: JsonObject): boolean {
	const keys = [...content.keys()].filter((key) => !key.startsWith('_'));
	return keys.length > 0 && keys.every(isFieldId);
}

/** Returns the record ID in an answer or in a saved record. */
function recordIdIn(object: JsonObject): string | undefined {
	return ['svcId', 'ragicId', '_svcId', '_ragicId']
		.map((key) => validRecordId(object.get(key)))
		.find((id) => id !== undefined);
}

/** Parameters of a write (specification, endpoint 6). Omitted parameters are not sent. */
export interface Writing {
	/**
	 * Called after each write that was sent and confirmed, with the record of the answer. If it is set, `info` is sent, so that the
	 * record has its last change.
	 */
	afterWrite?: (recordId: string, returned: JsonObject | undefined) => Promise<void>;
	doFormula?: boolean;
	doDefaultValue?: boolean;
	/** Loads values from linked sheets, after formulas (`true`) or before them (`first`). */
	doLinkLoad?: 'true' | 'first' | 'false';
	/** Runs the workflow script that is tied to the call. */
	doWorkflow?: boolean;
	notification?: boolean;
	/** Rejects records that fail the validation rules. Only sent if true, because the specification has no other value. */
	doValidation?: boolean;
	/** Rejects the change of a locked record. Only sent if true, because the specification has no other value. */
	checkLock?: boolean;
	/** UTC offset in hours of written and returned times. */
	offsetHours?: number;
	/** API version (specification, "Versioning"). */
	version?: string;
}

export function writingParameters(writing: Writing): QueryParameter[] {
	const { doFormula, doDefaultValue, doLinkLoad, doWorkflow, notification } = writing;
	const { doValidation, checkLock, offsetHours: tz, version, afterWrite } = writing;
	const asSet = { doFormula, doDefaultValue, doLinkLoad, doWorkflow, notification };
	const whenOn = { doValidation: doValidation || undefined, checkLock: checkLock || undefined };
	const info = afterWrite && true;
	const all = Object.entries({ ...asSet, ...whenOn, tz, info, version: version || undefined });
	return all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}
