import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import type { FieldValues } from '../write/recordContent';
import { sameIn } from '../write/sameValue';

/**
 * Returns the ids that the service gave to new rows, undefined where the answer leaves a doubt. The answer does not
 * tell which is which: new rows have the newest ids and hold what was written. Where another row may be meant, as
 * when somebody adds a row at the same time, no id is better than a wrong one.
 *
 * @param known ids of rows that the record held before, as far as they are known
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
	if (!isJsonObject(row)) return false;
	return [...values].every(([id, value]) => sameIn(row.get(id) ?? '', value) !== undefined);
}
