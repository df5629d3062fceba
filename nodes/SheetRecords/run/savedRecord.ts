import type { IDataObject } from 'n8n-workflow';
import type { JsonObject } from '../../api/json/orderedJson';
import type { ReadOptions } from '../../api/read/readOptions';
import { membersOf, numberOrText, plain, rowJson } from '../../api/read/record';
import type { PlannedChanges } from '../../api/write/plannedChanges';
import type { SavedRow, SubtableAddress } from '../../api/rows/subtableRows';
import { holdsFieldIds, unnamedSentence, withFieldNames } from '../../api/sheet/fieldNames';
import { SheetFields } from '../../api/sheet/sheetFields';
import { wholeNumberText } from '../../api/values/sheetAddress';
import type { RecordAddress, SheetAddress } from '../../api/values/sheetAddress';
import { isSubtableKey } from '../../api/values/subtableKeys';
import { joinedSentences } from '../../api/values/text';
import type { ValueNote } from '../../api/write/recordContent';
import type { SavedRecord } from '../../api/write/records';
import { sheetKey } from '../../api/read/memory/recordMemory';
import { notesSentence } from './hints';
import type { Item } from './itemContext';

/** Sheet and naming of the fields in the output of a write. */
interface OutputKeys {
	item: Item;
	sheet: SheetAddress;
	naming?: ReadOptions['naming'];
}

/**
 * Returns the output of a write: the saved record or, if the answer does not contain it, the record ID and the answer.
 *
 * @param changed IDs of the changed fields and keys of the changed subtables, for `_changed`; null if they are not known
 */
export async function savedRecordJson(
	keys: OutputKeys,
	{ recordId, saved, answer = new Map(), offsetHours, ...messages }: SavedRecord,
	action?: 'created' | 'skipped' | 'unchanged' | 'updated',
	changed?: readonly string[] | null,
): Promise<IDataObject> {
	const { content, warnings } = await namedContent(keys, saved, messages);
	// A plan of a dry run has no record ID, and its output is no record.
	if (content && recordId !== '') keys.item.run.journal.noteRecords(keys.item.index, keys.sheet);
	const json = keys.item.run.savedItems.item(recordId, membersOf(content ?? new Map()));
	// Writing the record back needs the offset of its times, in `_timeZone`.
	if (content && offsetHours !== undefined) json._timeZone = offsetHours;
	return {
		...{ ...json, ...(content ? {} : answerJson(answer)) },
		...{ ...warningOf(warnings), ...(action && { _action: action }) },
		...(changed !== undefined && { _changed: changed && (await namesOf(keys, changed)) }),
	};
}

/** Returns the names of fields as in the output of a write. */
async function namesOf(
	{ item, sheet, naming }: OutputKeys,
	fieldIds: readonly string[],
): Promise<string[]> {
	if (naming !== 'FNAME' || fieldIds.length === 0) return [...fieldIds];
	const names = await new SheetFields(item.client, sheet).names();
	const content = new Map(fieldIds.map((fieldId) => [fieldId, null]));
	return [...withFieldNames(content, names, new Set()).keys()];
}

function answerJson(answer: JsonObject): IDataObject {
	return Object.fromEntries([...answer].map(([key, value]) => [key, plain(value)]));
}

/** Returns the output of a saved row. If its ID is unknown because the answer was ambiguous, returns only the record ID and warnings. */
export async function savedRowJson(
	keys: OutputKeys,
	{ recordId, subtableId }: SubtableAddress,
	{ rowId, row, offsetHours, ...messages }: SavedRow,
): Promise<IDataObject> {
	const { content, warnings } = await namedContent(keys, row, messages, subtableId);
	const _recordId = numberOrText(recordId);
	const warning = warningOf(warnings);
	if (rowId === undefined) return { _recordId, ...warning };
	if (!content) return { _recordId, _rowId: numberOrText(rowId), ...warning };
	const zone = offsetHours === undefined ? {} : { _timeZone: offsetHours };
	return { _recordId, ...rowJson(rowId, content), ...zone, ...warning };
}

