import { kindIn } from '../../../api/sheet/kinds/valueKinds';
import { sourceOffset, sourceRecordId } from '../../../api/read/recordKeys';
import type { RecordLoader } from '../../../api/read/recordLoader';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { isBlank } from '../../../api/values/text';
import { hasChangeDate } from '../../../api/write/conflicts';
import { valuesOf } from '../../../api/write/recordContent';
import { storedRecordLoader, type StoredRecordNeeds } from '../../../api/write/storedRecord';
import type { Item } from '../../run/itemContext';
import { isWatched } from './ownChanges';
import type { WriteInput } from './writeInput';

/** Reads of stored records for the write of an item. */
export interface RecordReads {
	/** Whether the write depends on the stored record. */
	isCompared: boolean;
	before: ReadBefore;
	/** Record that the item was read from, if it is known. `singleIfPossible` is meant for no other one. */
	sourceId?: string;
	/** Parts of the stored record that an update needs. */
	stored: StoredRecordNeeds;
	/** See `needsAsReturned`. */
	asReturned: StoredRecordNeeds;
	/** Whether an unchanged record is read once more for its output, because `stored` is not enough. */
	readsUnchanged: boolean;
}

/**
 * Way to read the stored record before the write: not at all, by itself right before the write, in the same way but without an
 * error if it fails, or together with the records of other items.
 */
type ReadBefore = 'none' | 'single' | 'singleIfPossible' | 'together';

/** Returns the reads of stored records for the write of an item. */
export function recordReads(item: Item, input: WriteInput): RecordReads {
	const { values, options } = input;
	const { dryRun } = options;
	const isCompared = maySkip(input) || values.rowRules !== undefined || dryRun === true;
	const stored = needsOf(item, input);
	return {
		isCompared,
		before: readBefore(item, input, isCompared),
		sourceId: sourceRecordId(item.record),
		stored,
		asReturned: needsAsReturned(input),
		readsUnchanged: !dryRun && !stored.asReturned,
	};
}

/**
 * Returns how the stored record is read. A read is needed if the write depends on the record, or for the date of its last change.
 * In the latter case, the error of a read is only thrown if a conflict is an error.
 */
function readBefore({ record }: Item, { options }: WriteInput, isCompared: boolean): ReadBefore {
	const { onConflict, skipUnchanged, dryRun } = options;
	// Skip Unchanged and Dry Run load the records of all items together.
	const isSingle = onConflict === 'error' && !skipUnchanged && !dryRun;
	if (isCompared) return isSingle ? 'single' : 'together';
	// The change date of an item that was read with a UTC offset is not the stored one.
	if (sourceOffset(record) !== undefined || skipUnchanged) return 'none';
	if (isSingle) return 'single';
	return hasChangeDate(record) ? 'singleIfPossible' : 'none';
}

/** Returns whether a record that holds all values of the input is not written. New files are always written. */
function maySkip({ values, options }: WriteInput): boolean {
	return options.skipUnchanged === true && !options.dryRun && values.files.length === 0;
}

function needsOf(item: Item, input: WriteInput): StoredRecordNeeds {
	const { changes, files } = input.values;
	const { offsetHours, dryRun, onConflict, skipUnchanged } = input.options;
	const hasRowChanges = changes.subtables.size + changes.deletedRows.size > 0;
	const hasRowFiles = files.some(({ rowId }) => rowId !== undefined);
	// If a conflict is an error, an update with Skip Unchanged reads the last change again right before the write.
	const isRereadLater = onConflict === 'error' && skipUnchanged === true && !dryRun;
	return {
		withoutSubtables: !dryRun && !hasRowChanges && !hasRowFiles,
		withInformation: isWatched(item, onConflict) && !isRereadLater,
		// A read with an offset shows other times than the stored ones.
		asReturned: maySkip(input) && offsetHours === undefined && showsStored(input),
	};
}

/** Returns whether a record as returned has the stored values of all fields in the input: none is masked or rich text, or may be. */
function showsStored({ values: { changes, kinds, matchFieldIds = [] } }: WriteInput): boolean {
	// Any form of a record shows whether a field is empty.
	const filled = [...valuesOf(changes)].filter(({ value }) => !isBlank(value));
	const fieldIds = filled.map(({ fieldId }) => fieldId);
	return [...fieldIds, ...matchFieldIds].every(
		(fieldId) => !kindIn(kinds, { fieldId }).is('masked', 'richText', 'unknown'),
	);
}

/** Returns what an output needs of a record that is not written, to have the keys of an updated one. */
export function needsAsReturned({ options }: WriteInput): StoredRecordNeeds {
	return { offsetHours: options.offsetHours, asReturned: true };
}

/**
 * Returns the loader for the outputs of unchanged records, which have the keys of updated ones. Undefined if they are not read once
 * more.
 */
export function returnedLoader(
	{ client }: Item,
	sheet: SheetAddress,
	{ readsUnchanged, asReturned }: RecordReads,
): RecordLoader | undefined {
	return readsUnchanged ? storedRecordLoader(client, sheet, asReturned) : undefined;
}

/** Drops the loaded contents of records, unless other items have enqueued them. */
export function releaseRecords(
	{ client }: Item,
	sheet: SheetAddress,
	{ stored, asReturned }: RecordReads,
	recordIds: readonly string[],
): void {
	for (const needs of [stored, asReturned]) {
		const loader = storedRecordLoader(client, sheet, needs);
		for (const recordId of recordIds) loader.release(recordId);
	}
}
