import type { IDataObject } from 'n8n-workflow';
import type { JsonObject } from '../../api/json/orderedJson';
import type { ReadOptions } from '../../api/read/readOptions';
import { numberOrText, plain, rowJson, simplifiedRecord } from '../../api/read/record';
import type { PlannedChanges } from '../../api/write/plannedChanges';
import type { SavedRow, Subtable } from '../../api/rows/subtableRows';
import { holdsFieldIds, unnamedSentence, withFieldNames } from '../../api/schema/fieldNames';
import { Schema } from '../../api/schema/schema';
import { wholeNumberText, type SheetAddress } from '../../api/values/sheetAddress';
import { isSubtableKey } from '../../api/values/subtableKeys';
import type { ValueNote } from '../../api/write/recordContent';
import type { SavedRecord } from '../../api/write/records';
import { sheetName } from '../../api/write/writtenRecords';
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
	{ recordId, saved, answer, offsetHours, ...said }: SavedRecord,
	action?: 'created' | 'updated' | 'unchanged',
): Promise<IDataObject> {
	const { content, warnings } = await shown(keys, saved, said);
	const answered = [...answer].map(([key, value]) => [key, plain(value)] as const);
	const json: IDataObject = content
		? simplifiedRecord({ id: recordId, content })
		: { _recordId: numberOrText(recordId), ...Object.fromEntries(answered) };
	// Writing it back depends on the offset of its times.
	if (content && offsetHours !== undefined) json._timeZone = offsetHours;
	return { ...json, ...joined(warnings), ...(action && { _action: action }) };
}

/** Returns the item of a saved row; without its id when the service left a doubt about it. */
export async function savedRowJson(
	keys: OutputKeys,
	{ recordId, subtableId }: Subtable,
	{ rowId, row, ...said }: SavedRow,
): Promise<IDataObject> {
	const { content, warnings } = await shown(keys, row, said, subtableId);
	const ids = rowId === undefined ? {} : { _rowId: numberOrText(rowId) };
	return {
		_recordId: numberOrText(recordId),
		...(content && rowId !== undefined ? rowJson(rowId, content) : ids),
		...joined(warnings),
	};
}

type Warnings = ReadonlyArray<string | false | undefined>;

function joined(warnings: Warnings): { _warning?: string } {
	const _warning = warnings.filter(Boolean).join(' ');
	return _warning === '' ? {} : { _warning };
}

/**
 * Returns a saved record or row with the names of its fields, where they are wanted, and what there is to say of the write.
 * What has no known name keeps its id, with a warning and a hint.
 */
async function shown(
	{ item, sheet, naming }: OutputKeys,
	saved: JsonObject | undefined,
	{ warning, notes = [] }: Pick<SavedRecord, 'notes' | 'warning'>,
	subtableId?: string,
): Promise<{ content?: JsonObject; warnings: Warnings }> {
	const schema = new Schema(item.client, sheet);
	const unnamed = new Set<string>();
	const isById = naming !== 'FNAME' || !saved || !holdsFieldIds(saved);
	const content = isById ? saved : withFieldNames(saved, await schema.names(), unnamed, subtableId);
	const unnamedWarning = unnamed.size > 0 ? unnamedSentence(unnamed) : undefined;
	if (unnamedWarning !== undefined) {
		const advice = "Use the IDs in expressions, or set 'Output Field Names By' to Field IDs.";
		item.run.hints.warnings.add(`${unnamedWarning} ${advice}`);
	}
	const named = notes.map(async (note) =>
		note.reason === 'notKept' ? { ...note, name: await schema.nameFor(note.name) } : note,
	);
	const check = notesSentence('Check what was saved', await Promise.all(named));
	return { content, warnings: [warning, unnamedWarning, check] };
}

/** Returns what `Run.ownWrites` calls a record; in place of an id, a name may stand for one that would be created. */
export function recordPlace({ client }: Item, sheet: SheetAddress, recordId: string): string {
	return `${sheetName(client, sheet)} ${recordId}`;
}

/** Returns the item of a dry run: what would happen to a record, and each field with its values before and after. */
export async function plannedJson(
	keys: OutputKeys,
	recordId: string,
	action: 'unchanged' | 'wouldCreate' | 'wouldDelete' | 'wouldUpdate',
	{ before, after }: PlannedChanges,
	notes: readonly ValueNote[] = [],
): Promise<IDataObject> {
	const { hints, ownWrites } = keys.item.run;
	const jsonOf = async (saved: JsonObject) =>
		await savedRecordJson(keys, { recordId: '', saved, answer: new Map() });
	const [was, becomes] = [await jsonOf(before), await jsonOf(after)];
	const names = Object.keys({ ...becomes, ...was });
	const changed = names.filter((name) => name !== '_recordId' && name !== '_warning');
	const changes = changed.map((name) => {
		const none = isSubtableKey(name) ? [] : null;
		return [name, [was[name] ?? none, becomes[name] ?? none]] as const;
	});
	const place = recordPlace(keys.item, keys.sheet, recordId);
	// Each item is compared with what is stored now.
	const isRepeated = ownWrites.has(place);
	if (action !== 'unchanged') ownWrites.add(place);
	hints.warnings.add("Nothing was written: the option 'Dry Run' is on.");
	return {
		...(wholeNumberText(recordId) === undefined ? {} : { _recordId: numberOrText(recordId) }),
		_action: action,
		_changes: Object.fromEntries(changes),
		...joined([
			String(becomes._warning ?? was._warning ?? ''),
			notesSentence('Check what would be saved', notes),
			isRepeated &&
				'An earlier item would also write this record. Its changes are not included here.',
		]),
	};
}