type Warnings = ReadonlyArray<string | false | undefined>;

function warningOf(warnings: Warnings): { _warning?: string } {
	const _warning = joinedSentences(warnings);
	return _warning === '' ? {} : { _warning };
}

/**
 * Returns a saved record or row, with field names if `naming` asks for them, and the warnings of the write. A field without a
 * known name keeps its ID, with a warning and a hint.
 */
async function namedContent(
	{ item, sheet, naming }: OutputKeys,
	saved: JsonObject | undefined,
	{ warning, notes = [] }: Pick<SavedRecord, 'notes' | 'warning'>,
	subtableId?: string,
): Promise<{ content?: JsonObject; warnings: Warnings }> {
	const sheetFields = new SheetFields(item.client, sheet);
	const unnamed = new Set<string>();
	const isById = naming !== 'FNAME' || !saved || !holdsFieldIds(saved);
	const content = isById
		? saved
		: withFieldNames(saved, await sheetFields.names(), unnamed, subtableId);
	const unnamedWarning = unnamed.size > 0 ? unnamedSentence(unnamed) : undefined;
	if (unnamedWarning !== undefined) {
		const advice = "Use the IDs in expressions, or set 'Output Field Names By' to Field IDs.";
		item.run.hints.warnings.add(`${unnamedWarning} ${advice}`);
	}
	const named = notes.map(async (note) =>
		note.reason === 'notKept' ? { ...note, name: await sheetFields.nameFor(note.name) } : note,
	);
	const check = notesSentence('Check what was saved', await Promise.all(named));
	return { content, warnings: [warning, unnamedWarning, check] };
}

/** Returns the key of a record in `Run.writtenKeys`. For a record that a dry run would create, `recordId` is any unique name. */
export function recordKey({ client }: Item, { sheet, recordId }: RecordAddress): string {
	return `${sheetKey(client, sheet)} ${recordId}`;
}

/** The result of a dry run for one record. */
interface PlannedWrite {
	/** Any unique name for a record that does not exist yet. */
	recordId: string;
	action: 'unchanged' | 'wouldCreate' | 'wouldDelete' | 'wouldUpdate';
	changes: PlannedChanges;
	notes?: readonly ValueNote[];
	warning?: string;
}

/**
 * Returns the output of a dry run: the action on the record, and each changed field with its values before and after. The
 * record ID is null if the record does not exist yet. Adds a hint. Remembers the record unless it is unchanged, to warn about a second
 * item for it.
 */
export async function plannedJson(
	keys: OutputKeys,
	{ recordId, action, changes: { before, after }, notes = [], warning }: PlannedWrite,
): Promise<IDataObject> {
	const { hints, writtenKeys } = keys.item.run;
	const jsonOf = async (saved: JsonObject) => await savedRecordJson(keys, { recordId: '', saved });
	const jsonBefore = await jsonOf(before);
	const jsonAfter = await jsonOf(after);
	const names = Object.keys({ ...jsonAfter, ...jsonBefore });
	const changed = names.filter((name) => name !== '_recordId' && name !== '_warning');
	const changes = changed.map((name) => {
		const empty = isSubtableKey(name) ? [] : null;
		return [name, [jsonBefore[name] ?? empty, jsonAfter[name] ?? empty]] as const;
	});
	const key = recordKey(keys.item, { sheet: keys.sheet, recordId });
	// Warn about a second item for the same record, because each item is compared with the stored record.
	const isRepeated = writtenKeys.has(key);
	if (action !== 'unchanged') writtenKeys.add(key);
	hints.warnings.add("Nothing was written: the option 'Dry Run' is on.");
	return {
		_recordId: wholeNumberText(recordId) === undefined ? null : numberOrText(recordId),
		_action: action,
		_changes: Object.fromEntries(changes),
		...warningOf([
			warning,
			String(jsonAfter._warning ?? jsonBefore._warning ?? ''),
			notesSentence('Check what would be saved', notes),
			isRepeated &&
				'An earlier item would also write this record. Its changes are not included here.',
		]),
	};
}
