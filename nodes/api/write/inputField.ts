import { isObject } from '../json/objects';
import { isAddedKey, nonFieldKeys } from '../read/recordKeys';
import { scopeOf, type FieldIndex, type FieldScope } from '../sheet/fieldIndex';
import { isFieldId, isSurelyFieldId, type Field } from '../sheet/fields';
import { InputError } from '../values/inputError';
import type { PlacedValue } from './parsedInput';

/** A key of an input, with its value. */
type KeyPlace = Pick<PlacedValue, 'key' | 'subtableId'> & { value?: unknown };

/** Rules for resolving keys of an input to fields. */
export interface KeyRules {
	/** The fields of the sheet; empty if no source lists them. */
	index: FieldIndex;
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
 * an ignored key and for a key that a read added, and 'unknown' for any other key that is left out. The keys of an item that was
 * read are output keys (see `FieldIndex.byOutputKey`). Throws InputError for other unknown names, and for ambiguous names.
 */
export function inputField(place: KeyPlace, rules: KeyRules): Field | 'unknown' | undefined {
	const { index, autoMap, ignoreUnknown } = rules;
	const { key, subtableId } = place;
	const scope = scopeOf(subtableId);
	if (!autoMap && !ignoreUnknown) return index.require(key, scope);
	const isLeftOut = autoMap?.ignoreFields.has(key) || isAddedByReads(key, scope, rules);
	if (isLeftOut) return undefined;
	if (mayLeaveOut({ key, subtableId }, scope, rules)) return 'unknown';
	refuseErrorOutput({ key, subtableId }, scope, rules);
	const readField = autoMap?.isRead ? index.byOutputKey(key, scope) : undefined;
	const field =
		readField ?? (autoMap ? fieldOfItem(place, scope, index) : index.require(key, scope));
	return isIgnored(field, scope, rules) ? undefined : field;
}

/**
 * Returns the field that a key of an automatically mapped item stands for. Throws InputError as `FieldIndex.require`. If the key
 * stands for no field, the advice is to leave it out, because other nodes add keys such as `row_number`, or to write the values in its
 * object, such as the `body` of a webhook.
 */
function fieldOfItem(
	{ key, value, subtableId }: KeyPlace,
	scope: FieldScope,
	index: FieldIndex,
): Field {
	const result = index.resolve(key, scope);
	if (result.kind !== 'unknown') return index.require(key, scope);
	const { message, description } = index.unknown(key, scope);
	const holdsValues = subtableId === undefined && isObject(value);
	throw new InputError(message, description, holdsValues ? 'openObject' : 'leaveOutKey');
}

/** Throws InputError for the key of n8n's error in an automatically mapped item, if no field has this name. */
function refuseErrorOutput(
	{ key, subtableId }: Pick<PlacedValue, 'key' | 'subtableId'>,
	scope: FieldScope,
	{ index, autoMap }: KeyRules,
): void {
	if (!autoMap || key !== 'error' || subtableId !== undefined || index.isEmpty) return;
	if (index.listed(key, scope).length > 0) return;
	throw new InputError(`'${key}' is not a field of the sheet`, undefined, 'ignoreError');
}

/** Returns whether a read, a write or a trigger added the key (see `isAddedKey`), so it is not a field. */
function isAddedByReads(key: string, scope: FieldScope, { index, autoMap }: KeyRules): boolean {
	if (!isAddedKey(key)) return false;
	// If the item was read, the key of a field with this name ends with the field ID (see `nameOf`).
	const isNonFieldKey = autoMap?.isRead === true && nonFieldKeys.has(key);
	return isNonFieldKey || !index.hasName(key, scope);
}

/**
 * Returns whether a key that is not a field may be left out instead of rejected. IDs may not, because lists can be incomplete.
 * A short number only counts as a name if `ignoreUnknown` is set and the fields are known.
 */
function mayLeaveOut(
	{ key, subtableId }: Pick<PlacedValue, 'key' | 'subtableId'>,
	scope: FieldScope,
	{ index, autoMap, ignoreUnknown }: KeyRules,
): boolean {
	const id = key.trim();
	const isId = ignoreUnknown && !index.isEmpty ? isSurelyFieldId(id) : isFieldId(id);
	if (isId || index.listed(key, scope).length > 0) return false;
	// If the subtables are known, the rows of an unknown one must not be lost without an error.
	const isUnknownSubtable = subtableId !== undefined && index.fieldsOf(scope).length === 0;
	if (isUnknownSubtable && !index.isEmpty) return false;
	// Other nodes may add keys that begin with an underscore.
	return ignoreUnknown === true || (autoMap !== undefined && key.startsWith('_'));
}

/** Returns whether the user ignores the field. Output keys decide first, because the item has such keys. */
function isIgnored(field: Field, scope: FieldScope, { index, autoMap }: KeyRules): boolean {
	return [...(autoMap?.ignoreFields ?? [])].some((key) => {
		const ofOutput = index.byOutputKey(key, scope);
		const ignored = ofOutput ? [ofOutput] : meantFields(index, key, scope);
		return ignored.some(({ fieldId }) => fieldId === field.fieldId);
	});
}

/** Returns the field that a key means, or all fields that have the name. */
function meantFields(index: FieldIndex, key: string, scope: FieldScope): readonly Field[] {
	const meaning = index.resolve(key, scope);
	if (meaning.kind === 'found') return [meaning.field];
	return meaning.kind === 'several' ? meaning.fields : [];
}
