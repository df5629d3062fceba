import type { Plan } from '../../../api/write/plan';
import { isStoredRowId, valuesOf, type RecordChanges } from '../../../api/write/recordContent';
import { InputError } from '../../../api/values/inputError';
import type { Item } from '../../run/itemContext';

/**
 * Notes the values that an item has written after an earlier item failed: n8n may run the failed item again (Retry On Fail, with
 * Continue On Fail).
 *
 * @param key key of the record (see `recordKey`)
 */
export function noteNewerValues({ run, index }: Item, key: string, { content }: Plan): void {
	if (!run.journal.hasFailure) return;
	const { newerValues } = run.journal.ofRecord(key);
	for (const [place, text] of textsIn(content.changes)) newerValues.set(place, { index, text });
}

/** Throws InputError if the plan would change a value that a later item has written. */
export function requireNewestValues({ run, index }: Item, key: string, { difference }: Plan): void {
	const { newerValues } = run.journal.ofRecord(key);
	if (newerValues.size === 0) return;
	const isOlder = ([place, text]: readonly [string, string]) => {
		const newer = newerValues.get(place);
		return newer !== undefined && newer.index > index && newer.text !== text;
	};
	if (!textsIn(difference).some(isOlder)) return;
	throw new InputError(
		'A later item has written other values to the same fields of this record, so this item was not written',
		'This item had failed in an earlier attempt of Retry On Fail. If its values are right, run the node again for it alone.',
	);
}

/** Returns a key and a text for each value of the record and of its stored rows. */
function textsIn(changes: RecordChanges): Array<readonly [place: string, text: string]> {
	return [...valuesOf(changes)].flatMap(({ fieldId, rowId, subtableId, value }) =>
		rowId === undefined || isStoredRowId(rowId)
			? [[[fieldId, rowId, subtableId].join(), JSON.stringify(value)] as const]
			: [],
	);
}
