import { getOrInsert } from '../json/objects';
import { isAddedKey } from '../read/recordKeys';
import { isFieldId, isSurelyFieldId, nameOf, type Field } from '../schema/fields';
import { dateForm } from '../schema/fieldTypes';
import { isDateLike, type Clock } from '../values/dates';
import { InputError } from '../values/inputError';
import { isWholeNumber } from '../values/sheetAddress';
import { subtableKey } from '../values/subtableKeys';
import { isBlank } from '../values/text';
import { fieldValue, givenValue } from './fieldValue';
import { placedValues, type ParsedInput, type PlacedValue } from './parsedInput';
import { noChanges, unusedRowIds, type FieldValues, type RecordChanges } from './recordContent';
import {
	fieldOf,
	reasonToLeaveOut,
	storedValue,
	type AutoMapRules,
	type KeyRules,
	type LeftOut,
} from './writeBack';

export interface RecordInputRules extends KeyRules {
	/** Inferred types by field id; they decide on dates only. */
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

/** Returns the keys of the input and its rows that are names to resolve. */
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
 * Whether the list of fields decides on something in the input: how a date, or true and false, is written, whether a
 * short number is an id or a name, or what is written back of an item that was read.
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

/** Whether the input holds what may be a date for a field of unknown type. */
export function asksForTypes(input: ParsedInput, rules: KeyRules): boolean {
	return fieldsOf(input, rules).some(([{ type }, value]) => type === undefined && holdsDate(value));
}

/**
 * Whether an item that was read holds what may be a date for a field that is not known to hold dates, or a time of
 * another time zone, and no record has shown how such a field is stored.
 */
export function asksForRecord(input: ParsedInput, rules: RecordInputRules): boolean {
	const { autoMap } = rules;
	if (!autoMap?.isRead) return false;
	return fieldsOf(input, rules).some(([field, value]) => {
		const { types, hours } = autoMap.forms ?? {};
		const isOpenTime =
			!hours?.has(field.fieldId) && storedValue(field, value, autoMap) === undefined;
		const isOpenDate = !types?.has(field.fieldId) && holdsDate(value);
		return isOpenTime || (isOpenDate && !dateForm(typeFor(field, rules)));
	});
}

/** Returns the values of the input, each with its field. */
function fieldsOf(input: ParsedInput, rules: KeyRules): Array<[Field, unknown]> {
	return placedValues(input).flatMap((place): Array<[Field, unknown]> => {
		const field = fieldOf(place, { ...rules, ignoreUnknown: true });
		return typeof field === 'object' ? [[field, place.value]] : [];
	});
}

function holdsDate(value: unknown): boolean {
	return Array.isArray(value) ? value.some(isDateLike) : isDateLike(value);
}

/**
 * Returns the changes of an input, by field ids (specification, endpoints 6 and 7). A row with `_rowId` is changed, one
 * without is created under a negative id of its own. Throws InputError for unknown and ambiguous names, and for values
 * that cannot be written.
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

/** Returns the values of the record, or of a row, by field ids. What is not written is added to `leftOut`. */
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
		const { value: shown } = place;
		if (isBlank(shown) && (!rules.clearEmpty || shown === undefined)) continue;
		const value = autoMap ? storedValue(field, shown, autoMap) : shown;
		const isShifted = value === undefined ? 'shifted' : undefined;
		const reason = (autoMap && reasonToLeaveOut(field, shown, autoMap)) ?? isShifted;
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
	const inferred = autoMap?.forms?.types.get(fieldId) ?? types?.get(fieldId);
	const isStoredDate = autoMap?.isRead && !dateForm(type) && dateForm(inferred);
	return isStoredDate ? inferred : (type ?? inferred);
}
