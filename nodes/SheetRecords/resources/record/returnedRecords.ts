import type { RecordLoader } from '../../../api/read/recordLoader';
import { storedRecordLoader, type StoredRecordNeeds } from '../../../api/write/storedRecord';
import type { Item } from '../../run/itemContext';
import { isCompared, needsOf, type WriteInput } from './writeInput';

/**
 * Returns the loader for the outputs of unchanged records, which have the keys of updated ones. Undefined if no record can be
 * unchanged, or if the input is compared with the records as returned, so that no other read is needed.
 */
export function returnedLoader(item: Item, input: WriteInput): RecordLoader | undefined {
	return isReadAsReturned(item, input) ? loaderAsReturned(item, input) : undefined;
}

/** Returns whether the output of an unchanged record needs another read (see `returnedLoader`). */
export function isReadAsReturned(item: Item, input: WriteInput): boolean {
	const mayBeUnchanged = isCompared(input) && !input.options.dryRun;
	return mayBeUnchanged && !needsOf(item, input).asReturned;
}

/** Returns the loader for records as the answer to a write returns them. */
export function loaderAsReturned({ client }: Item, input: WriteInput): RecordLoader {
	return storedRecordLoader(client, input.sheet, needsAsReturned(input));
}

/** Returns what outputs need of the records as the answer to a write returns them. */
export function needsAsReturned({ options }: WriteInput): StoredRecordNeeds {
	return { offsetHours: options.offsetHours, asReturned: true };
}

/** Drops the loaded contents of records, unless other items have enqueued them. */
export function releaseRecords(item: Item, input: WriteInput, recordIds: readonly string[]): void {
	const stored = storedRecordLoader(item.client, input.sheet, needsOf(item, input));
	for (const loader of [stored, loaderAsReturned(item, input)]) {
		for (const recordId of recordIds) loader.release(recordId);
	}
}
