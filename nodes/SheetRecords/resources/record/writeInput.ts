import type { ReadOptions } from '../../../api/read/readOptions';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import type { RecordContent } from '../../../api/write/recordContent';
import type { Writing } from '../../../api/write/records';
import type { FilesMode } from '../../files/fieldFiles';
import type { Item } from '../../run/itemContext';

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
