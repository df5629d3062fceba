import { getOrInsert } from '../json/objects';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import { isFieldId } from '../schema/fields';
import { dateForm, valueKind } from '../schema/fieldTypes';
import { dateTimeForm, numberForm, switchForm, valueForm } from '../values/normalForm';
import { isBlank, isMasked, looksRendered, markupEnd } from '../values/text';
import { noChanges, valuesOf } from './recordContent';
import type { FieldValue, FieldValues, RecordChanges, ValueNote } from './recordContent';

/** Returns types by field id, as far as they are known; called only where types decide. */
export type TypesOf = () => Promise<ReadonlyMap<string, string | undefined>>;

/** The fields in which two values are the same: all of them, or those of one kind. */
type SameIn = 'all' | 'date' | 'list' | 'number' | 'switch';

/**
 * Returns those of the changes that differ from a record as it is stored: texts to the letter; numbers, dates and switches by
 * their value, in fields that are known to hold such; selections in any order. What is masked or not shown differs.
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

/** Returns the notes on values that a saved record, with `isShifted` in another time zone, surely shows otherwise. */
export function notesOn(
	saved: JsonObject | undefined,
	{ changes, notes = [] }: { changes: RecordChanges; notes?: readonly ValueNote[] },
	isShifted = false,
): ValueNote[] {
	const sent = [...valuesOf(changes)].map((one): ValueNote => {
		return { ...one, name: one.fieldId, reason: 'notKept' };
	});
	return [...sent, ...notes].filter((note) => {
		const { reason, fieldId = '', value } = note;
		if (reason === 'noChoice' || reason === 'noRow') return true;
		if (!saved || ![...saved.keys()].some(isFieldId)) return false;
		const isSent = reason === 'notKept';
		const holders = holdersOf(saved, note).filter((own) => isSent || own.has(fieldId));
		const isIn = (own: JsonObject) => isKept(own.get(fieldId), value, isSent, isShifted);
		return holders.length > 0 && !holders.some(isIn);
	});
}

/** Returns where a value may have been saved: the record, a row or, for a new row, all rows of its subtable. */
function holdersOf(saved: JsonObject, { subtableId, rowId = '' }: ValueNote): JsonObject[] {
	if (subtableId === undefined) return [saved];
	const rows = rowsOf(saved, subtableId);
	const own = rows?.get(rowId) ?? [...(rows?.values() ?? [])];
	return [own].flat().filter(isJsonObject);
}

function isKept(
	saved: JsonValue | undefined,
	given: unknown,
	isSent: boolean,
	isShifted: boolean,
): boolean {
	const [own, others] = [valuesIn(saved), valuesIn(given)];
	if (own.some(isMasked) || [...own, ...others].some((one) => typeof one === 'object')) return true;
	if (given === undefined) return own.length > 0;
	const [texts, wanted] = [own.map(String), others.map(String)];
	// Several choices may come as one text.
	const [first = ''] = texts;
	const isJoined = texts.length === 1 && wanted.length > 1;
	if (isJoined) return isSent && wanted.every((other) => first.includes(other));
	if (texts.length !== wanted.length) return false;
	const isTime = (text: string) => isShifted && dateTimeForm(text) !== undefined;
	return wanted.every((other) =>
		texts.some((text) => (isTime(text) && isTime(other)) || isSameText(text, other, isSent)),
	);
}

function valuesIn(value: unknown): unknown[] {
	return [value].flat().filter((one) => !isBlank(one));
}

/** Whether a saved text stands for a sent one: a field may cut the time off a date, and show markup as HTML. */
function isSameText(text: string, given: string, isSent: boolean): boolean {
	if (/^0\d+$/.test(given) && text.length < given.length) return false;
	if (valueForm(text) === valueForm(given)) return true;
	if (dateTimeForm(text) !== undefined && given.startsWith(text)) return true;
	const isWhole = [text, given].every((one) => /^-?\d+$/.test(one));
	const difference = Math.abs(Number(text) - Number(given));
	if (!isWhole && difference <= Math.abs(Number(given)) * 1e-9) return true;
	const isRich = [text, given].map(looksRendered);
	if (isSent) return isRich.includes(true) || markupEnd.test(given);
	// What was left out as HTML may be shown as its markup, in which tags are texts.
	const shown = textWithoutMarkup(given);
	const isSameRich = isRich[0] !== isRich[1] && textWithoutMarkup(text) === shown;
	return isSameRich || textWithoutMarkup(text, /(?!)/g) === shown;
}

function textWithoutMarkup(text: string, tags = /<[^<>]*>/g): string {
	return text.replace(tags, '').replace(/\[[^[\]]*\]|&#?\w+;|[\s<>&"']/g, '');
}
