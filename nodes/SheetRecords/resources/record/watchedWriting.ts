import { fallbackTo } from '../../../api/http/serviceError';
import type { JsonObject } from '../../../api/json/orderedJson';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { lastChangeOf } from '../../../api/write/conflicts';
import type { Writing } from '../../../api/write/records';
import { fetchLastChange } from '../../../api/write/storedRecord';
import type { Item } from '../../run/itemContext';
import { recordKey } from '../../run/savedRecord';

/** Returns the offset from UTC with which an item was read, in hours; undefined for the account's time zone. */
export function readOffset({ record }: Item): number | undefined {
	return typeof record._timeZone === 'number' ? record._timeZone : undefined;
}

/**
 * Returns the options of a write. If 'On Conflict' is set to an error, the change date after each write is stored for the run: the
 * run's own writes, also those of earlier attempts of Retry On Fail, are no conflict. The date is that of the answer. If the
 * answer does not contain it, it is read.
 */
export function watchedWriting<Options extends Writing & { onConflict?: 'error' | 'overwrite' }>(
	item: Item,
	sheet: SheetAddress,
	options: Options,
): Options {
	if (options.onConflict !== 'error') return options;
	const offsetHours = readOffset(item);
	const changeAfterWrite = async (recordId: string, returned: JsonObject | undefined) =>
		returned?.has('_update_date') && options.offsetHours === offsetHours
			? lastChangeOf(recordId, returned, offsetHours)
			: await fetchLastChange(item.client, { sheet, recordId }, offsetHours);
	const afterWrite: Writing['afterWrite'] = async (recordId, returned) => {
		// Without the date, the next write of the run to this record is rejected as a conflict.
		const change = await changeAfterWrite(recordId, returned).catch(fallbackTo(undefined));
		if (!change) return;
		item.run.outcomes.setChangeDate(recordKey(item, sheet, recordId), offsetHours, change.at);
	};
	return { ...options, afterWrite };
}
