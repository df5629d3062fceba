import { EntryError } from '../values/inputError';
import { subtableKey } from '../values/subtableKeys';
import {
	idInKey,
	isFieldId,
	isSurelyFieldId,
	listOf,
	maxListedNames,
	nameOf,
	systemFields,
} from './fields';
import type { Field, Subtable } from './fields';
import { nearestNames } from './nearNames';

/** Returns the error for a key that is the name of several fields, with their IDs. */
export function ambiguousField(key: string, fields: readonly Field[]): EntryError {
	const ids = fields.map(({ fieldId }) => fieldId).join(', ');
	return new EntryError(
		key,
		`is the name of ${fields.length} fields (${ids})`,
		'Use the ID of the one that is meant.',
	);
}

/** The list of fields in which a key was not found. */
interface SearchedList {
	/** All fields of the sheet and its subtables. */
	fields: readonly Field[];
	subtables: readonly Subtable[];
	/** The fields among which the key was looked up. */
	candidates: readonly Field[];
	/** Whether the list has all fields of the sheet. */
	isComplete: boolean;
	/** Subtable in whose rows the key was looked up. */
	subtableId?: string;
	/** Whether the key was also looked up among the system fields. */
	hasSystem: boolean;
}

/**
 * Returns the error for a name or ID that is no field of the sheet or the subtable, with similar names. For the name of a subtable
 * it has the key of its rows.
 */
export function unknownField(key: string, list: SearchedList): EntryError {
	const { fields, subtables, subtableId } = list;
	const place = subtableId === undefined ? 'the sheet' : `subtable ${subtableId}`;
	const elsewhere = fields.filter(({ name, fieldId }) => name === key || fieldId === idInKey(key));
	const subtable = subtables.find(({ name }) => name === key);
	const rest = elsewhere.length > 0 ? otherPlaces(elsewhere) : suggestion(list, key);
	const help = subtable
		? ` It is a subtable: its rows are under '${subtableKey(subtable.subtableId)}'`
		: rest;
	return new EntryError(key, `is not a field of ${place}.${help}`, advice(key, list));
}

/** Returns a sentence that names the places of fields. */
function otherPlaces(fields: readonly Field[]): string {
	const ids = [...new Set(fields.flatMap(({ subtableId }) => subtableId ?? []))];
	if (ids.length === 0) return ' The sheet itself has this field, outside of its subtables';
	const keys = ids.map((id) => `'${subtableKey(id)}'`).join(' and ');
	return ids.length === 1
		? ` The subtable ${ids.join()} has this field: its rows are under ${keys}`
		: ` The subtables ${ids.join(' and ')} have this field: their rows are under ${keys}`;
}

function advice(key: string, { fields, candidates, isComplete, hasSystem }: SearchedList): string {
	if (key.startsWith('_') && !hasSystem) {
		return 'Keys that begin with _ are added when records are read: leave them out, or map fields automatically.';
	}
	const onCharacters = adviceOnCharacters(key, candidates);
	if (onCharacters !== undefined) return onCharacters;
	// If the fields are only known from records, they have no other properties than IDs and names.
	if (fields.length === 0) return 'No field of the sheet is known by its name: use its ID.';
	const isListed = fields.some(({ fieldId }) => fieldId === idInKey(key));
	if (isComplete && !isListed && !isFieldId(key.trim()) && isSurelyFieldId(idInKey(key) ?? '')) {
		return 'It was chosen for another sheet, or it was deleted from this one. Remove it, or choose a field of this sheet instead.';
	}
	if (isComplete) return 'Use the exact name of the field, or its ID.';
	return "The fields' names come from the first records of the sheet. A field that is empty in all of them is not known by its name: use its ID.";
}

/** Returns advice on a name that may look like that of a field but has other characters; undefined for any other name. */
function adviceOnCharacters(key: string, candidates: readonly Field[]): string | undefined {
	const [invisible] = /[\p{Cf}\p{Cc}]|(?! )\p{Zs}/u.exec(key) ?? [];
	if (invisible !== undefined) {
		const code = invisible.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
		return `The name contains the invisible character U+${code}. Remove it, e.g. with an Edit Fields node, or use the ID of the field.`;
	}
	return candidates.some((field) => nameOf(field).normalize() === key.normalize())
		? 'The names look the same, but their accented letters are stored in different ways (Unicode). Convert the name with .normalize() in an expression, or use the ID of the field.'
		: undefined;
}

function suggestion({ candidates, hasSystem }: SearchedList, key: string): string {
	const names = [...new Set(candidates.map(nameOf))];
	const system = hasSystem ? systemFields.map(nameOf) : [];
	const near = nearestNames([...names, ...system], key);
	if (near.length > 0) {
		const more = near.length > maxListedNames ? ` or ${near.length - maxListedNames} more` : '';
		const quoted = near.slice(0, maxListedNames).map((name) => `'${name}'`);
		return ` Did you mean ${quoted.join(' or ')}${more}?`;
	}
	return names.length === 0 ? '' : ` Its fields are ${listOf(names.map((name) => `'${name}'`))}`;
}
