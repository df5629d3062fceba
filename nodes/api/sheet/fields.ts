import type { Naming } from '../read/readOptions';
import { nonFieldKeys } from '../read/recordKeys';
import { verbatimText } from '../values/text';

/** A field of a sheet. Properties that the user may not see are omitted. */
export interface Field {
	fieldId: string;
	/** Name in the list of fields: empty if the field has no name, its ID if the name is unknown. */
	name: string;
	/** Key in reads by name, if loaded. The service numbers missing and duplicate names. */
	readName?: string;
	type?: string;
	required?: boolean;
	readOnly?: boolean;
	/** Whether the service computes the values. Undefined if the list of fields does not tell. */
	computed?: boolean;
	/** Whether the sheet hides the field. */
	hidden?: boolean;
	choices?: string[];
	subtableId?: string;
}

/** The fields and subtables of a sheet, in the order in which the service names them. */
export interface FieldList {
	fields: Field[];
	subtables: Subtable[];
	/** ID of the field that identifies a record. */
	keyFieldId?: string;
}

/** A subtable of a sheet. */
export interface Subtable {
	subtableId: string;
	name?: string;
}

/** Returns whether the key has the format of a field ID. */
export function isFieldId(key: string): boolean {
	return /^\d+$/.test(key);
}

/**
 * Returns a field name or ID as entered by a user. White space around it is kept, because it may belong to the name. A text of
 * nothing but white space becomes an empty text.
 */
export function fieldKey(value: unknown): string {
	const key = verbatimText(value);
	return key.trim() === '' ? '' : key;
}

/** Minimum number of digits of an ID that the service assigns. Other numbers, such as years, are shorter. */
const minIdDigits = 7;

/** Maximum number of names that a message lists. */
export const maxListedNames = 10;

/** Returns whether the key is certainly a field ID. A shorter number, such as `2024` or `105`, may also be a name. */
export function isSurelyFieldId(key: string): boolean {
	return isFieldId(key) && key.length >= minIdDigits;
}

/**
 * Matches keys in reads by name that the service may use for fields without a name: a number, the word *Untitled*, or a text
 * without Latin letters, because the word depends on the language of the account. Only the list of fields shows whether a field
 * really has this name.
 */
const unnamedFieldKey = /^(?:\d*|Untitled\d*|(?=.*\p{L})\P{Script=Latin}+)$/u;

/** Returns whether a key in a read by name may belong to a field without a name. The list of fields is needed to be certain. */
export function mayBeUnnamedField(readName: string): boolean {
	return unnamedFieldKey.test(readName);
}

/** Returns the key of a field in reads by ID or by name. In reads by name, it is the name of the field if the key was not loaded. */
export function readKeyOf(
	{ fieldId, name, readName = name }: Field,
	naming: Naming = 'FNAME',
): string {
	return naming === 'EID' ? fieldId : readName;
}

/**
 * Returns the name of a field for output, editor and messages: its key in reads by name. A field without a name is
 * `Untitled (<id>)`, because the number in its key depends on other fields. The ID is appended to a numeric name, because
 * JavaScript moves numeric keys to the front of an item, and to a name that is also a standard key, such as `_recordId`.
 */
export function nameOf(field: Field): string {
	const { fieldId, name } = field;
	const key = readKeyOf(field);
	if (name === '' && mayBeUnnamedField(key)) return `Untitled (${fieldId})`;
	const isTaken = nonFieldKeys.has(key) || (isFieldId(key) && name !== fieldId);
	return isTaken ? `${key} (${fieldId})` : key;
}

/** Returns a field's key in the mapper: `Customer Number (1000002)`, or its ID if another field has this text as its name. */
export function keyWithId(field: Field, fields: readonly Field[]): string {
	const { fieldId } = field;
	// n8n addresses the values of its mapper by paths with quoted names, so names must not contain quotation marks.
	const name = nameOf(field).replace(/["\\]/g, "'");
	const key = idInKey(name) === fieldId ? name : `${name} (${fieldId})`;
	return fields.some((listed) => listed.name === key) ? fieldId : key;
}

/** Returns the field ID in a key: the key itself, or the ID in parentheses at its end; undefined for a plain name. */
export function idInKey(key: string): string | undefined {
	return /^\s*(\d+)\s*$/.exec(key)?.[1] ?? / \((\d+)\)\s*$/.exec(key)?.[1];
}

/** Returns a comma-separated list of the first `maxListedNames` names or IDs, and the number of further ones. */
export function listOf(words: readonly string[]): string {
	const rest = words.length - maxListedNames;
	return `${words.slice(0, maxListedNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** The fields of every sheet, for filters (specification, "System fields"). */
export const systemFields: readonly Field[] = [
	{ fieldId: '105', name: 'Create Date', type: 'dateTime' },
	{ fieldId: '106', name: 'Entry Manager' },
	{ fieldId: '108', name: 'Create User' },
	{ fieldId: '109', name: 'Last Update Date', type: 'dateTime' },
	{ fieldId: '110', name: 'Notify User' },
	{ fieldId: '111', name: 'If Locked' },
	{ fieldId: '112', name: 'If Starred' },
];
