import { isAddedKey, nonFieldKeys } from '../read/recordKeys';
import { findField, idInKey, isFieldId, isKeyOf, isSurelyFieldId, nameOf } from '../sheet/fields';
import type { Field } from '../sheet/fields';
import { InputError } from '../values/inputError';
import type { PlacedValue } from './parsedInput';

/** Rules for resolving keys of an input to fields. */
export interface KeyRules {
	/** The fields of the sheet; empty if no source lists them. */
	fields: readonly Field[];
	/** Set for an item that is mapped automatically. */
	autoMap?: {
		/** Names and IDs of fields to leave out, and further keys. */
		ignoreFields: ReadonlySet<string>;
		/** Whether the item was read from a record, so that its keys are those of a read. */
		isRead: boolean;
	};
	/** Whether unknown names are left out instead of rejected. */
	ignoreUnknown?: boolean;
}

/**
 * Returns the field of a key. Without `autoMap` and `ignoreUnknown`, every key must be a field. Otherwise, returns undefined for
 * an ignored key and for a key that a read added, and 'unknown' for any other key that is left out. Throws InputError for other
 * unknown names, and for ambiguous names.
 */
export function inputField(
	{ key, subtableId }: PlacedValue,
	rules: KeyRules,
): Field | 'unknown' | undefined {
	const { fields, autoMap, ignoreUnknown } = rules;
	if (!autoMap && !ignoreUnknown) return findField(fields, key, subtableId);
	const candidates = fields.filter((field) => field.subtableId === subtableId);
	const isLeftOut = autoMap?.ignoreFields.has(key) || isAddedByReads(key, candidates, rules);
	if (isLeftOut) return undefined;
	const readField = candidates.find(({ readName }) => readName === key);
	if (!readField && mayLeaveOut({ key, subtableId }, candidates, rules)) return 'unknown';
	refuseErrorOutput({ key, subtableId }, candidates, rules);
	const field = (autoMap?.isRead && readField) || findField(fields, key, subtableId);
	return isIgnored(field, candidates, rules) ? undefined : field;
}

/** Throws InputError for the key of n8n's error in an automatically mapped item, if no field has this name. */
function refuseErrorOutput(
	{ key, subtableId }: Pick<PlacedValue, 'key' | 'subtableId'>,
	candidates: readonly Field[],
	{ fields, autoMap }: KeyRules,
): void {
	if (!autoMap || key !== 'error' || subtableId !== undefined || fields.length === 0) return;
	if (candidates.some((candidate) => isKeyOf(key, candidate))) return;
	throw new InputError(`'${key}' is not a field of the sheet`, undefined, 'ignoreError');
}

/** Returns whether a read, a write or a trigger added the key (see `isAddedKey`), so it is not a field. */
function isAddedByReads(key: string, candidates: readonly Field[], { autoMap }: KeyRules): boolean {
	if (!isAddedKey(key)) return false;
	// If the item was read, the key of a field with this name ends with the field ID (see `nameOf`).
	const isNonFieldKey = autoMap?.isRead === true && nonFieldKeys.has(key);
	return isNonFieldKey || !candidates.some(({ name }) => name === key);
}

/**
 * Returns whether a key that is not a field may be left out instead of rejected. IDs may not, because lists can be incomplete.
 * A short number only counts as a name if `ignoreUnknown` is set and the fields are known.
 */
function mayLeaveOut(
	{ key, subtableId }: Pick<PlacedValue, 'key' | 'subtableId'>,
	candidates: readonly Field[],
	{ fields, autoMap, ignoreUnknown }: KeyRules,
): boolean {
	const id = key.trim();
	const isId = ignoreUnknown && fields.length > 0 ? isSurelyFieldId(id) : isFieldId(id);
	if (isId || candidates.some((candidate) => isKeyOf(key, candidate))) return false;
	// If the subtables are known, the rows of an unknown one must not be lost without an error.
	if (subtableId !== undefined && candidates.length === 0 && fields.length > 0) return false;
	// Other nodes may add keys that begin with an underscore.
	return ignoreUnknown === true || (autoMap !== undefined && key.startsWith('_'));
}

function isIgnored(field: Field, candidates: readonly Field[], { autoMap }: KeyRules): boolean {
	const isNameOfField = (name: string) => candidates.some((candidate) => candidate.name === name);
	return [...(autoMap?.ignoreFields ?? [])].some(
		(name) =>
			[field.fieldId, nameOf(field)].includes(name) ||
			(idInKey(name) === field.fieldId && !isNameOfField(name)),
	);
}
