import { dateForm, valueKind } from '../schema/fieldTypes';
import { dateTimeForm, numberForm, switchForm } from '../values/normalForm';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import type { FieldValue, FieldValues, RecordChanges } from './recordChanges';
import { subtableKey } from '../values/subtableKeys';
import { isMasked } from '../values/text';

/** Types by field id, as far as they are known. */
export type TypesByField = ReadonlyMap<string, string | undefined>;

/** Whether to write a value would leave what is stored as it is. */
type IsSame = (stored: JsonValue, given: FieldValue, fieldId: string) => boolean;

/**
 * Whether a record holds all that a write would give it, so that the write can be left out. Texts are the
 * same to the letter; numbers, dates and switches also in other spellings, in fields that are known to hold
 * such; multiple selections in any order. In doubt they are not the same: a masked value, one that is not
 * shown, a new row, a row to delete.
 *
 * @param record read by field ids, as it is stored: with raw markup, and unmasked where the user may
 * @param typesOf tells the types of fields; asked only where they decide
 */
export async function holdsChanges(
	record: JsonObject,
	changes: RecordChanges,
	typesOf: () => Promise<TypesByField>,
): Promise<boolean> {
	if (holdsAll(record, changes, isSameText)) return true;
	const mayBeSame: IsSame = (stored, given) =>
		isSameText(stored, given) ||
		isOnlyChoice(stored, given) ||
		isSameBy('date', stored, given) ||
		isSameBy('number', stored, given) ||
		isSameBy('switch', stored, given);
	if (!holdsAll(record, changes, mayBeSame)) return false;
	const types = await typesOf();
	return holdsAll(record, changes, (stored, given, fieldId) =>
		isSameByType(stored, given, types.get(fieldId)),
	);
}

function holdsAll(
	record: JsonObject,
	{ fields, subtables, deletedRows }: RecordChanges,
	isSame: IsSame,
): boolean {
	if (deletedRows.size > 0 || !holdsValues(record, fields, isSame)) return false;
	return [...subtables].every(([subtableId, rows]) => {
		const stored = record.get(subtableKey(subtableId));
		return [...rows].every(([rowId, values]) => {
			const row = isJsonObject(stored) ? stored.get(rowId) : undefined;
			return isJsonObject(row) && holdsValues(row, values, isSame);
		});
	});
}

function holdsValues(stored: JsonObject, given: FieldValues, isSame: IsSame): boolean {
	return [...given].every(([fieldId, value]) => {
		const own = stored.get(fieldId);
		return own !== undefined && !isMasked(own) && isSame(own, value, fieldId);
	});
}

function isSameText(stored: JsonValue, given: FieldValue): boolean {
	if (Array.isArray(stored)) return sameChoices(stored, given);
	if (Array.isArray(given)) return given.length === 0 && stored === '';
	return textOf(stored) === String(given);
}

/** A selection with several choices; what is stored as one choice may be any text. */
function sameChoices(stored: readonly JsonValue[], given: FieldValue): boolean {
	const choices = Array.isArray(given) ? given : given === '' ? [] : [String(given)];
	const own = stored.map((choice) => textOf(choice) ?? '').sort();
	const others = [...choices].sort();
	return own.length === others.length && own.every((choice, index) => choice === others[index]);
}

/** What may be one value in a field of some type. */
const forms = {
	date: dateTimeForm,
	/** How the service reads separators of thousands that are given is not known. */
	number: (text: string, isGiven: boolean) =>
		isGiven && text.includes(',') ? undefined : numberForm(text),
	switch: switchForm,
};

type Form = keyof typeof forms;

function isSameBy(form: Form, stored: JsonValue, given: FieldValue): boolean {
	const text = textOf(stored);
	const own = text === undefined ? undefined : forms[form](text, false);
	return own !== undefined && own === forms[form](String(given), true);
}

/** One choice may be shown without a list. */
function isOnlyChoice(stored: JsonValue, given: FieldValue): boolean {
	return Array.isArray(given) && given.length === 1 && textOf(stored) === given[0];
}

function isSameByType(stored: JsonValue, given: FieldValue, type?: string): boolean {
	if (isSameText(stored, given)) return true;
	const kind = valueKind(type);
	if (Array.isArray(given)) return kind === 'list' && isOnlyChoice(stored, given);
	if (dateForm(type) !== undefined) return isSameBy('date', stored, given);
	return (kind === 'number' || kind === 'switch') && isSameBy(kind, stored, given);
}

/** Undefined for what no text is the same as. */
function textOf(value: JsonValue): string | undefined {
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	return typeof value === 'string' ? value : undefined;
}
