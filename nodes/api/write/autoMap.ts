import { isDateLike, movedBack } from '../values/dates';
import { findField, idInKey, isFieldId, nameOf, type Field } from '../schema/fields';
import { dateForm } from '../schema/fieldTypes';
import { placedValues, type ParsedInput, type PlacedValue } from './parsedInput';
import { type LeftOutReason } from './writeBack';
import { looksRendered } from '../values/richText';
import { isAddedKey } from '../read/addedKeys';

/** How an item is taken that was not written for the sheet by hand. */
export interface AutoMapRules {
	/** Names and ids of fields to pass over, and keys. */
	ignoreFields: ReadonlySet<string>;
	/** The item says of which record it is: its values are those that a read yields. */
	isRead: boolean;
	/** The hours of `tz` with which it was read. */
	timeZone?: number;
}

/** How keys are taken. */
export interface KeyRules {
	/** The fields of the sheet; empty when every key is a field id and nothing had to be looked up. */
	fields: readonly Field[];
	/** For an item that is mapped automatically: it may come from a read. */
	autoMap?: AutoMapRules;
	/** Leave out names that the sheet does not have, instead of refusing them. */
	ignoreUnknown?: boolean;
}

/**
 * The field that a key stands for; undefined when it is passed over, or why it is left out. Throws InputError
 * for unknown and ambiguous names.
 */
export function fieldOf(
	{ key, subtableId }: PlacedValue,
	{ fields, autoMap, ignoreUnknown }: KeyRules,
): Field | LeftOutReason | undefined {
	if (!autoMap && !ignoreUnknown) return findField(fields, key, subtableId);
	if (isAddedKey(key) || autoMap?.ignoreFields.has(key)) return undefined;
	const candidates = fields.filter((field) => field.subtableId === subtableId);
	const id = key.trim();
	const named = candidates.filter(({ fieldId, name }) => fieldId === id || name === key);
	const asRead =
		autoMap?.isRead || named.length === 0
			? candidates.find(({ readName }) => readName === key)
			: undefined;
	const hasId = isFieldId(id) || candidates.some(({ fieldId }) => fieldId === idInKey(key));
	const isKnown = asRead !== undefined || named.length > 0 || hasId;
	if (!isKnown && autoMap && key.startsWith('_')) return undefined;
	if (!isKnown && ignoreUnknown) return 'unknown';
	const field = asRead ?? findField(fields, key, subtableId);
	return autoMap && isIgnored(field, autoMap, candidates) ? undefined : field;
}

function isIgnored(
	field: Field,
	{ ignoreFields }: AutoMapRules,
	candidates: readonly Field[],
): boolean {
	if ([field.fieldId, nameOf(field)].some((name) => ignoreFields.has(name))) return true;
	const isOfOther = (key: string) => candidates.some(({ name }) => name === key);
	return [...ignoreFields].some((key) => idInKey(key) === field.fieldId && !isOfOther(key));
}

/** A value as it is stored; undefined when it was read in another time zone and it is not known how far that is. */
export function storedTime(field: Field, value: unknown, { timeZone }: AutoMapRules): unknown {
	if (timeZone === undefined || !mayHoldTimes(field) || !isTimeAsRead(value, timeZone))
		return value;
	if (field.storedOffset === undefined) return undefined;
	return movedBack(value, timeZone, field.storedOffset);
}

function mayHoldTimes({ type }: Field): boolean {
	return type === undefined || dateForm(type) === 'dateTime';
}

function isTimeAsRead(value: unknown, timeZone: number): boolean {
	return movedBack(value, timeZone, timeZone) !== undefined;
}

/**
 * Whether a value of an item that was read tells too little about what is stored: HTML where the field's
 * type is not known, ISO 8601 in what is no date, and times in another time zone.
 *
 * @throws InputError for ambiguous names
 */
export function isAmbiguous(
	input: ParsedInput,
	fields: readonly Field[],
	autoMap: AutoMapRules,
): boolean {
	const { timeZone } = autoMap;
	return placedValues(input).some((place) => {
		const mayBeHtml = looksRendered(place.value);
		const mayBeDate = isDateLike(place.value);
		const isTime = timeZone !== undefined && isTimeAsRead(place.value, timeZone);
		if (!mayBeHtml && !mayBeDate && !isTime) return false;
		const field = fieldOf(place, { fields, autoMap, ignoreUnknown: true });
		if (typeof field !== 'object') return false;
		const { type, storedOffset, isSeen } = field;
		const isUnclear = (mayBeHtml && type === undefined) || (mayBeDate && !dateForm(type));
		if (isUnclear && !isSeen) return true;
		return isTime && mayHoldTimes(field) && storedOffset === undefined;
	});
}
