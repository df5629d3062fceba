import type { IDataObject } from 'n8n-workflow';
import { cacheKey, type CachePart } from '../api/http/runCache';
import type { JsonObject } from '../api/json/orderedJson';
import type { ReadOptions } from '../api/read/readOptions';
import { numberOrText, plain, rowJson, simplifiedRecord } from '../api/read/record';
import { plannedChanges, type PlannedChanges } from '../api/rows/plannedChanges';
import type { SavedRow, Subtable } from '../api/rows/subtableRows';
import { holdsFieldIds, unnamedSentence } from '../api/schema/fieldNames';
import { isFieldId } from '../api/schema/fields';
import { Schema } from '../api/schema/schema';
import { isSubtableKey, subtableOf } from '../api/values/subtableKeys';
import { wholeNumberText, type SheetAddress } from '../api/values/sheetAddress';
import { forNewRecord, noChanges } from '../api/write/recordContent';
import type { RecordContent, ValueNote } from '../api/write/recordContent';
import type { SavedRecord } from '../api/write/records';
import { notesOn } from '../api/write/sameValue';
import { notesSentence } from './hints';
import type { Item } from './itemContext';

/** How the output of a write calls the fields of its sheet. */
interface OutputKeys {
	item: Item;
	sheet: SheetAddress;
	naming?: ReadOptions['naming'];
}

/** Returns the item of a write: the saved record or, where the answer has none, its id and the answer. */
export async function savedRecordJson(
	keys: OutputKeys,
	{ recordId, saved, answer, warning, notes, offsetHours }: SavedRecord,
	action?: 'created' | 'updated' | 'unchanged',
): Promise<IDataObject> {
	const named = saved && (await withNames(keys, saved));
	const json: IDataObject = named
		? simplifiedRecord({ id: recordId, content: named.content })
		: {
				_recordId: numberOrText(recordId),
				...Object.fromEntries([...answer].map(([key, value]) => [key, plain(value)])),
			};
	// Writing it back depends on the offset of its times.
	if (saved && offsetHours !== undefined) json._timeZone = offsetHours;
	const warnings = await warningJson(keys, [warning, named?.warning], notes);
	return { ...json, ...warnings, ...(action && { _action: action }) };
}

/** Returns the item of a saved row; without its id when the service left a doubt about it. */
export async function savedRowJson(
	keys: OutputKeys,
	{ recordId, subtableId }: Subtable,
	{ rowId, row, warning, notes }: SavedRow,
): Promise<IDataObject> {
	const ids = rowId === undefined ? {} : { _rowId: numberOrText(rowId) };
	const named = row && (await withNames(keys, row, subtableId));
	return {
		_recordId: numberOrText(recordId),
		...(named && rowId !== undefined ? rowJson(rowId, named.content) : ids),
		...(await warningJson(keys, [warning, named?.warning], notes)),
	};
}

/** Returns a saved record or row with the names of its fields, where they are wanted. What has no known name keeps its id, with a warning and a hint. */
async function withNames(
	{ item, sheet, naming }: OutputKeys,
	content: JsonObject,
	subtableId?: string,
): Promise<{ content: JsonObject; warning?: string }> {
	if (naming !== 'FNAME' || !holdsFieldIds(content)) return { content };
	const names = await new Schema(item.client, sheet).names();
	const unnamed = new Set<string>();
	const named = names.named(content, subtableId, unnamed);
	if (unnamed.size === 0) return { content: named };
	const warning = unnamedSentence(unnamed);
	item.run.hints.addWarning(
		`${warning} Use the IDs in expressions, or set 'Field Keys' to Field IDs.`,
	);
	return { content: named, warning };
}

/** Returns what there is to say of a write in an item, and which values were not saved as they were given. */
async function warningJson(
	{ item, sheet }: OutputKeys,
	warnings: ReadonlyArray<string | undefined>,
	notes: readonly ValueNote[] = [],
): Promise<{ _warning?: string }> {
	const schema = new Schema(item.client, sheet);
	const named = notes.map(async (note) =>
		note.reason === 'notKept' ? { ...note, name: await schema.nameFor(note.name) } : note,
	);
	return joined([...warnings, notesSentence('Check what was saved', await Promise.all(named))]);
}

