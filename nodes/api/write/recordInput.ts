import { fieldOf, isShifted, type AutoMapRules, type KeyRules } from './autoMap';
import { nameOf } from '../schema/fields';
import {
	fromServiceDate,
	isDateLike,
	isLuxonText,
	toServiceDate,
	type Clock,
} from '../values/dates';
import { isFieldId, isSurelyFieldId, type Field } from '../schema/fields';
import { dateForm, valueKind } from '../schema/fieldTypes';
import { placedValues, type ParsedInput, type PlacedValue } from './parsedInput';
import { noChanges, unusedRowIds } from './recordChanges';
import type { FieldValue, FieldValues, RecordChanges } from './recordChanges';
import { InputError } from '../values/inputError';
import { isWholeNumber } from '../values/sheetAddress';
import { subtableKey } from '../values/subtableKeys';
import { chosenIn } from '../read/selectionText';
import { isNothing, textOf } from '../values/text';
import { reasonToLeaveOut, type LeftOut } from './writeBack';
import { isAddedKey } from '../read/addedKeys';
import { getOrInsert } from '../json/objects';

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

/** The keys in the input, and in its rows, that are names to be looked up. */
export function namesIn(input: ParsedInput, autoMap?: AutoMapRules): string[] {
	const isName = ({ key }: PlacedValue) => {
		const isPassedOver = autoMap
			? key.startsWith('_') || autoMap.ignoreFields.has(key)
			: isAddedKey(key);
		return !isPassedOver && !isFieldId(key);
	};
	return placedValues(input)
		.filter(isName)
		.map(({ key }) => key);
}

/**
 * Whether the list of fields, where there is one, decides on something in the input or in one of its rows:
 * on what a date, or true and false, is written as, on a short number that may be an id or a name, or on what goes back of an
 * item that was read.
 */
export function asksForFields(input: ParsedInput, autoMap?: AutoMapRules): boolean {
	if (autoMap && (autoMap.isRead || autoMap.ignoreFields.size > 0)) return true;
	return placedValues(input).some(({ key, value }) => {
		if (isAddedKey(key)) return false;
		const mayBeField = autoMap !== undefined && key.startsWith('_');
		const mayBeSelection =
			autoMap !== undefined && typeof value === 'string' && value.includes(',');
		const isSwitch = typeof value === 'boolean';
		const mayBeName = isFieldId(key) && !isSurelyFieldId(key);
		return mayBeField || mayBeSelection || holdsDate(value) || isSwitch || mayBeName;
	});
}

/** Whether the input, or one of its rows, holds what may be a date for a field whose type is not known. */
export function asksForTypes(input: ParsedInput, rules: KeyRules): boolean {
	return fieldsOfDates(input, rules).some(({ type }) => type === undefined);
}

/** Whether an item that was read holds what may be a date for a field that neither its type nor records say to be one of dates. */
export function asksForRecord(input: ParsedInput, rules: RecordInputRules): boolean {
	if (!rules.autoMap?.isRead) return false;
	return fieldsOfDates(input, rules).some((field) => !dateForm(typeFor(field, rules)));
}

