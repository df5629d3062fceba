import type { IDataObject } from 'n8n-workflow';
import { cacheKey, type CachePart } from '../api/http/runCache';
import type { JsonObject } from '../api/json/orderedJson';
import { numberOrText } from '../api/read/record';
import { plannedChanges, withChanges, type PlannedChanges } from '../api/rows/plannedChanges';
import { isFieldId } from '../api/schema/fields';
import { isSubtableKey, subtableOf } from '../api/values/subtableKeys';
import { wholeNumberText } from '../api/values/sheetAddress';
import { forNewRecord, noChanges } from '../api/write/recordContent';
import type { RecordContent, ValueNote } from '../api/write/recordContent';
import { notesOn } from '../api/write/savedValues';
import { notesSentence } from './hints';
import { savedRecordJson, type OutputKeys } from './savedRecord';

/** What records would hold after the items before. */
const plannedRecords: CachePart<JsonObject> = { name: 'plannedRecords' };

function placeOf({ item, sheet }: OutputKeys, recordId: string): string {
	return `${cacheKey(item.client, sheet)} ${recordId}`;
}

/** Returns what a record would hold after the items before; undefined when they leave it as it is. */
export function plannedRecord(keys: OutputKeys, recordId: string): JsonObject | undefined {
	return keys.item.client.cache.part(plannedRecords).get(placeOf(keys, recordId));
}

/** Returns the item of a record that would be created. To the items behind, `recordId` stands for it, which is no number. */
export async function plannedCreation(
	keys: OutputKeys,
	content: RecordContent,
	recordId: string,
): Promise<IDataObject> {
	const changes = plannedChanges(new Map(), forNewRecord(content));
	const planned = keys.item.client.cache.part(plannedRecords);
	planned.set(placeOf(keys, recordId), withChanges(new Map(), changes));
	return await plannedJson(keys, recordId, 'wouldCreate', changes, notesOn(undefined, content));
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
	const planned = keys.item.client.cache.part(plannedRecords);
	planned.set(placeOf(keys, recordId), withChanges(stored, changes));
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

/** Returns what would happen to a record, and each field with its values before and after, rows by their subtable. */
async function plannedJson(
	keys: OutputKeys,
	recordId: string,
	action: 'unchanged' | 'wouldCreate' | 'wouldDelete' | 'wouldUpdate',
	{ before, after }: PlannedChanges,
	notes: readonly ValueNote[] = [],
): Promise<IDataObject> {
	const shown = async (saved: JsonObject) =>
		await savedRecordJson(keys, { recordId: '', saved, answer: new Map() });
	const [was, becomes] = [await shown(before), await shown(after)];
	const { _warning: unnamed } = { ...was, ...becomes };
	const told = [unnamed, notesSentence('Check what would be saved', notes)].filter(Boolean);
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
		...(told.length > 0 ? { _warning: told.join(' ') } : {}),
	};
}
