import type { Plan } from '../../../api/write/plan';
import type { RecordContent } from '../../../api/write/recordContent';
import { subtableKey } from '../../../api/values/subtableKeys';
import type { Item } from '../../run/itemContext';

/**
 * Notes that the values of an item replace the rows of a record, also if they are unchanged. Returns a warning if the plan deletes
 * rows that an earlier item of the run gave: a table with one row of a subtable in each item keeps only the last of them.
 *
 * @param key key of the record (see `recordKey`)
 */
export function noteReplacedRows(
	item: Item,
	key: string,
	{ rowRules, changes }: RecordContent,
	{ difference }: Pick<Plan, 'difference'>,
): string | undefined {
	if (rowRules?.mode !== 'replace') return undefined;
	const { replacedSubtables } = item.run.journal.ofRecord(key);
	const lost = [...difference.deletedRows.keys()].filter((id) => replacedSubtables.has(id));
	for (const subtableId of changes.subtables.keys()) replacedSubtables.add(subtableId);
	if (lost.length === 0) return undefined;
	return `The rows of ${lost.map(subtableKey).join(', ')} that an earlier item gave for this record were deleted, because Rows Mode Replace keeps only the rows of the last item. Give all rows of a record in one item, or set Rows Mode to Create or Update.`;
}
