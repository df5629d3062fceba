import type { IDataObject } from 'n8n-workflow';
import type { ReadOptions } from '../api/read/readOptions';
import { Schema } from '../api/schema/schema';
import type { SavedRecord } from '../api/write/records';
import { holdsFieldIds } from '../api/schema/fieldNames';
import type { JsonObject } from '../api/json/orderedJson';
import { numberOrText, plain, rowJson, simplifiedRecord } from '../api/read/record';
import type { SavedRow, Subtable } from '../api/rows/subtableRows';
import type { SheetAddress } from '../api/values/sheetAddress';
import type { Item } from './itemContext';

/** How the output of a write calls the fields of its sheet. */
export interface OutputKeys {
	item: Item;
	sheet: SheetAddress;
	naming?: ReadOptions['naming'];
}

/** What results of writes hold beside the fields: a field of such a name keeps its id. */
const addedKeys: ReadonlySet<string> = new Set(['_action', '_fileNames', '_timeZone', '_warning']);

/** Returns the item of a write: the saved record or, where the answer has none, its id and the answer. */
export async function savedRecordJson(
	keys: OutputKeys,
	{ recordId, saved, answer, warning, offsetHours }: SavedRecord,
	action?: 'created' | 'updated' | 'unchanged',
): Promise<IDataObject> {
	const json: IDataObject = saved
		? simplifiedRecord({ id: recordId, content: await withNames(keys, saved) })
		: { _recordId: numberOrText(recordId), ...answerJson(answer) };
	// Writing it back depends on the offset of its times.
	if (saved && offsetHours !== undefined) json._timeZone = offsetHours;
	if (warning !== undefined) json._warning = warning;
	return action ? { ...json, _action: action } : json;
}

/** Returns the item of a saved row; without its id when the service left a doubt about it. */
export async function savedRowJson(
	keys: OutputKeys,
	{ recordId, subtableId }: Subtable,
	{ rowId, row, warning }: SavedRow,
): Promise<IDataObject> {
	const ids = rowId === undefined ? {} : { _rowId: numberOrText(rowId) };
	const named = row && (await withNames(keys, row, subtableId));
	return {
		_recordId: numberOrText(recordId),
		...(named && rowId !== undefined ? rowJson(rowId, named) : ids),
		...(warning === undefined ? {} : { _warning: warning }),
	};
}

/**
 * Returns a saved record, or a row of a subtable, with the keys of a read by names unless ids are wanted. A field whose
 * name is unknown keeps its id, and a hint says so.
 */
async function withNames(
	{ item, sheet, naming }: OutputKeys,
	content: JsonObject,
	subtableId?: string,
): Promise<JsonObject> {
	if (naming !== 'FNAME' || !holdsFieldIds(content)) return content;
	const names = (await new Schema(item.client, sheet).names()).without(addedKeys);
	for (const fieldId of names.unnamedIn(content, subtableId)) item.run.hints.unnamed.add(fieldId);
	return names.named(content, subtableId);
}

function answerJson(answer: SavedRecord['answer']): IDataObject {
	return Object.fromEntries([...answer].map(([key, value]) => [key, plain(value)]));
}
