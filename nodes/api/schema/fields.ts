import { InputError } from '../values/inputError';
import { keysBesideFields } from '../read/recordKeys';
import { subtableKey } from '../values/subtableKeys';
import { verbatimText } from '../values/text';

/** A field of a sheet, as far as the credential's user may know it. */
export interface Field {
	fieldId: string;
	/** Its name in the list of fields: empty where it has none, its id where the name is unknown. */
	name: string;
	/** Its key in reads by names, where that was asked for: names that are missing or double get numbers. */
	readName?: string;
	type?: string;
	required?: boolean;
	readOnly?: boolean;
	/** Whether the sheet does not show it. */
	hidden?: boolean;
	choices?: string[];
	subtableId?: string;
}

/** Whether the key is a field id. */
export function isFieldId(key: string): boolean {
	return /^\d+$/.test(key);
}

/** Returns the key of a field as a user gave it, with white space that may belong to its name; empty when there is nothing else. */
export function fieldKey(value: unknown): string {
	const key = verbatimText(value);
	return key.trim() === '' ? '' : key;
}

/** Ids that the service assigns have at least so many digits; a year, say, has fewer. */
const fewestDigits = 7;

/** How many names a sentence lists. */
const mostNames = 10;

/** Whether the key can only be a field id: a shorter number, such as `2024` or `105`, may as well be a name. */
export function isSurelyFieldId(key: string): boolean {
	return isFieldId(key) && key.length >= fewestDigits;
}

/**
 * A key in a read by names that may stand for a field without a name: a number, the word *Untitled*, or a text without
 * Latin letters, since the service takes its word from the language of the account. Only the list of fields tells a
 * field without a name from a field that is called so.
 */
const mayBeStandIn = /^(?:\d*|Untitled\d*|(?=.*\p{L})\P{Script=Latin}+)$/u;

/** Whether a key in a read by names may stand for a field without a name, so that the list of fields has to be asked. */
export function mayStandIn(readName: string): boolean {
	return mayBeStandIn.test(readName);
}

/**
 * Returns the name of a field in output, editor and messages: its key in a read by names. A field without a name is
 * `Untitled (<id>)`, because the number in its key changes with other fields. The ID stands behind a name that
 * JavaScript would move to the front of an item, or that something else in an item has.
 */
export function nameOf({ fieldId, name, readName = name }: Field): string {
	if (name === '' && mayStandIn(readName)) return `Untitled (${fieldId})`;
	const isTaken = keysBesideFields.has(readName) || (isFieldId(readName) && name !== fieldId);
	return isTaken ? `${readName} (${fieldId})` : readName;
}

