import { fallbackTo } from '../../../api/http/serviceError';
import type { JsonObject } from '../../../api/json/orderedJson';
import { isInformationKey } from '../../../api/read/recordKeys';
import { isFieldId } from '../../../api/sheet/fields';
import { isSubtableKey } from '../../../api/values/subtableKeys';
import type { Plan } from '../../../api/write/plan';
import type { RecordContent } from '../../../api/write/recordContent';
import type { SavedRecord } from '../../../api/write/records';
import { notesOn } from '../../../api/write/savedAsGiven';
import type { Item } from '../../run/itemContext';
import type { RecordUpdate } from './recordUpdate';
import type { WriteInput } from './writeInput';

/**
 * Returns a record that already holds all values of the input as `notWritten` does. Returns undefined if the record does not exist
 * any more.
 */
export async function unchanged(
	update: RecordUpdate,
	plan: Plan,
): Promise<SavedRecord | undefined> {
	const { item, input, stored } = update;
	const { before = new Map(), content } = plan;
	const returned = await loadReturned(update, before);
	if (!returned) return undefined;
	const { recordId } = stored.address;
	const record = { recordId, content: returned, notes: notesOn(before, content) };
	return notWritten(item, input, record);
}

/**
 * Notes that an item is not written, and returns its record like a saved one, so that its output has the keys of an updated record.
 * `content` is the record as an answer to its update would return it.
 */
export function notWritten(
	item: Item,
	{ options: { offsetHours } }: WriteInput,
	{ content, ...record }: Pick<SavedRecord, 'notes' | 'recordId'> & { content: JsonObject },
): SavedRecord {
	item.run.journalOf(item.index).isDecided = true;
	const saved = new Map([...content].filter(([key]) => !isInformationKey(key)));
	return { ...record, saved, offsetHours };
}

/**
 * Returns a record as an answer to its update would return it; only the given fields of the stored record if it cannot be read so.
 * Returns undefined if the record does not exist any more. `before` is the stored record.
 */
async function loadReturned(
	{ input, returned }: RecordUpdate,
	before: JsonObject,
): Promise<JsonObject | undefined> {
	if (!returned) return before;
	const content = await returned.current().catch(fallbackTo('unreadable' as const));
	return content === 'unreadable' ? givenFields(before, input.values) : content;
}

/** Returns the fields of the input. The others are left out, because they were loaded unmasked, and with rich text as markup. */
function givenFields(before: JsonObject, { changes }: RecordContent): JsonObject {
	const isGiven = (key: string) => (isFieldId(key) ? changes.fields.has(key) : !isSubtableKey(key));
	return new Map([...before].filter(([key]) => isGiven(key)));
}
