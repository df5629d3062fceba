import { fallbackTo } from '../../../api/http/serviceError';
import type { JsonObject } from '../../../api/json/orderedJson';
import { sourceOffset, sourceRecordId } from '../../../api/read/recordKeys';
import { InputError } from '../../../api/values/inputError';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { hasChangeDate, itemChangeDate, lastChangeOf } from '../../../api/write/conflicts';
import type { LastChange } from '../../../api/write/conflicts';
import type { Writing } from '../../../api/write/records';
import { fetchLastChange, type StoredRecord } from '../../../api/write/storedRecord';
import type { Item } from '../../run/itemContext';
import type { DatedChange } from '../../run/runJournal';
import { recordKey } from '../../run/savedRecord';

export type ConflictOption = 'error' | 'overwrite' | undefined;

/**
 * Returns whether changes of the record since the item was read are looked for: 'On Conflict' is set to an error, or the item has
 * the date of its record's last change.
 */
export function isWatched(item: Item, onConflict: ConflictOption): boolean {
	return onConflict === 'error' || hasChangeDate(item.record);
}

/**
 * Returns the options of a write. If the record is watched (see `isWatched`), the change date after each write is stored for the
 * run: the run's own writes, also those of earlier attempts of Retry On Fail, are no conflict. The date is that of the answer. If
 * the answer does not contain it, and a conflict is an error, it is read.
 */
export function watchedWriting<Options extends Writing & { onConflict?: ConflictOption }>(
	item: Item,
	sheet: SheetAddress,
	options: Options,
): Options {
	const { offsetHours, onConflict } = options;
	if (!isWatched(item, onConflict)) return options;
	const changeAfterWrite = async (recordId: string, returned: JsonObject | undefined) => {
		if (returned?.has('_update_date')) return lastChangeOf(recordId, returned, offsetHours);
		if (onConflict !== 'error') return undefined;
		return await fetchLastChange(item.client, { sheet, recordId }, offsetHours);
	};
	const afterWrite: Writing['afterWrite'] = async (recordId, returned) => {
		// If the date is unknown, the next write of the run to this record is rejected as a conflict.
		const change = await changeAfterWrite(recordId, returned).catch(fallbackTo(undefined));
		const history = item.run.journal.ofRecord(recordKey(item, { sheet, recordId }));
		if (change) history.ownChange = { ...change, offsetHours };
		history.isLastWriteUndated = change === undefined;
	};
	return { ...options, afterWrite };
}

/**
 * Looks for a change by somebody else since the item was read. Throws InputError if there is one and 'On Conflict' is set to an
 * error. Otherwise returns a warning; undefined if there is no such change, or if the item does not say when it was read.
 */
export async function changeWarning(
	item: Item,
	stored: StoredRecord,
	{ onConflict, dryRun }: { onConflict?: ConflictOption; dryRun?: boolean },
): Promise<string | undefined> {
	const { record } = item;
	const { recordId } = stored.address;
	const key = recordKey(item, stored.address);
	const { isLastWriteUndated } = item.run.journal.ofRecord(key);
	const isError = onConflict === 'error';
	// If the date of the run's own write is not known, that write must not be taken for a change by somebody else.
	if (!isError && (isLastWriteUndated || !mayWarn(item, stored))) return undefined;
	const finding = changeByOthers(item, key, async (hours) => await stored.lastChange(hours));
	const change = await (isError ? finding : finding.catch(fallbackTo(undefined)));
	if (!change) return undefined;
	const what = `Record ${recordId} was changed by ${change.by || 'somebody'} at ${change.at}, after it was read for this item (${String(record._update_date)})`;
	if (!isError)
		return `${what}. The values of this item ${dryRun ? 'would be' : 'were'} written anyway.`;
	throw new InputError(
		what,
		'The record was not written. Read it again and decide which values to keep.',
	);
}

/** Returns whether an output warns of changes since the item was read: the item has their date, and is of the same record. */
function mayWarn(item: Item, { address }: StoredRecord): boolean {
	const sourceId = sourceRecordId(item.record) ?? address.recordId;
	return hasChangeDate(item.record) && sourceId === address.recordId;
}

/**
 * Returns the last change of a record by somebody else since the item was read; undefined if there is no such change. The run's
 * own writes are left out, but not a change before them. Throws InputError if the item does not say when its record was changed
 * last, and the errors of `lastChange`.
 *
 * @param key key of the record (see `recordKey`)
 * @param lastChange returns the last change of the stored record, with its date in the offset
 */
async function changeByOthers(
	item: Item,
	key: string,
	lastChange: (offsetHours: number | undefined) => Promise<LastChange | undefined>,
): Promise<LastChange | undefined> {
	const history = item.run.journal.ofRecord(key);
	const { ownChange: own } = history;
	const known = own ?? changeOf(item);
	const { offsetHours } = known;
	const change = await lastChange(offsetHours);
	const isNew = change !== undefined && isAfter(change, known);
	if (change && (isNew || !own)) history.foreignChange = { ...change, offsetHours };
	if (isNew) return change;

	const { foreignChange: foreign } = history;
	if (!own || !foreign) return undefined;
	const read = changeOf(item);
	return foreign.offsetHours === read.offsetHours && isAfter(foreign, read) ? foreign : undefined;
}

/** Returns whether a change is later than a known one. A change by another user within the same second is later, too. */
function isAfter(change: LastChange, known: LastChange): boolean {
	if (change.at !== known.at) return change.at > known.at;
	return change.by !== '' && known.by !== '' && change.by !== known.by;
}

/** Returns the last change of the record when the item was read. Throws InputError if the item does not contain it. */
function changeOf({ record }: Item): DatedChange {
	const offsetHours = sourceOffset(record);
	const by = typeof record._update_user === 'string' ? record._update_user : '';
	return { at: itemChangeDate(record._update_date, offsetHours), by, offsetHours };
}
