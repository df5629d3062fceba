import { fieldOf, nameOf, storedTime } from './autoMap';
import type { AutoMapRules, KeyRules } from './autoMap';
import { isDateLike, isLuxonText, toServiceDate } from './dates';
import type { Clock } from './dates';
import { isFieldId, isSurelyFieldId } from './fields';
import type { Field } from './fields';
import { dateForm } from './fieldTypes';
import { placedValues, rowsOf } from './inputPlaces';
import type { PlacedValue, RecordInput } from './inputPlaces';
import { noChanges } from './recordChanges';
import type { FieldValue, FieldValues, RecordChanges } from './recordChanges';
import { InputError } from './inputError';
import { isWholeNumber } from './sheetAddress';
import { deletionOf, subtableOf } from './subtableKeys';
import { isAddedKey, reasonToLeaveOut } from './writeBack';
import type { LeftOut } from './writeBack';

export interface RecordInputRules extends KeyRules {
	/** Types of fields whose list does not tell them, by field id; they decide on dates only. */
	types?: ReadonlyMap<string, string>;
	/** Send empty values, which clear fields; otherwise they are left out. */
	clearEmpty: boolean;
	/** Where moments are read off as wall-clock times. */
	clock: Clock;
}

/** The changes of an input, and what of it they do not hold. */
export interface InputChanges extends RecordChanges {
	leftOut: LeftOut[];
}

/** Whether a key in the input, or in one of its rows, is a name that has to be looked up. */
export function namesFields(input: RecordInput, autoMap?: AutoMapRules): boolean {
	return firstName(input, autoMap) !== undefined;
}

/** The first key in the input, or in its rows, that is a name to be looked up. */
export function firstName(input: RecordInput, autoMap?: AutoMapRules): string | undefined {
	for (const { key } of placedValues(input)) {
		const isPassedOver = autoMap
			? key.startsWith('_') || autoMap.ignoreFields.has(key)
			: isAddedKey(key);
		if (!isPassedOver && !isFieldId(key)) return key;
	}
	return undefined;
}

/**
 * Whether the list of fields, where there is one, decides on something in the input or in one of its rows:
 * on what a date is written as, on a short number that may be an id or a name, or on what goes back of an
 * item that was read.
 */
export function asksForFields(input: RecordInput, autoMap?: AutoMapRules): boolean {
	if (autoMap && (autoMap.isRead || autoMap.ignoreFields.size > 0)) return true;
	for (const { key, value } of placedValues(input)) {
		if (isAddedKey(key)) continue;
		const mayBeField = autoMap !== undefined && key.startsWith('_');
		if (mayBeField || holdsDate(value) || (isFieldId(key) && !isSurelyFieldId(key))) return true;
	}
	return false;
}

/** Whether the input, or one of its rows, holds what may be a date for a field whose type is not known. */
export function asksForTypes(input: RecordInput, rules: KeyRules): boolean {
	for (const place of placedValues(input)) {
		if (!holdsDate(place.value)) continue;
		const field = fieldOf(place, { ...rules, ignoreUnknown: true });
		if (typeof field === 'object' && field.type === undefined) return true;
	}
	return false;
}

function holdsDate(value: unknown): boolean {
	return Array.isArray(value) ? value.some(isDateLike) : isDateLike(value);
}

/**
 * The changes that an input stands for, with field ids for names (specification, endpoints 6 and 7).
 *
 * A row with `_rowId` is changed, one without is created under a negative id that no other row has.
 *
 * @throws InputError for unknown and ambiguous names, and for values that cannot be written
 */
export function recordChanges(input: RecordInput, rules: RecordInputRules): InputChanges {
	const changes: InputChanges = { ...noChanges(), leftOut: [] };
	const newRowIds = newRowIdsFor(input);
	for (const [key, value] of Object.entries(input)) {
		const subtableId = subtableOf(key);
		const deletionId = deletionOf(key);
		if (rules.autoMap?.ignoreFields.has(key)) continue;
		if (subtableId !== undefined) {
			const rows = subtableRows(key, subtableId, value, rules, newRowIds, changes.leftOut);
			if (rows.size > 0) changes.subtables.set(subtableId, rows);
		} else if (deletionId !== undefined) {
			const rowIds = [...(changes.deletedRows.get(deletionId) ?? []), ...deletedRowIds(key, value)];
			if (rowIds.length > 0) changes.deletedRows.set(deletionId, rowIds);
		} else {
			addField(changes.fields, { key, value }, rules, changes.leftOut);
		}
	}
	return changes;
}

