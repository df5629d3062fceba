import type { IDataObject } from 'n8n-workflow';
import type { ReadOptions } from '../api/read/readOptions';
import { Schema } from '../api/schema/schema';
import type { SavedRecord } from '../api/write/records';
import { holdsFieldIds, unnamedSentence } from '../api/schema/fieldNames';
import type { JsonObject } from '../api/json/orderedJson';
import { numberOrText, plain, rowJson, simplifiedRecord } from '../api/read/record';
import type { SavedRow, Subtable } from '../api/rows/subtableRows';
import type { SheetAddress } from '../api/values/sheetAddress';
import type { ValueNote } from '../api/write/recordContent';
import { notesSentence } from './hints';
import type { Item } from './itemContext';

/** How the output of a write calls the fields of its sheet. */
export interface OutputKeys {
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
		: { _recordId: numberOrText(recordId), ...answerJson(answer) };
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
	for (const fieldId of unnamed) item.run.hints.unnamed.add(fieldId);
	return { content: named, warning: unnamed.size > 0 ? unnamedSentence(unnamed) : undefined };
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
	const all = [...warnings, notesSentence('Check what was saved', await Promise.all(named))];
	const _warning = all.filter(Boolean).join(' ');
	return _warning === '' ? {} : { _warning };
}

function answerJson(answer: SavedRecord['answer']): IDataObject {
	return Object.fromEntries([...answer].map(([key, value]) => [key, plain(value)]));
}
