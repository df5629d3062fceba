import { successAnswer, unconfirmed, type RawAnswer } from '../http/answer';
import type { WriteRequest } from '../http/call';
import { type Client, recordRequest, sheetRequest } from '../http/client';
import { ServiceError } from '../http/serviceError';
import {
	mayDenySuccess,
	saysNotFound,
	saysRecordNotFound,
	successWords,
} from '../http/successWords';
import { isJsonObject, orderedJsonIn } from '../json/orderedJson';
import type { JsonObject, JsonValue } from '../json/orderedJson';
import { recordsOf, validRecordId, type SheetRecord } from '../read/record';
import { recordMemory } from '../read/memory/recordMemory';
import { isInformationKey } from '../read/recordKeys';
import { isMetadataKey } from '../read/records';
import { isFieldId } from '../sheet/fields';
import { FormBody } from '../values/formBody';
import { plainWords } from '../values/plainWords';
import type { QueryParameter } from '../values/query';
import type { RecordAddress, SheetAddress } from '../values/sheetAddress';
import { inEnglish, joinedSentences } from '../values/text';
import { confirmUpdate, outcomeUnknown } from './confirmation';
import {
	contentWithoutKinds,
	formParts,
	jsonBody,
	noChanges,
	withSentRowIds,
} from './recordContent';
import type { RecordContent, ValueNote } from './recordContent';
import { notesOn, notesOnFiles } from './savedAsGiven';
import { recordExists } from './storedRecord';

/** The result of a write. */
export interface SavedRecord {
	recordId: string;
	/** The saved record, keyed by field ID. Omitted if the answer does not contain it. */
	saved?: JsonObject;
	/** The answer with plain and redacted texts, if it does not contain the saved record. */
	answer?: JsonObject;
	/** Words of the service beside a success (`msg` and `warning`), without bare confirmations. */
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
	const saved = await save(client, request, { sheet, content }, writing);
	const warning = joinedSentences([saved.warning, warningOfPath(sheet, saved.recordId)]);
	return { ...saved, warning: warning || undefined };
}

/** Returns a warning if the path of the sheet may be that of the record, which was then changed and not created. */
function warningOfPath(
	{ folders, sheetIndex }: SheetAddress,
	recordId: string,
): string | undefined {
	const mayBeOfRecord = folders.length > 1 && /^\d+$/.test(folders.at(-1) ?? '');
	if (!mayBeOfRecord || recordId !== String(sheetIndex)) return undefined;
	const otherSheet = folders.join('/');
	return `The path ${otherSheet}/${sheetIndex} may be that of record ${recordId} of the sheet ${otherSheet}: then this record was changed, and none was created. If you mean this sheet, enter its path without the record ID.`;
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
	{ step = 'change', ...writing }: Writing & { step?: string },
): Promise<SavedRecord> {
	const request = { ...recordRequest(client, record, writingParameters(writing)), step };
	return await save(client, request, { ...record, content }, writing);
}

/**
 * Deletes a record (specification, endpoint 8), and remembers the deletion, because filters still find the record for a while.
 * Returns the words of the service beside the success, without bare confirmations. If the answer neither confirms nor rejects
 * the deletion, or has words that may deny it, a read decides. Throws ServiceError if the record still exists, and one of
 * kind `notFound` if the service says that it did not find the record.
 */
export async function deleteRecord(client: Client, record: RecordAddress): Promise<string> {
	const { sheet, recordId } = record;
	const memory = recordMemory(client, sheet);
	const request = {
		...recordRequest(client, record, []),
		method: 'DELETE',
		step: 'delete',
	} as const;
	const deletion = client.write(request, (answer) => successAnswer(answer));
	const words = await deletion
		.then(
			async (answer) => {
				const sentWords = successWords(answer);
				const said = await client.redactedWords(sentWords);
				// Redacted words would hide that they deny the deletion.
				if (mayDenySuccess(plainWords(sentWords))) {
					await requireDeletion(client, record, outcomeUnknown(said));
				}
				return said;
			},
			async (error: unknown) => {
				const isMute =
					error instanceof ServiceError && error.kind === 'unconfirmed' && !error.details.code;
				if (!isMute) throw error;
				await requireDeletion(client, record, error);
				return '';
			},
		)
		.finally(() => memory.sent(recordId));
	memory.deleted(recordId);
	return words;
}

/** Throws the error if the record still exists, and ServiceError of kind `notFound` if the service did not find the record. */
async function requireDeletion(
	client: Client,
	record: RecordAddress,
	error: ServiceError,
): Promise<void> {
	if (await recordExists(client, record).catch(() => true)) throw error;
	const { serviceMessage = '' } = error.details;
	if (!saysRecordNotFound(serviceMessage)) return;
	throw new ServiceError({
		kind: 'notFound',
		message: `There is no record ${record.recordId}, and nothing was deleted: ${serviceMessage}`,
		description: 'Check the record ID.',
		serviceMessage,
	});
}

/** Values for a record; a new one if `recordId` is omitted. */
interface SavedInput {
	sheet: SheetAddress;
	recordId?: string;
	content: RecordContent;
}

