import { kindIn } from '../../../api/sheet/kinds/valueKinds';
import type { ReadOptions } from '../../../api/read/readOptions';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { isBlank } from '../../../api/values/text';
import { valuesOf, type RecordContent } from '../../../api/write/recordContent';
import type { Writing } from '../../../api/write/records';
import type { StoredRecordNeeds } from '../../../api/write/storedRecord';
import type { FilesMode } from '../../files/fieldFiles';
import type { Item } from '../../run/itemContext';
import { isWatched } from './ownChanges';

/** Values of an item for records of a sheet, and the options of the write. */
export interface WriteInput {
	sheet: SheetAddress;
	values: RecordContent & { matchFieldIds?: readonly string[] };
	options: Writing & {
		naming: ReadOptions['naming'];
		dryRun?: boolean;
		onConflict?: 'error' | 'overwrite';
		skipUnchanged?: boolean;
		filesMode?: FilesMode;
		rowsMode?: 'append' | 'replace' | 'upsert';
	};
}

/**
 * Returns `_changed` of an output: the changed fields, or null if they are not known. Undefined if the options of the items do not
 * make the node read the stored records.
 *
 * @param changed the changed fields; undefined if they are not known
 */
export function changedBy(
	item: Item,
	{ skipUnchanged, rowsMode = 'append', onConflict }: WriteInput['options'],
	changed: readonly string[] | undefined,
): readonly string[] | null | undefined {
	const isWatched = onConflict === 'error' || item.run.hasChangeDates;
	const isRead = skipUnchanged === true || rowsMode !== 'append' || isWatched;
	return isRead ? (changed ?? null) : undefined;
}

/** Returns whether a record that holds all values of the input is not written. New files are always written. */
function maySkip({ values, options }: WriteInput): boolean {
	return options.skipUnchanged === true && !options.dryRun && values.files.length === 0;
}

/** Returns whether the write depends on the stored record. */
export function isCompared(input: WriteInput): boolean {
	const { values, options } = input;
	return maySkip(input) || values.rowRules !== undefined || options.dryRun === true;
}

/**
 * Returns whether the stored record is loaded right before the write: a conflict is an error, and neither Skip Unchanged nor Dry
 * Run loads the records of all items together.
 */
export function isReadSingly({
	options: { onConflict, skipUnchanged, dryRun },
}: WriteInput): boolean {
	return onConflict === 'error' && !skipUnchanged && !dryRun;
}

/** Returns what an update needs of the stored record. */
export function needsOf(item: Item, input: WriteInput): StoredRecordNeeds {
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
