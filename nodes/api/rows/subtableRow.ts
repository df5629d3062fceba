import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import type { FieldValue, FieldValues } from '../write/recordChanges';

/**
 * The ids that the service gave to new rows. Its answer does not say which is which: new rows have the
 * newest ids and hold what was written. Where another row might be meant as well, as when somebody adds a
 * row at the same time, no id is better than a wrong one.
 *
 * @param known ids of rows that the record held before, as far as they are known
 * @returns an id for each row; undefined where the answer leaves a doubt
 */
export function newRowIds(
	saved: JsonObject,
	rows: readonly FieldValues[],
	known: ReadonlySet<string> = new Set(),
): Array<string | undefined> {
	const ids = [...saved.keys()].filter((id) => /^\d+$/.test(id) && !known.has(id)).sort(byNumber);
	const newest = ids.slice(-rows.length);
	const holders = rows.map((values) => ids.filter((id) => holds(saved.get(id), values)));
	const isSettled = new Set(holders.flat()).size === rows.length;
	const inOrder = rows.every((_, index) => holders[index]?.includes(newest[index] ?? ''));
	if (isSettled && inOrder) return newest;
	return holders.map(([id, ...others], index) => {
		const isOnlyOne = others.length === 0 && id !== undefined && newest.includes(id);
		const isSought = holders.some((ids, other) => other !== index && ids.includes(id ?? ''));
		return isOnlyOne && !isSought ? id : undefined;
	});
}

function byNumber(left: string, right: string): number {
	return left.length - right.length || (left < right ? -1 : 1);
}

function holds(row: JsonValue | undefined, values: FieldValues): boolean {
	return (
		isJsonObject(row) &&
		[...values].every(([fieldId, value]) => isSameText(row.get(fieldId), value))
	);
}

/** Numbers may come back in another form, such as 2.00 for 2. */
function isSameText(saved: JsonValue | undefined, written: FieldValue): boolean {
	const savedText = Array.isArray(saved) ? saved.map(String).join() : String(saved ?? '');
	const writtenText = Array.isArray(written) ? written.join() : String(written);
	if (savedText === writtenText) return true;
	return writtenText.trim() !== '' && savedText !== '' && Number(savedText) === Number(writtenText);
}
