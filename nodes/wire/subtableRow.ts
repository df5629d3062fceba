import { isJsonObject } from './orderedJson';
import type { JsonObject, JsonValue } from './orderedJson';
import { numberOrText, plain } from './record';
import type { PlainObject, RecordShape } from './record';
import type { FieldValue, FieldValues } from './recordChanges';

/** A row as an item: `_rowId`, then its fields. */
export function rowJson(rowId: string, row: JsonObject, shape: RecordShape = {}): PlainObject {
	const json: PlainObject = { _rowId: numberOrText(rowId) };
	for (const [key, value] of row) {
		if (key !== '_svcId' && key !== '_ragicId') json[key] = plain(value, shape);
	}
	return json;
}

/**
 * The ids that the service gave to new rows. Its answer does not say which is which: the newest ids, in
 * their order, are those of the rows in the order in which they were sent, if they hold what was written.
 *
 * @returns an id for each row; undefined where the answer leaves a doubt
 */
export function newRowIds(
	saved: JsonObject,
	rows: readonly FieldValues[],
): Array<string | undefined> {
	const newest = [...saved.keys()]
		.filter((id) => /^\d+$/.test(id))
		.sort((left, right) => left.length - right.length || (left < right ? -1 : 1))
		.slice(-rows.length);
	const fits =
		newest.length === rows.length &&
		rows.every((values, index) => holds(saved.get(newest[index] ?? ''), values));
	return rows.map((_, index) => (fits ? newest[index] : undefined));
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