function subtableRows(
	key: string,
	subtableId: string,
	value: unknown,
	rules: RecordInputRules,
	newRowIds: Iterator<string, string>,
	leftOut: LeftOut[],
): Map<string, FieldValues> {
	const rows = new Map<string, FieldValues>();
	for (const { rowId, values } of rowsOf(key, value)) {
		const fields: FieldValues = new Map();
		for (const [name, given] of Object.entries(values)) {
			addField(fields, { key: name, value: given, subtableId }, rules, leftOut);
		}
		const target = rowId ?? newRowIds.next().value;
		if (rows.has(target)) throw new InputError(`'${key}' holds the row ${target} twice`);
		if (fields.size > 0) rows.set(target, fields);
	}
	return rows;
}

/** -1, -2, …, without the negative ids that the input uses itself. */
function* newRowIdsFor(input: RecordInput): Generator<string, string> {
	const used = new Set<string>();
	for (const [key, value] of Object.entries(input)) {
		if (subtableOf(key) === undefined) continue;
		for (const { rowId } of rowsOf(key, value)) if (rowId !== undefined) used.add(rowId);
	}
	for (let rowId = -1; ; rowId--) if (!used.has(String(rowId))) yield String(rowId);
}

function deletedRowIds(key: string, value: unknown): string[] {
	const rowIds = (Array.isArray(value) ? value : [value])
		.filter((rowId) => rowId !== '' && rowId !== null && rowId !== undefined)
		.map(String);
	const wrong = rowIds.find((rowId) => !isWholeNumber(rowId));
	if (wrong !== undefined) throw new InputError(`'${wrong}' in '${key}' is not a row ID`);
	return rowIds;
}

function addField(
	fields: FieldValues,
	place: PlacedValue,
	rules: RecordInputRules,
	leftOut: LeftOut[],
): void {
	const { key } = place;
	const found = fieldOf(place, rules);
	if (typeof found === 'string') leftOut.push({ name: key, reason: found });
	if (typeof found !== 'object') return;
	if (isBlank(place.value) && (!rules.clearEmpty || place.value === undefined)) return;
	const { autoMap } = rules;
	const reason = autoMap && reasonToLeaveOut(found, place.value, autoMap.isRead);
	if (reason) {
		leftOut.push({ name: nameOf(found), reason });
		return;
	}
	const value = autoMap ? storedTime(found, place.value, autoMap) : place.value;
	if (value === undefined) {
		leftOut.push({ name: nameOf(found), reason: 'shifted' });
		return;
	}
	const field = { ...found, type: found.type ?? rules.types?.get(found.fieldId) };
	addOnce(fields, field, key, isBlank(value) ? '' : fieldValue(field, key, value, rules.clock));
}

function addOnce(fields: FieldValues, { fieldId }: Field, key: string, value: FieldValue): void {
	if (fields.has(fieldId)) {
		throw new InputError(`'${key}' and another key both stand for the field ${fieldId}`);
	}
	fields.set(fieldId, value);
}

/** Whether a value says "empty": nothing, an empty text or an empty selection. Zero and false do not. */
export function isBlank(value: unknown): boolean {
	return (
		value === undefined ||
		value === null ||
		value === '' ||
		(Array.isArray(value) && value.length === 0)
	);
}

/**
 * A value in the service's form: dates as it writes them, a selection as texts.
 *
 * @throws InputError for objects, for numbers that are no numbers, and for a text in
 *   ISO 8601 when nobody knows whether the field is one for dates
 */
export function fieldValue(field: Field, key: string, value: unknown, clock: Clock): FieldValue {
	if (Array.isArray(value)) {
		return value.map((element) => {
			if (Array.isArray(element)) throw unwritable(key);
			return String(fieldValue(field, key, element, clock));
		});
	}
	const form = dateForm(field.type);
	if (typeof value === 'object' || (form && isDateLike(value))) {
		const date = toServiceDate(value, clock, form);
		if (date !== undefined) return date;
	}
	if (field.type === undefined && isLuxonText(value)) {
		return toServiceDate(new Date(value), clock) ?? value;
	}
	const isText = typeof value === 'string';
	if (isText && field.type === undefined && isDateLike(value)) throw perhapsDate(key, value);
	if (isText || typeof value === 'boolean') return value;
	if (typeof value === 'number' && Number.isFinite(value)) return value;
	if (typeof value === 'bigint') return String(value);
	throw unwritable(key);
}

function unwritable(key: string): InputError {
	return new InputError(
		`The value of '${key}' cannot be written: it must be a text, a number, true or false, a date, or an array of texts`,
	);
}

function perhapsDate(key: string, value: string): InputError {
	return new InputError(
		`'${value}' for '${key}' may be a date or a text: the service does not tell this user which the field is for, and no record shows it`,
		"Write a date as the service does, e.g. 2026/01/31 or 2026/01/31 09:30:00, or let an expression yield a date, e.g. {{ DateTime.fromISO('2026-01-31') }}.",
	);
}
