import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { dateForm, valueKind } from '../schema/fieldTypes';
import { dateTimeForm, numberForm, switchForm } from '../values/normalForm';
import { subtableKey } from '../values/subtableKeys';
import { isMasked } from '../values/text';
import type { FieldValue, FieldValues, RecordChanges } from './recordContent';

/** Types by field id, as far as they are known. */
export type TypesByField = ReadonlyMap<string, string | undefined>;

/** The fields in which two values are the same: all of them, or those of one kind. */
type SameIn = 'all' | 'date' | 'list' | 'number' | 'switch';

/**
 * Whether a record holds all that would be written, so that the write can be skipped. Texts are the same to the
 * letter; numbers, dates and switches also in other spellings, in fields that are known to hold such; multiple
 * selections in any order. In doubt they differ: a masked value, a hidden one, a new row, a row to delete.
 *
 * @param record read by field ids, as it is stored: with raw markup, and unmasked where the user may
 * @param typesOf called only where types decide
 */
export async function holdsChanges(
	record: JsonObject,
	{ fields, subtables, deletedRows }: RecordChanges,
	typesOf: () => Promise<TypesByField>,
): Promise<boolean> {
	if (deletedRows.size > 0) return false;
	const written: Array<[stored: JsonValue | undefined, values: FieldValues]> = [[record, fields]];
	for (const [subtableId, rows] of subtables) {
		const stored = record.get(subtableKey(subtableId));
		for (const [rowId, values] of rows) {
			written.push([isJsonObject(stored) ? stored.get(rowId) : undefined, values]);
		}
	}
	const open: Array<[fieldId: string, sameIn: SameIn]> = [];
	for (const [stored, values] of written) {
		if (!isJsonObject(stored)) return false;
		for (const [fieldId, value] of values) {
			const own = stored.get(fieldId);
			const same = isMasked(own) ? undefined : sameIn(own, value);
			if (!same) return false;
			if (same !== 'all') open.push([fieldId, same]);
		}
	}
	if (open.length === 0) return true;
	const types = await typesOf();
	return open.every(([fieldId, same]) => isSameByType(same, types.get(fieldId)));
}

/** Whether values that are the same in certain fields are so in a field of the type. */
export function isSameByType(same: SameIn | undefined, type: string | undefined): boolean {
	return same === 'all' || same === (dateForm(type) ? 'date' : valueKind(type));
}

/** Returns in which fields a stored value is the same as a written one; undefined when in none. */
export function sameIn(stored: JsonValue | undefined, written: FieldValue): SameIn | undefined {
	if (Array.isArray(stored)) return areSameChoices(stored, written) ? 'all' : undefined;
	const text = textOf(stored);
	if (text === undefined) return undefined;
	if (Array.isArray(written)) {
		if (written.length === 0) return text === '' ? 'all' : undefined;
		// One choice may be shown without a list.
		return written.length === 1 && text === written[0] ? 'list' : undefined;
	}
	const other = String(written);
	if (text === other) return 'all';
	const isSameBy = (form: (text: string) => string | undefined) =>
		form(text) !== undefined && form(text) === form(other);
	if (isSameBy(dateTimeForm)) return 'date';
	if (isSameBy(switchForm)) return 'switch';
	// How the service reads separators of thousands is not known.
	return !other.includes(',') && isSameBy(numberForm) ? 'number' : undefined;
}

/** Compares a selection with several choices; what is stored as one choice may be any text. */
function areSameChoices(stored: readonly JsonValue[], written: FieldValue): boolean {
	const choices = Array.isArray(written) ? written : written === '' ? [] : [String(written)];
	const own = stored.map((choice) => textOf(choice) ?? '').sort();
	const others = [...choices].sort();
	return own.length === others.length && own.every((choice, index) => choice === others[index]);
}

/** Undefined for what no text is the same as. */
function textOf(value: JsonValue | undefined): string | undefined {
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	return typeof value === 'string' ? value : undefined;
}
