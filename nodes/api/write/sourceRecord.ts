import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { rowsOf, withRows } from '../read/record';
import { mayBeUnchanged } from '../sheet/kinds/valueKinds';
import type { FieldValue } from '../sheet/kinds/valueChecks';
import { fromServiceDate, hoursBetween, storedTime } from '../values/dates';

/** The content of the record from which an item was read, or of one of its rows. */
export interface SourceRecord {
	stored: JsonObject;
	/** The same content, with times in the time zone of the item. */
	asRead: JsonObject;
}

/** Returns the row that values were read from; the record and all of its rows if the row is unknown. */
export function sourceRowsOf(
	source: SourceRecord | undefined,
	subtableId = '',
	rowId = '',
): SourceRecord[] {
	if (!source) return [];
	const { stored, asRead } = source;
	const rowIn = (record: JsonObject) => rowsOf(record, subtableId)?.get(rowId);
	const row = rowIn(stored);
	const rowAsRead = rowIn(asRead);
	if (isJsonObject(row))
		return [{ stored: row, asRead: isJsonObject(rowAsRead) ? rowAsRead : row }];
	const allAsRead = [...withRows(asRead)];
	return [...withRows(stored)].map((content, index) => ({
		stored: content,
		asRead: allAsRead[index] ?? content,
	}));
}

/** Returns the stored value that was read as this value, exactly or in another format; undefined if no row has it. */
export function storedValueFor(
	rows: readonly SourceRecord[],
	fieldId: string,
	value: unknown,
): FieldValue | undefined {
	const input = Array.isArray(value) ? value.map(String) : String(value);
	const candidates = rows
		.map(({ stored }) => stored.get(fieldId))
		.filter((stored) => mayBeUnchanged(stored, input));
	const exact = candidates.find((stored) => String(stored) === String(input));
	return fieldValueOf(exact ?? candidates[0]);
}

function fieldValueOf(stored: JsonValue | undefined): FieldValue | undefined {
	if (Array.isArray(stored)) return stored.map(String);
	return stored === null || isJsonObject(stored) ? undefined : stored;
}

/**
 * Returns the stored form of a time in another time zone: from a row that has this time, or calculated from the hours between
 * stored and returned times. Undefined if the hours are unknown.
 */
export function unshiftedTime(
	fieldId: string,
	value: unknown,
	offsetHours: number,
	rows: readonly SourceRecord[],
): string | undefined {
	const times = rows.map(
		({ stored, asRead }) => [stored.get(fieldId), asRead.get(fieldId)] as const,
	);
	const isReadAs = (time: JsonValue | undefined) =>
		typeof time === 'string' && [time, fromServiceDate(time, offsetHours)].includes(String(value));
	const unchanged = times.find(([, readTime]) => isReadAs(readTime))?.[0];
	if (typeof unchanged === 'string') return unchanged;
	const hours = times.map(([stored, readTime]) => hoursBetween(stored, readTime));
	return storedTime(value, offsetHours, hours.find((known) => known !== undefined) ?? NaN);
}