function fieldsOfDates(input: ParsedInput, rules: KeyRules): Field[] {
	return placedValues(input)
		.filter(({ value }) => holdsDate(value))
		.map((place) => fieldOf(place, { ...rules, ignoreUnknown: true }))
		.filter((field) => typeof field === 'object');
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
export function recordChanges(input: ParsedInput, rules: RecordInputRules): InputChanges {
	const leftOut: LeftOut[] = [];
	const changes = { ...noChanges(), fields: writtenFields(input.fields, rules, leftOut), leftOut };
	const isIgnored = (key: string) => rules.autoMap?.ignoreFields.has(key);
	const rows = input.rows.filter(({ subtableId }) => !isIgnored(subtableKey(subtableId)));
	const newRowIds = unusedRowIds(new Set(input.rows.flatMap(({ rowId }) => rowId ?? [])));
	for (const { subtableId, rowId = newRowIds.next().value, values } of rows) {
		const written = changes.subtables.get(subtableId) ?? new Map<string, FieldValues>();
		const fields = writtenFields(values, rules, leftOut);
		if (written.has(rowId)) {
			throw new InputError(`'${subtableKey(subtableId)}' holds the row ${rowId} twice`);
		}
		if (fields.size > 0) changes.subtables.set(subtableId, written.set(rowId, fields));
	}
	for (const { key, subtableId, rowId } of input.deletedRows) {
		if (isIgnored(key)) continue;
		if (!isWholeNumber(rowId)) throw new InputError(`'${rowId}' in '${key}' is not a row ID`);
		const rowIds = getOrInsert(changes.deletedRows, subtableId, () => []);
		rowIds.push(rowId);
	}
	return changes;
}

/** The values of the record, or of a row, by field ids. What is not written of them goes to `leftOut`. */
function writtenFields(
	places: readonly PlacedValue[],
	rules: RecordInputRules,
	leftOut: LeftOut[],
): FieldValues {
	const { autoMap } = rules;
	const fields: FieldValues = new Map();
	for (const place of places) {
		const { key } = place;
		const field = fieldOf(place, rules);
		if (typeof field === 'string') leftOut.push({ name: key, reason: field });
		if (typeof field !== 'object') continue;
		const { value } = place;
		if (isBlank(value) && (!rules.clearEmpty || value === undefined)) continue;
		const reason =
			autoMap &&
			(reasonToLeaveOut(field, value, autoMap.isRead) ??
				(isShifted(field, value, autoMap) ? 'shifted' : undefined));
		if (reason) {
			leftOut.push({ name: nameOf(field), reason });
			continue;
		}
		const { fieldId } = field;
		const known = { ...field, type: typeFor(field, rules) };
		const given = autoMap?.isRead ? value : givenValue(known, key, value, autoMap !== undefined);
		if (isBlank(given) && !rules.clearEmpty) continue;
		const written = isBlank(given) ? '' : fieldValue(known, key, given, rules.clock);
		if (fields.has(fieldId)) {
			throw new InputError(`'${key}' and another key both stand for the field ${fieldId}`);
		}
		fields.set(fieldId, written);
	}
	return fields;
}

/** A text that is stored as a date may be read in ISO 8601, whatever the type of its field. */
function typeFor({ type, fieldId }: Field, { types, autoMap }: RecordInputRules) {
	const inferred = types?.get(fieldId);
	const isStoredDate = autoMap?.isRead && !dateForm(type) && dateForm(inferred);
	return isStoredDate ? inferred : (type ?? inferred);
}

/** Whether a value says "empty": nothing, an empty text or an empty selection. Zero and false do not. */
export function isBlank(value: unknown): boolean {
	return isNothing(value) || (Array.isArray(value) && value.length === 0);
}

/**
 * A value that was given by hand or comes from elsewhere, by what its field holds: choices with commas
 * between as the list that they are. What a read yields must go back as it is.
 *
 * @param isSplit whether a text may stand for several choices
 * @throws InputError for what is no date in a field of dates
 */
export function givenValue(
	{ type, choices }: Field,
	key: string,
	value: unknown,
	isSplit: boolean,
): unknown {
	if (dateForm(type) !== undefined) requireDate(key, value);
	const isSelection = isSplit && typeof value === 'string' && valueKind(type) === 'list';
	return (isSelection ? chosenIn(value, choices) : undefined) ?? value;
}

/** Refuses what is no date in any form in which the service or n8n writes one. Throws InputError. */
export function requireDate(key: string, value: unknown): void {
	const wrong = (Array.isArray(value) ? value : [value]).map(textOf).find((text) => !isDate(text));
	if (wrong === undefined) return;
	throw new InputError(
		`'${wrong}' for '${key}' is no date`,
		"Write 2026-01-31, 2026-01-31T09:30 or, as the service does, 2026/01/31 09:30:00, or let an expression yield a date, e.g. {{ DateTime.fromFormat('31.01.2026', 'dd.MM.yyyy') }}.",
	);
}

function isDate(text: string): boolean {
	return text === '' || isDateLike(text) || fromServiceDate(text) !== undefined;
}

/**
 * A value in the service's form: dates as it writes them, a selection as texts, a switch as Yes or No.
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
	if (typeof value === 'boolean' && valueKind(field.type) === 'switch') return switchText(value);
	const isText = typeof value === 'string';
	if (isText && field.type === undefined && isDateLike(value)) throw perhapsDate(key, value);
	if (isText || typeof value === 'boolean') return value;
	if (typeof value === 'number' && Number.isFinite(value)) return value;
	if (typeof value === 'bigint') return String(value);
	throw unwritable(key);
}

/** What the service stores of a switch. */
export function switchText(isOn: boolean): string {
	return isOn ? 'Yes' : 'No';
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
