import { isTimeAsRead } from '../values/dates';
import { findField, idInKey, isFieldId, nameOf, type Field } from '../schema/fields';
import { dateForm } from '../schema/fieldTypes';
import type { PlacedValue } from './parsedInput';
import { type LeftOutReason } from './writeBack';
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

/** Returns whether the value is a date-time that was read with `tz`, which shows times other than the stored ones. */
export function isShifted(field: Field, value: unknown, { timeZone }: AutoMapRules): boolean {
	const mayHoldTimes = field.type === undefined || dateForm(field.type) === 'dateTime';
	return timeZone !== undefined && mayHoldTimes && isTimeAsRead(value, timeZone);
}
