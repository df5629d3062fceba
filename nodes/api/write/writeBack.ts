import { isAddedKey, keysBesideFields } from '../read/recordKeys';
import type { JsonObject, JsonValue } from '../json/orderedJson';
import { haveOddNames } from '../schema/fieldNames';
import { findField, idInKey, isFieldId, isSurelyFieldId, nameOf } from '../schema/fields';
import type { Field } from '../schema/fields';
import { holdsFiles, isFilledIn } from '../schema/fieldTypes';
import { fromServiceDate, hoursBetween, storedTime } from '../values/dates';
import { isSurelyFile } from '../values/fileNames';
import { isMasked, looksRendered } from '../values/text';
import type { ParsedInput, PlacedValue } from './parsedInput';
import type { NoteReason } from './recordContent';

/* The write-back rules: a record that was read and is written again must keep what was not changed. */

/** The content of the record from which an item was read, or of one of its rows. */
export interface SourceRecord {
	stored: JsonObject;
	/** The same with times as the item has them. */
	shown: JsonObject;
}

/** How an item is taken that was not written for the sheet by hand. */
export interface AutoMapRules {
	/** Names and ids of fields to pass over, and keys. */
	ignoreFields: ReadonlySet<string>;
	/** The item says of which record it is: its values are those that a read yields. */
	isRead: boolean;
	/** The hours of `tz` with which it was read. */
	timeZone?: number;
	/** Reads its record; undefined where that is not shown. */
	source: () => Promise<SourceRecord | undefined>;
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

/** Returns the field of a key, undefined when it is ignored, or why it is left out. Throws InputError for unknown and ambiguous names. */
export function fieldOf(
	{ key, subtableId }: PlacedValue,
	{ fields, autoMap, ignoreUnknown }: KeyRules,
): Field | NoteReason | undefined {
	if (!autoMap && !ignoreUnknown) return findField(fields, key, subtableId);
	if (autoMap?.ignoreFields.has(key)) return undefined;
	const candidates = fields.filter((field) => field.subtableId === subtableId);
	// Reads give such a field another name.
	const isBeside = autoMap?.isRead === true && keysBesideFields.has(key);
	const isField = !isBeside && candidates.some(({ name }) => name === key);
	if (isAddedKey(key) && !isField) return undefined;
	const id = key.trim();
	const named = candidates.filter(({ fieldId, name }) => fieldId === id || name === key);
	const asRead =
		autoMap?.isRead || named.length === 0
			? candidates.find(({ readName }) => readName === key)
			: undefined;
	const isId = ignoreUnknown && fields.length > 0 ? isSurelyFieldId(id) : isFieldId(id);
	const hasId = isId || candidates.some(({ fieldId }) => fieldId === idInKey(key));
	const isKnown = asRead !== undefined || named.length > 0 || hasId;
	// No read of ours adds it, but others may.
	const mayBeAdded = autoMap !== undefined && key.startsWith('_');
	// Rows of an unknown subtable must not be lost.
	const isLost = subtableId !== undefined && candidates.length === 0 && fields.length > 0;
	if (!isKnown && !isLost && (ignoreUnknown || mayBeAdded)) return 'unknown';
	const field = asRead ?? findField(fields, key, subtableId);
	const isOfOther = (name: string) => candidates.some((other) => other.name === name);
	const isIgnored = [...(autoMap?.ignoreFields ?? [])].some(
		(name) =>
			[field.fieldId, nameOf(field)].includes(name) ||
			(idInKey(name) === field.fieldId && !isOfOther(name)),
	);
	return isIgnored ? undefined : field;
}

/** Returns why a value must not be written back: the service would refuse it, or store something else than what was read. */
export function reasonToLeaveOut(
	field: Field,
	value: unknown,
	{ isRead }: Pick<AutoMapRules, 'isRead'>,
): NoteReason | undefined {
	if (isFilledIn(field)) return 'filledIn';
	const { type } = field;
	if (holdsFiles(field) || (type === undefined && isFiles(value))) return 'file';
	const mayBe = (types: RegExp) => (type === undefined ? isRead : types.test(type));
	if (mayBe(/mask/i) && isMasked(value)) return 'masked';
	return isRead && mayBe(/rich|html|bbcode/i) && looksRendered(value) ? 'html' : undefined;
}

/**
 * Returns a time of another time zone as it is stored: one that was not changed as one of the holders has it, others by the
 * hours between in that field. Undefined when these are not known.
 */
export function storedInstead(
	fieldId: string,
	value: unknown,
	timeZone: number,
	holders: readonly SourceRecord[],
): string | undefined {
	const held = holders.map(({ stored, shown }) => [stored.get(fieldId), shown.get(fieldId)]);
	const isShownAs = (shown: JsonValue | undefined) =>
		typeof shown === 'string' && [shown, fromServiceDate(shown, timeZone)].includes(String(value));
	const own = held.find(([, shown]) => isShownAs(shown))?.[0];
	if (typeof own === 'string') return own;
	const hours = held.map(([stored, shown]) => hoursBetween(stored, shown));
	return storedTime(value, timeZone, hours.find((one) => one !== undefined) ?? NaN);
}

/** Several files come as an array whose first element may be empty. */
function isFiles(value: unknown): boolean {
	const values = (Array.isArray(value) ? value : [value]).filter((element) => element !== '');
	return values.length > 0 && values.every(isSurelyFile);
}

/** Whether a key of an item may be a name that only reads give: to a field without a name, or to one that shares its name. */
export function needsReadNames(fields: readonly Field[], { values }: ParsedInput): boolean {
	if (!haveOddNames(fields)) return false;
	return values.some(({ key, subtableId }) => {
		const own = fields.filter((field) => field.subtableId === subtableId);
		const named = own.filter(({ fieldId, name }) => fieldId === key || name === key);
		return !key.startsWith('_') && named.length !== 1;
	});
}
