import { fallbackTo } from '../../../api/http/serviceError';
import type { JsonObject } from '../../../api/json/orderedJson';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { itemChangeDate as changeDateOf, lastChangeOf } from '../../../api/write/conflicts';
import type { Writing } from '../../../api/write/records';
import { fetchLastChange } from '../../../api/write/storedRecord';
import type { Item } from '../../run/itemContext';
import type { ChangeDate } from '../../run/run';
import { recordKey } from '../../run/savedRecord';

/** Returns the time of the last change of the record when the item was read. Throws InputError if the item does not contain it. */
export function itemChangeDate({ record }: Item): ChangeDate {
	const offsetHours = typeof record._timeZone === 'number' ? record._timeZone : undefined;
	return { at: changeDateOf(record._update_date, offsetHours), offsetHours };
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
	const { offsetHours } = options;
	const changeAfterWrite = async (recordId: string, returned: JsonObject | undefined) =>
		returned?.has('_update_date')
			? lastChangeOf(recordId, returned, offsetHours)
			: await fetchLastChange(item.client, { sheet, recordId }, offsetHours);
	const afterWrite: Writing['afterWrite'] = async (recordId, returned) => {
		// Without the date, the next write of the run to this record is rejected as a conflict.
		const change = await changeAfterWrite(recordId, returned).catch(fallbackTo(undefined));
		if (!change) return;
		const { at } = change;
		item.run.outcomes.ownChanges.set(recordKey(item, sheet, recordId), { at, offsetHours });
	};
	return { ...options, afterWrite };
}