/** Writes a record. */
async function save(
	client: Client,
	request: Omit<WriteRequest, 'body' | 'method'>,
	{ sheet, recordId: known, content }: SavedInput,
	{ offsetHours, afterWrite }: Writing,
): Promise<SavedRecord> {
	const sending = { ...request, method: 'POST', body: bodyOf(content) } as const;
	const isSent = !client.isConfirmed(sending);
	const decode = known === undefined ? createAnswer : successAnswer;
	const memory = recordMemory(client, sheet);
	const answer = await client
		.write(sending, (received) => decode(received))
		.finally(() => memory.sent(known));
	const sentWords = successWords(answer);
	const words = await client.redactedWords(sentWords);
	const data = answer.get('data');
	const returned = isJsonObject(data) ? data : undefined;
	const recordId = known ?? recordIdIn(answer) ?? (returned && recordIdIn(returned));
	if (recordId === undefined) throw unknownRecord(words);
	if (isSent) await afterWrite?.(recordId, returned);
	const isShifted = offsetHours !== undefined;
	const isNotFound = saysNotFound(plainWords(sentWords));
	const check = { words, isNotFound, isShifted, isNew: known === undefined };
	const confirmed = await confirmSave(client, { sheet, recordId }, content, check);
	const saved = savedContent(returned, confirmed, isShifted);
	// Filters compare stored times, so a saved record with times in another offset is not remembered.
	const remembered = isShifted ? undefined : saved;
	memory.wrote(recordId, content.changes.fields, remembered);
	const compared = confirmed ?? saved;
	const notes = [
		...notesOn(compared, content, isShifted),
		...notesOnFiles(compared, content.files),
	];
	const shownAnswer = await answerWithoutRecord(client, answer, saved);
	const warning = words || undefined;
	return { recordId, saved, answer: shownAnswer, warning, notes, offsetHours };
}

/** Returns the saved record: from the answer, or from the second read in the account's time zone. */
function savedContent(
	returned: JsonObject | undefined,
	confirmed: JsonObject | undefined,
	isShifted: boolean,
): JsonObject | undefined {
	if (returned) return withoutInformation(returned);
	return isShifted ? undefined : confirmed;
}

/** Facts that decide whether a read has to confirm a write. */
interface SaveCheck {
	/** Words of the service, as plain text without secrets. */
	words: string;
	/** Whether these words, also if they are redacted, say that something was not found. */
	isNotFound: boolean;
	isShifted: boolean;
	isNew: boolean;
}

/**
 * Returns the record after a write whose words say that something was not found; undefined for any other words. A new record
 * must exist; an updated one must have the sent values. Throws ServiceError of kind `unconfirmed` otherwise.
 */
async function confirmSave(
	client: Client,
	record: RecordAddress,
	content: RecordContent,
	{ words, isNotFound, isShifted, isNew }: SaveCheck,
): Promise<JsonObject | undefined> {
	if (!isNotFound) return undefined;
	// The notes of a new record say which values were not stored.
	const required = isNew ? contentWithoutKinds(noChanges()) : content;
	return await confirmUpdate(client, record, required, { words, isShifted });
}

/** Returns the error for a new record whose ID is unknown. `words` are those of the service. */
function unknownRecord(words: string): ServiceError {
	if (words !== '' && saysNotFound(words)) return outcomeUnknown(words);
	const said = words === '' ? '' : ` It says: ${words}`;
	return new ServiceError({
		kind: 'malformed',
		message: 'The service confirmed a new record but did not say which',
		description: `Look for it on the sheet before you run this again.${said}`,
		serviceMessage: words || undefined,
	});
}

/** Returns the body of a write: a form if there are files, otherwise JSON, which preserves numbers and selections. */
function bodyOf(content: RecordContent): FormBody | string {
	const sent = withSentRowIds(content);
	return sent.files.length > 0 ? new FormBody(formParts(sent)) : jsonBody(sent.changes);
}

/**
 * Returns the answer to a create. Some services answer only with the new record, keyed by its ID. This answer is converted to the
 * common format: the ID as `svcId`, and the record as `data` if its keys are field IDs. Throws as `successAnswer`, and a
 * ServiceError of kind `unconfirmed` for several records, which do not show the new one.
 */
function createAnswer(answer: RawAnswer): JsonObject {
	const value = orderedJsonIn(answer.text);
	const records = answer.status < 400 ? newRecordsIn(value) : [];
	const [record] = records;
	if (!record) return successAnswer(answer, value);
	if (records.length > 1) {
		const count = inEnglish(records.length);
		throw unconfirmed(`it answered with ${count} records, which do not show the new one`);
	}
	const ids: JsonObject = new Map([['svcId', record.id]]);
	return isKeyedByIds(record.content) ? ids.set('data', record.content) : ids;
}

/** Returns the records of an answer that has no members except records and metadata; an empty list for any other answer. */
function newRecordsIn(value: JsonValue | undefined): SheetRecord[] {
	if (!isJsonObject(value)) return [];
	const records = recordsOf(value);
	const ids = new Set(records.map(({ id }) => id));
	const isOther = (key: string) => !ids.has(key) && !isMetadataKey(key);
	if ([...value.keys()].some(isOther)) return [];
	return records.every(({ id, content }) => (recordIdIn(content) ?? id) === id) ? records : [];
}

/**
 * Returns an answer whose own members are plain, redacted texts, because the node returns them in place of the saved record. Undefined
 * if there is one, because redaction needs the stored credential, which n8n reads from its database.
 */
async function answerWithoutRecord(
	client: Client,
	answer: JsonObject,
	saved: JsonObject | undefined,
): Promise<JsonObject | undefined> {
	if (saved) return undefined;
	const redacted = new Map(answer);
	for (const [key, value] of answer) {
		if (typeof value !== 'string' || key === 'status') continue;
		redacted.set(key, await client.redactedWords(value));
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
	return ['svcId', 'ragicId', '_svcId', '_ragicId', '_ragic_id']
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
