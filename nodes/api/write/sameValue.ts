import { getOrInsert } from '../json/objects';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import { dateForm, valueKind } from '../schema/fieldTypes';
import { dateTimeForm, numberForm, switchForm } from '../values/normalForm';
import { isMasked } from '../values/text';
import { noChanges, type FieldValue, type FieldValues, type RecordChanges } from './recordContent';

/** Returns types by field id, as far as they are known; called only where types decide. */
export type TypesOf = () => Promise<ReadonlyMap<string, string | undefined>>;

/** The fields in which two values are the same: all of them, or those of one kind. */
type SameIn = 'all' | 'date' | 'list' | 'number' | 'switch';

/**
 * Returns those of the changes that differ from a record as it is stored. Texts are the same to the letter; numbers, dates
 * and switches also in other spellings, in fields that are known to hold such; multiple selections in any order. In doubt
 * they differ: what is masked or not shown.
 */
export async function differingChanges(
	record: JsonObject,
	{ fields, subtables, deletedRows }: RecordChanges,
	typesOf: TypesOf,
): Promise<RecordChanges> {
	const result = { ...noChanges(), fields: await differingValues(record, fields, typesOf) };
	for (const [subtableId, rows] of subtables) {
		for (const [rowId, values] of rows) {
			const stored = rowsOf(record, subtableId)?.get(rowId);
			const differing = await differingValues(stored, values, typesOf);
			if (differing.size === 0) continue;
			getOrInsert(result.subtables, subtableId, () => new Map()).set(rowId, differing);
		}
	}
	for (const [subtableId, rowIds] of deletedRows) {
		const stored = rowsOf(record, subtableId);
		const left = stored ? rowIds.filter((rowId) => stored.has(rowId)) : rowIds;
		if (left.length > 0) result.deletedRows.set(subtableId, left);
	}
	return result;
}

/** Returns those of the values that differ from a record or a row. */
export async function differingValues(
	stored: JsonValue | undefined,
	values: FieldValues,
	typesOf: TypesOf,
): Promise<FieldValues> {
	const result: FieldValues = new Map();
	for (const [fieldId, value] of values) {
		const own = isJsonObject(stored) ? stored.get(fieldId) : undefined;
		const same = isMasked(own) ? undefined : sameIn(own, value);
		if (!(await isSame(same, fieldId, typesOf))) result.set(fieldId, value);
	}
	return result;
}

/** Whether a stored value is the one to match on, or has it among its choices. */
export async function isMatch(
	stored: JsonValue | undefined,
	wanted: FieldValue,
	fieldId: string,
	typesOf: TypesOf,
): Promise<boolean> {
	const isChosen = Array.isArray(stored) && !Array.isArray(wanted) && stored.includes(wanted);
	return isChosen || (await isSame(sameIn(stored, wanted), fieldId, typesOf));
}

async function isSame(same: SameIn | undefined, fieldId: string, typesOf: TypesOf) {
	if (same === undefined || same === 'all') return same === 'all';
	const type = (await typesOf()).get(fieldId);
	return same === (dateForm(type) ? 'date' : valueKind(type));
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
