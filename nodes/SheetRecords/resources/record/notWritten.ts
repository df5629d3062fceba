import type { IDataObject } from 'n8n-workflow';
import { fallbackTo } from '../../../api/http/serviceError';
import type { JsonObject } from '../../../api/json/orderedJson';
import { isInformationKey } from '../../../api/read/recordKeys';
import type { Freshness } from '../../../api/read/memory/loadedRecords';
import type { RecordLoader } from '../../../api/read/recordLoader';
import { isFieldId } from '../../../api/sheet/fields';
import { isSubtableKey } from '../../../api/values/subtableKeys';
import type { Plan } from '../../../api/write/plan';
import type { RecordContent } from '../../../api/write/recordContent';
import type { SavedRecord } from '../../../api/write/records';
import { notesOn } from '../../../api/write/savedAsGiven';
import { storedRecordLoader } from '../../../api/write/storedRecord';
import type { Item } from '../../run/itemContext';
import { savedRecordJson } from '../../run/savedRecord';
import {
	changedBy,
	isCompared,
	needsOf,
	type LoadTogether,
	type RecordUpdate,
	type WriteInput,
} from './writeInput';

/**
 * Returns the loader for the outputs of unchanged records, which have the keys of updated ones. Undefined if no record can be
 * unchanged, or if the input is compared with the records as returned, so that no other read is needed.
 */
export function returnedLoader(item: Item, input: WriteInput): RecordLoader | undefined {
	const mayBeUnchanged = isCompared(input) && !input.options.dryRun;
	if (!mayBeUnchanged || needsOf(item, input).asReturned) return undefined;
	return loaderAsReturned(item, input);
}

/** Returns the loader for records as the answer to a write returns them. */
export function loaderAsReturned({ client }: Item, { sheet, options }: WriteInput): RecordLoader {
	const { offsetHours } = options;
	return storedRecordLoader(client, sheet, { offsetHours, asReturned: true }).needWholeRecords();
}

/** Drops the loaded contents of records, unless other items have enqueued them. */
export function releaseRecords(item: Item, input: WriteInput, recordIds: readonly string[]): void {
	const stored = storedRecordLoader(item.client, input.sheet, needsOf(item, input));
	for (const loader of [stored, loaderAsReturned(item, input)]) {
		for (const recordId of recordIds) loader.release(recordId);
	}
}

/**
 * Loads a record as the answer to a write returns it: together with others (`loadReturned`), if that is allowed and it is not loaded
 * yet. Returns undefined if the record does not exist. Throws ServiceError.
 */
export async function loadAsReturned(
	item: Item,
	input: WriteInput,
	recordId: string,
	{ loadReturned, required }: LoadTogether & { required: Freshness },
): Promise<JsonObject | undefined> {
	const loader = loaderAsReturned(item, input);
	if (loader.isExpired(recordId, required) && loader.mayBeListed(recordId)) {
		await loadReturned?.().catch(fallbackTo(undefined));
	}
	return await loader.load(item.client, recordId, required);
}

/**
 * Returns the output of a record that already holds all values of the input. It has the keys of an updated record. Returns undefined
 * if the record does not exist any more.
 */
export async function unchanged(
	update: RecordUpdate,
	plan: Plan,
): Promise<IDataObject | undefined> {
	const { item, input, stored } = update;
	const { before = new Map(), content } = plan;
	const returned = await loadReturned(update, before);
	if (!returned) return undefined;
	const { recordId } = stored.address;
	const record = { recordId, content: returned, notes: notesOn(before, content) };
	return await notWrittenJson(item, input, record, 'unchanged');
}

/**
 * Returns the output of an item that is not written, with the keys of an updated record. `content` is the record as an answer to its
 * update would return it.
 */
export async function notWrittenJson(
	item: Item,
	{ sheet, options }: WriteInput,
	{ content, ...record }: Pick<SavedRecord, 'notes' | 'recordId'> & { content: JsonObject },
	action: 'skipped' | 'unchanged',
): Promise<IDataObject> {
	item.run.journalOf(item.index).isDecided = true;
	const saved = new Map([...content].filter(([key]) => !isInformationKey(key)));
	const { offsetHours } = options;
	const changed = changedBy(item, options, []);
	const read = { ...record, saved, answer: new Map(), offsetHours };
	return await savedRecordJson({ item, sheet, ...options }, read, action, changed);
}

/**
 * Returns a record as an answer to its update would return it; only the given fields of the stored record if it cannot be read so.
 * Returns undefined if the record does not exist any more. `before` is the stored record.
 */
async function loadReturned(
	{ item, input, stored, needs, together }: RecordUpdate,
	before: JsonObject,
): Promise<JsonObject | undefined> {
	if (needs.asReturned) return before;
	const ofBefore = givenFields(before, input.values);
	if (!returnedLoader(item, input)) return ofBefore;
	const { recordId } = stored.address;
	const loading = loadAsReturned(item, input, recordId, { ...together, required: 'current' });
	return await loading.catch(fallbackTo(ofBefore));
}

/** Returns the fields of the input. The others are left out, because they were loaded unmasked, and with rich text as markup. */
function givenFields(before: JsonObject, { changes }: RecordContent): JsonObject {
	const isGiven = (key: string) => (isFieldId(key) ? changes.fields.has(key) : !isSubtableKey(key));
	return new Map([...before].filter(([key]) => isGiven(key)));
}
