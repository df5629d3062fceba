import { isStoredRowId, rowPlace, valuesOf } from '../../api/write/recordContent';
import type { RecordChanges, RecordContent } from '../../api/write/recordContent';
import type { Plan } from '../../api/write/plan';
import { InputError } from '../../api/values/inputError';
import { subtableKey } from '../../api/values/subtableKeys';
import type { Item } from './itemContext';

/** An item that writes. */
export type Writer = Pick<Item, 'index' | 'run'>;

/** Place in a record → text of what an item writes there. */
export type WrittenTexts = ReadonlyMap<string, string>;

/**
 * Notes what an item has written, or found unchanged, after an earlier item failed: n8n may run the failed item again (Retry On
 * Fail, with Continue On Fail).
 *
 * @param key key of the record (see `recordKey`)
 */
export function noteNewerValues(
	{ run, index }: Writer,
	key: string,
	texts: () => WrittenTexts,
): void {
	if (!run.journal.hasFailure) return;
	const { newerValues } = run.journal.ofRecord(key);
	for (const [place, text] of texts()) {
		const isNewest = index >= (newerValues.get(place)?.index ?? 0);
		if (isNewest) newerValues.set(place, { index, text });
	}
}

/** Throws InputError if an item would change what a later item has written or found unchanged. */
export function requireNewestValues(
	{ run, index }: Writer,
	key: string,
	texts: () => WrittenTexts,
): void {
	const { newerValues } = run.journal.ofRecord(key);
	for (const [place, text] of newerValues.size > 0 ? texts() : []) {
		const newer = newerValues.get(place);
		if (!newer || newer.index < index || newer.text === text) continue;
		throw new InputError(
			'A later item has other values for the same fields or rows of this record, so this item was not written',
			'It had failed in an earlier attempt of Retry On Fail. If its values are right, run the node again for it alone.',
		);
	}
}

/** Returns a text for each value of the record and of its stored rows, for each of these rows, and for each deleted row. */
export function writtenTexts(changes: RecordChanges): Map<string, string> {
	const texts = new Map<string, string>();
	for (const { fieldId, rowId = '', subtableId, value } of valuesOf(changes)) {
		if (!isStoredRowId(rowId)) continue;
		texts.set([fieldId, rowId, subtableId].join(), JSON.stringify(value));
		if (rowId !== '') texts.set(rowPlace(subtableId, rowId), 'changed');
	}
	for (const [subtableId, rowIds] of changes.deletedRows) {
		for (const rowId of rowIds) texts.set(rowPlace(subtableId, rowId), 'deleted');
	}
	return texts;
}

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
