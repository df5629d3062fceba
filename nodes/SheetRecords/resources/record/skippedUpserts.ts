import type { IDataObject } from 'n8n-workflow';
import { fallbackTo } from '../../../api/http/serviceError';
import type { JsonObject } from '../../../api/json/orderedJson';
import { numberOrText } from '../../../api/read/record';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import type { MatchLookUp } from '../../../api/write/match';
import { noSuchRecord } from '../../parameters/record';
import type { MatchedValues } from '../../parameters/recordValues';
import type { upsertOptions } from '../../parameters/writeOptions';
import type { Item } from '../../run/itemContext';
import { matchesOf } from './matchGroups';
import { loadAsReturned, loaderAsReturned, notWrittenJson } from './notWritten';
import { changedBy, type LoadTogether } from './writeInput';

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
	together: LoadTogether;
}

/**
 * Adds an item with Create Only. Returns the look-ups of its key, and of the existing records for the outputs of skipped items.
 * Undefined if the item gives a record ID.
 */
export function prepareCreateOnly(item: Item, input: UpsertInput): KeyLookUp | undefined {
	const { sheet, values, options } = input;
	const loader = loaderAsReturned(item, input);
	if (values.recordId) loader.enqueue(values.recordId);
	if (values.recordId !== undefined) return undefined;
	const matches = matchesOf(item, sheet, values);
	// A look-up with a time zone would not find the stored times.
	if (options.dryRun || options.offsetHours !== undefined) return { matches, together: {} };
	const ofReturned = matchesOf(item, sheet, values, loader);
	const loadReturned = async () => await ofReturned.primeLoader(values.key);
	return { matches, together: { loadReturned } };
}

/**
 * Returns the output of an item that the mode skips: the first existing record; without one, or if it is not read, only its ID,
 * or null. Throws InputError if the item gives a record ID that does not exist.
 */
export async function skipped(
	item: Item,
	input: UpsertInput,
	[first]: readonly string[],
	together: LoadTogether = {},
): Promise<IDataObject> {
	const { dryRun } = input.options;
	// A look-up for many records is needed, because reading each record by itself would take a request.
	const isLoaded = input.values.recordId !== undefined || together.loadReturned !== undefined;
	if (first !== undefined && isLoaded) {
		const content = await loadSkipped(item, input, first, together);
		const record = { recordId: first, content };
		if (content.size > 0 && !dryRun) return await notWrittenJson(item, input, record, 'skipped');
	}
	item.run.journalOf(item.index).isDecided = true;
	const json = { _recordId: first === undefined ? null : numberOrText(first), _action: 'skipped' };
	if (dryRun) return { ...json, _changes: {} };
	const changed = changedBy(item, input.options, []);
	return { ...json, ...(changed && { _changed: changed }) };
}

/** Loads the existing record of a skipped item; an empty one if it cannot be read. Throws as `skipped`. */
async function loadSkipped(
	item: Item,
	input: UpsertInput,
	recordId: string,
	together: LoadTogether,
): Promise<JsonObject> {
	const unreadable: JsonObject = new Map();
	const loading = loadAsReturned(item, input, recordId, { ...together, required: 'recent' });
	const content = await loading.catch(fallbackTo(unreadable));
	if (!content && input.values.recordId) throw noSuchRecord(recordId);
	return content ?? unreadable;
}