function joined(warnings: ReadonlyArray<string | undefined>): { _warning?: string } {
	const _warning = warnings.filter(Boolean).join(' ');
	return _warning === '' ? {} : { _warning };
}

/** Returns the item of a record that would be created. To the items behind, `name` stands for the record. */
export async function plannedCreation(
	keys: OutputKeys,
	content: RecordContent,
	name = `new ${keys.item.index}`,
): Promise<IDataObject> {
	const changes = plannedChanges(new Map(), forNewRecord(content));
	return await plannedJson(keys, name, 'wouldCreate', changes, notesOn(undefined, content));
}

/** Returns the item of a record that would be updated, of which `content` holds what differs from what is stored. */
export async function plannedUpdate(
	keys: OutputKeys,
	recordId: string,
	content: RecordContent,
	stored: JsonObject,
	replacesFiles: boolean,
): Promise<IDataObject> {
	const changes = plannedChanges(stored, content, replacesFiles);
	const isSame = changes.before.size + changes.after.size === 0;
	const notes = notesOn(stored, { ...content, changes: noChanges() });
	return await plannedJson(keys, recordId, isSame ? 'unchanged' : 'wouldUpdate', changes, notes);
}

/** Returns the item of a record that would be deleted. */
export async function plannedDeletion(
	keys: OutputKeys,
	recordId: string,
	stored: JsonObject,
): Promise<IDataObject> {
	const isOwn = (key: string) => isFieldId(key) || subtableOf(key) !== undefined;
	const before = new Map([...stored].filter(([key]) => isOwn(key)));
	return await plannedJson(keys, recordId, 'wouldDelete', { before, after: new Map() });
}

type PlannedAction = 'unchanged' | 'wouldCreate' | 'wouldDelete' | 'wouldUpdate';

/** The records that items before would write. */
const plannedRecords: CachePart<true> = { name: 'plannedRecords' };

/** Returns a warning where an item before would write the same record: each is compared with what is stored now. */
function repeatedWrite(
	{ item, sheet }: OutputKeys,
	name: string,
	action: PlannedAction,
): string | undefined {
	const planned = item.client.cache.part(plannedRecords);
	const place = `${cacheKey(item.client, sheet)} ${name}`;
	if (planned.has(place)) {
		return 'An item before would write this record, too, which is not counted here.';
	}
	if (action !== 'unchanged') planned.set(place, true);
	return undefined;
}

/** Returns what would happen to a record, and each field with its values before and after, rows by their subtable. */
async function plannedJson(
	keys: OutputKeys,
	recordId: string,
	action: PlannedAction,
	{ before, after }: PlannedChanges,
	notes: readonly ValueNote[] = [],
): Promise<IDataObject> {
	const shown = async (saved: JsonObject) =>
		await savedRecordJson(keys, { recordId: '', saved, answer: new Map() });
	const [was, becomes] = [await shown(before), await shown(after)];
	const unnamed = [becomes._warning ?? was._warning ?? ''].map(String);
	const names = new Set([...Object.keys(becomes), ...Object.keys(was)]);
	const isField = (name: string) => name !== '_recordId' && name !== '_warning';
	const changes = [...names].filter(isField).map((name) => {
		const none = isSubtableKey(name) ? [] : null;
		return [name, [was[name] ?? none, becomes[name] ?? none]] as const;
	});
	keys.item.run.hints.addWarning("Nothing was written: the option 'Dry Run' is on.");
	return {
		...(wholeNumberText(recordId) === undefined ? {} : { _recordId: numberOrText(recordId) }),
		_action: action,
		_changes: Object.fromEntries(changes),
		...joined([
			...unnamed,
			notesSentence('Check what would be saved', notes),
			repeatedWrite(keys, recordId, action),
		]),
	};
}