/** Returns the key of a field in the mapper: `Customer Number (1000002)`, or its id where one of `fields` is called like that. */
export function keyWithId(field: Field, fields: readonly Field[]): string {
	const { fieldId } = field;
	// n8n finds the values of its mapper by paths in which names stand in quotation marks.
	const name = nameOf(field).replace(/["\\]/g, "'");
	const key = idInKey(name) === fieldId ? name : `${name} (${fieldId})`;
	return fields.some((other) => other.name === key) ? fieldId : key;
}

/** The field id that a key is, or that stands in parentheses at its end; undefined for a name alone. */
export function idInKey(key: string): string | undefined {
	return /^\s*(\d+)\s*$/.exec(key)?.[1] ?? / \((\d+)\)\s*$/.exec(key)?.[1];
}

/** Whether a user's key may stand for the field: by its name, its id, or both. */
export function isKeyOf(key: string, field: Field): boolean {
	return [field.fieldId, field.name, nameOf(field)].includes(key) || idInKey(key) === field.fieldId;
}

/**
 * Returns the field that a user's key stands for: its id, a name that no other one of the place has, or any name with the
 * id in parentheses behind it. What is a name to the letter, such as `Rate (2024)`, is no id. An id that is not listed is
 * taken, since a list may be partial or empty; behind a name only when it can be nothing else. Throws InputError for
 * an unknown name, with its near misses, and for an ambiguous one, with its ids.
 */
export function findField(fields: readonly Field[], key: string, subtableId?: string): Field {
	const candidates = fields.filter((field) => field.subtableId === subtableId);
	const id = key.trim();
	const byId = candidates.find(({ fieldId }) => fieldId === id);
	if (byId) return byId;
	const byName = candidates.filter(({ name }) => name === key);
	if (byName.length > 1) {
		const named = `${byName.length} fields (${byName.map(({ fieldId }) => fieldId).join(', ')})`;
		throw new InputError(`'${key}' is the name of ${named}. Use the ID of the one that is meant`);
	}
	const fieldId = idInKey(key);
	const isNamed = (field: Field) => nameOf(field) === key || field.readName === key;
	const [found] = [...byName, ...candidates.filter(isNamed)];
	const known = found ?? candidates.find((field) => field.fieldId === fieldId);
	if (known) return known;
	const isTaken = isFieldId(id) || fields.length === 0;
	if (fieldId !== undefined && (isTaken || isSurelyFieldId(fieldId)))
		return { fieldId, name: fieldId, subtableId };
	const place = subtableId === undefined ? 'the sheet' : `subtable ${subtableId}`;
	const elsewhere = fields.filter((field) => field.name === key);
	const help = elsewhere.length > 0 ? otherPlaces(elsewhere) : suggestion(candidates, key);
	throw new InputError(`'${key}' is not a field of ${place}.${help}`, advice(fields, key));
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

function advice(fields: readonly Field[], key: string): string | undefined {
	if (key.startsWith('_')) {
		return 'Keys that begin with _ are added when records are read: leave them out, or map fields automatically.';
	}
	// Of fields in records, nothing is known but ids and names.
	if (fields.length === 0) return undefined;
	if (fields.some(({ required }) => required !== undefined))
		return 'Use the exact name of the field, or its ID.';
	return "The fields' names come from the first records of the sheet. A field that is empty in all of them is not known by its name: use its ID.";
}

function suggestion(fields: readonly Field[], key: string): string {
	const names = [...new Set(fields.map(nameOf))];
	const near = nearestNames(names, key);
	if (near.length > 0) {
		const more = near.length > mostNames ? ` or ${near.length - mostNames} more` : '';
		const quoted = near.slice(0, mostNames).map((name) => `'${name}'`);
		return ` Did you mean ${quoted.join(' or ')}${more}?`;
	}
	return names.length === 0 ? '' : ` Its fields are ${listOf(names.map((name) => `'${name}'`))}`;
}

/** Returns names or ids with commas between, no more of them than a person reads. */
export function listOf(words: readonly string[]): string {
	const others = words.length - mostNames;
	return `${words.slice(0, mostNames).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/** Number of near misses that a message names. It names more if they are as near as the last of them. */
const minNearMisses = 3;

/** Returns the names that share most pairs of letters with the text, the nearest first. */
export function nearestNames(names: readonly string[], text: string): string[] {
	const textPairs = letterPairs(text);
	const likenessOf = (name: string) => {
		const pairs = letterPairs(name);
		const shared = pairs.filter((pair) => textPairs.includes(pair));
		return (2 * shared.length) / (pairs.length + textPairs.length);
	};
	const near = [...new Set(names)]
		.map((name) => ({ name, likeness: likenessOf(name) }))
		.filter(({ likeness }) => likeness >= 0.5)
		.sort((left, right) => right.likeness - left.likeness);
	const lowest = near[minNearMisses - 1]?.likeness ?? 0;
	return near.filter(({ likeness }) => likeness >= lowest).map(({ name }) => name);
}

/** The letters of a text that stand side by side, its beginning and its end included. */
function letterPairs(text: string): string[] {
	const letters = ` ${text.trim().toLowerCase().slice(0, 60)} `;
	return Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2));
}

/** The fields that every sheet has, usable in filters (specification, "System fields"). */
export const systemFields: readonly Field[] = [
	{ fieldId: '105', name: 'Create Date', type: 'dateTime' },
	{ fieldId: '106', name: 'Entry Manager' },
	{ fieldId: '108', name: 'Create User' },
	{ fieldId: '109', name: 'Last Update Date', type: 'dateTime' },
	{ fieldId: '110', name: 'Notify User' },
	{ fieldId: '111', name: 'If Locked' },
	{ fieldId: '112', name: 'If Starred' },
];
