import type { IDataObject } from 'n8n-workflow';
import { fallbackTo } from '../../../api/http/serviceError';
import type { JsonObject } from '../../../api/json/orderedJson';
import { numberOrText } from '../../../api/read/record';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import type { MatchLookUp } from '../../../api/write/match';
import { StoredRecord, storedRecordLoader } from '../../../api/write/storedRecord';
import { noSuchRecord } from '../../parameters/record';
import type { MatchedValues } from '../../parameters/recordValues';
import type { upsertOptions } from '../../parameters/writeOptions';
import type { Item } from '../../run/itemContext';
import { savedRecordJson } from '../../run/savedRecord';
import { loadTogether, matchesOf } from './matchGroups';
import { notWritten } from './notWritten';
import type { LoadTogether } from './recordUpdate';
import { needsAsReturned } from './recordReads';
import { changedBy } from './writeInput';

/** An item of an upsert. */
export interface UpsertInput {
	sheet: SheetAddress;
	values: MatchedValues;
	options: Awaited<ReturnType<typeof upsertOptions.parse>>;
}

/** Look-up of the records of an item by its key. */
export interface KeyLookUp {
	matches: MatchLookUp;
	/** Look-ups that also load the records. */
	together?: LoadTogether;
	/** Loads an existing record for the output of a skipped item. Undefined if it would take a request for each record. */
	loadExisting?: LoadExisting;
}

type LoadExisting = (recordId: string) => Promise<JsonObject | undefined>;

/**
 * Adds an item with Create Only. Returns the look-ups of its key, and of the existing records for the outputs of skipped items.
 * Undefined if the item gives a record ID.
 */
export function prepareCreateOnly(item: Item, input: UpsertInput): KeyLookUp | undefined {
	const { sheet, values, options } = input;
	const loader = storedRecordLoader(item.client, sheet, needsAsReturned(input));
	if (values.recordId) loader.enqueue(values.recordId);
	if (values.recordId !== undefined) return undefined;
	const matches = matchesOf(item, sheet, values);
	// A look-up with a time zone would not find the stored times.
	if (options.dryRun || options.offsetHours !== undefined) return { matches };
	const ofReturned = matchesOf(item, sheet, values, loader);
	const loadExisting = existingRecords(item, input, loadTogether(ofReturned, values.key));
	return { matches, loadExisting };
}

/** Returns a function that loads existing records as an answer to their update returns them. */
export function existingRecords(
	{ client }: Item,
	input: UpsertInput,
	loadReturned?: LoadTogether['loadReturned'],
): LoadExisting {
	const needs = needsAsReturned(input);
	return async (recordId) => {
		const address = { sheet: input.sheet, recordId };
		return await new StoredRecord(client, address, needs, loadReturned).before();
	};
}

/**
 * Returns the output of an item that the mode skips: the first existing record; without one, or if it is not read, only its ID,
 * or null. Throws InputError if the item gives a record ID that does not exist.
 */
export async function skipped(
	item: Item,
	input: UpsertInput,
	[first]: readonly string[],
	loadExisting?: LoadExisting,
): Promise<IDataObject> {
	const { sheet, values, options } = input;
	const changed = changedBy(item, options, []);
	if (first !== undefined && loadExisting) {
		const content = await loadExisting(first).catch(fallbackTo<JsonObject>(new Map()));
		if (!content && values.recordId) throw noSuchRecord(first);
		if (content && content.size > 0 && !options.dryRun) {
			const saved = notWritten(item, input, { recordId: first, content });
			return await savedRecordJson({ item, sheet, ...options }, saved, 'skipped', changed);
		}
	}
	item.run.journalOf(item.index).isDecided = true;
	const json = { _recordId: first === undefined ? null : numberOrText(first), _action: 'skipped' };
	if (options.dryRun) return { ...json, _changes: {} };
	return { ...json, ...(changed && { _changed: changed }) };
}
