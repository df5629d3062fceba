import { ServiceError } from '../http/serviceError';
import type { JsonObject } from '../json/orderedJson';
import { sourceOffset } from '../read/recordKeys';
import { fromServiceDate, toServiceDate } from '../values/dates';
import { InputError } from '../values/inputError';
import { quotedValue } from '../values/singleValue';
import { isBlank } from '../values/text';

/** The last change of a record. */
export interface LastChange {
	/** Date of the change as a sortable text, in the offset of the read. */
	at: string;
	by: string;
}

/** Returns whether an item has the date of its record's last change. */
export function hasChangeDate(item: Readonly<Record<string, unknown>>): boolean {
	const { _update_date: date } = item;
	return date !== '' && changeDateIn(date, sourceOffset(item)) !== undefined;
}

/**
 * Returns the date of an item's `_update_date` as a text that sorts by time. Throws InputError if it is not a date.
 *
 * @param offsetHours offset from UTC with which the item was read; undefined for the account's time zone
 */
export function itemChangeDate(value: unknown, offsetHours: number | undefined): string {
	const date = changeDateIn(value, offsetHours);
	if (date !== undefined) return date;
	const found = isBlank(value) ? '' : `Its _update_date is ${quotedValue(value)}. `;
	throw new InputError(
		'The item does not say when its record was changed last',
		`${found}Keep _update_date of the read as it is, or enter a time of the account, e.g. 2026/01/26 09:00:00.`,
		'readInformation',
	);
}

/** Returns the last change of a record that was read with `info` in the offset. Throws ServiceError if the record does not show it. */
export function lastChangeOf(
	recordId: string,
	content: JsonObject,
	offsetHours: number | undefined,
): LastChange {
	const at = changeDateIn(content.get('_update_date'), offsetHours);
	if (at !== undefined) return { at, by: String(content.get('_update_user') ?? '') };
	throw new ServiceError({
		kind: 'malformed',
		message: `The service does not say when record ${recordId} was last changed`,
		description: 'So it is not known whether somebody else has changed it, and nothing was sent.',
	});
}

/** Returns a date of a change as a text that sorts by time, in the offset from UTC in hours; undefined if it is not a date. */
function changeDateIn(value: unknown, offsetHours: number | undefined): string | undefined {
	const date = typeof value === 'string' ? (fromServiceDate(value) ?? value) : value;
	const inOffset = (hours: number) => toServiceDate(date, { offsetHours: hours }, 'dateTime');
	if (offsetHours !== undefined) return inOffset(offsetHours);
	// A time with an offset cannot be compared with the account's times, because the account's offset is unknown.
	return inOffset(0) === inOffset(1) ? inOffset(0) : undefined;
}
