import { sourceOffset } from '../../../api/read/recordKeys';
import type { Plan } from '../../../api/write/plan';
import { contentFor } from '../../../api/write/recordContent';
import { StoredRecord } from '../../../api/write/storedRecord';
import type { Item } from '../../run/itemContext';
import { recordKey } from '../../run/savedRecord';
import { mayWarn } from './ownChanges';
import { isReadAsReturned, needsAsReturned } from './returnedRecords';
import { isCompared, isReadSingly, needsOf, type WriteInput } from './writeInput';

/** An update of one record by one item. */
export interface RecordUpdate {
	item: Item;
	input: WriteInput;
	stored: StoredRecord;
	/** Key of the record (see `recordKey`). */
	key: string;
	reading: Reading;
	/** The record as an answer to its update returns it, for the output if it is unchanged. Undefined if `stored` is enough. */
	returned?: StoredRecord;
	together: LoadTogether;
	/** Plan from the first read of the stored record. */
	firstPlan?: Promise<Plan>;
}

/** Functions that load a record and others with fewer requests than by IDs. */
export interface LoadTogether {
	/** Loads the stored records again. */
	reload?: () => Promise<unknown>;
	/** Loads the records as returned (see `returnedLoader`). */
	loadReturned?: () => Promise<unknown>;
}

/**
 * Way to read the stored record before the write: not at all, by itself right before the write, in the same way but without an
 * error if it fails, or together with the records of other items.
 */
type Reading = 'none' | 'single' | 'singleIfPossible' | 'together';

/** Returns the update of a record. */
export function recordUpdate(
	item: Item,
	recordId: string,
	input: WriteInput,
	together: LoadTogether = {},
): RecordUpdate {
	const { client } = item;
	const address = { sheet: input.sheet, recordId };
	const stored = new StoredRecord(client, address, needsOf(item, input), together.reload);
	const returned = isReadAsReturned(item, input)
		? new StoredRecord(client, address, needsAsReturned(input), together.loadReturned)
		: undefined;
	const key = recordKey(item, address);
	const reading = readingOf(item, input, stored);
	const values = contentFor(recordId, input.values);
	return { item, input: { ...input, values }, stored, key, reading, returned, together };
}

/**
 * Returns how the stored record is read. A read is needed if the write depends on the record, or for the date of its last change.
 * In the latter case, the error of a read is only thrown if a conflict is an error.
 */
function readingOf(item: Item, input: WriteInput, stored: StoredRecord): Reading {
	const isSingle = isReadSingly(input);
	if (isCompared(input)) return isSingle ? 'single' : 'together';
	// The change date of an item that was read with a UTC offset is not the stored one.
	const hasDate = sourceOffset(item.record) === undefined;
	if (!hasDate || input.options.skipUnchanged) return 'none';
	if (isSingle) return 'single';
	return mayWarn(item, stored) ? 'singleIfPossible' : 'none';
}
