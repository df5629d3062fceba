import { InputError } from '../values/inputError';
import { nonFieldKeys } from '../read/recordKeys';
import { subtableKey } from '../values/subtableKeys';
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
const maxListedNames = 10;

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

/**
 * Returns the name of a field for output, editor and messages: its key in reads by name. A field without a name is
 * `Untitled (<id>)`, because the number in its key depends on other fields. The ID is appended to a numeric name, because
 * JavaScript moves numeric keys to the front of an item, and to a name that is also a standard key, such as `_recordId`.
 */
export function nameOf({ fieldId, name, readName = name }: Field): string {
	if (name === '' && mayBeUnnamedField(readName)) return `Untitled (${fieldId})`;
	const isTaken = nonFieldKeys.has(readName) || (isFieldId(readName) && name !== fieldId);
	return isTaken ? `${readName} (${fieldId})` : readName;
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

/** Returns whether a user's key may identify the field: by its name, its ID, or both. */
export function isKeyOf(key: string, field: Field): boolean {
	return [field.fieldId, field.name, nameOf(field)].includes(key) || idInKey(key) === field.fieldId;
}

/**
 * Returns the field for a user's key: an ID, a unique name, or any name followed by the ID in parentheses. Only searches the
 * subtable with `subtableId`, or the fields outside of subtables if it is undefined. A listed ID takes precedence over an exact
 * name, and an exact name, such as `Rate (2024)`, over the ID in it. An ID that is not listed is accepted, because lists can be
 * incomplete: the result then has the ID as its name. After a name, such an ID is only accepted if it is certainly an ID or no
 * fields are listed. Throws InputError for an unknown name, with similar names, and for an ambiguous name, with the IDs.
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
	const isAccepted = isFieldId(id) || fields.length === 0;
	if (fieldId !== undefined && (isAccepted || isSurelyFieldId(fieldId))) {
		return { fieldId, name: fieldId, subtableId };
	}
	throw unknownField(fields, key, subtableId);
}

/** Returns the error for a name or ID that is no field of the sheet or the subtable, with similar names. */
export function unknownField(
	fields: readonly Field[],
	key: string,
	subtableId?: string,
): InputError {
	const candidates = fields.filter((field) => field.subtableId === subtableId);
	const place = subtableId === undefined ? 'the sheet' : `subtable ${subtableId}`;
	const elsewhere = fields.filter((field) => field.name === key);
	const help = elsewhere.length > 0 ? otherPlaces(elsewhere) : suggestion(candidates, key);
	return new InputError(`'${key}' is not a field of ${place}.${help}`, advice(fields, key));
}

/** Returns whether a list of fields has all fields of the sheet. A list from records lacks fields that are empty in them. */
export function isCompleteList(fields: readonly Field[]): boolean {
	return fields.some(({ required }) => required !== undefined);
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
	// If the fields are only known from records, they have no other properties than IDs and names.
	if (fields.length === 0) return undefined;
	if (isCompleteList(fields)) return 'Use the exact name of the field, or its ID.';
	return "The fields' names come from the first records of the sheet. A field that is empty in all of them is not known by its name: use its ID.";
}

function suggestion(fields: readonly Field[], key: string): string {
	const names = [...new Set(fields.map(nameOf))];
	const near = nearestNames(names, key);
	if (near.length > 0) {
		const more = near.length > maxListedNames ? ` or ${near.length - maxListedNames} more` : '';
		const quoted = near.slice(0, maxListedNames).map((name) => `'${name}'`);
		return ` Did you mean ${quoted.join(' or ')}${more}?`;
	}
	return names.length === 0 ? '' : ` Its fields are ${listOf(names.map((name) => `'${name}'`))}`;
}

/** Returns a comma-separated list of the first `maxListedNames` names or IDs, and the number of further ones. */
export function listOf(words: readonly string[]): string {
	const rest = words.length - maxListedNames;
	return `${words.slice(0, maxListedNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Number of most similar names that a message suggests. It suggests more if they are equally similar. */
const minNearMisses = 3;

/** Returns the names that are similar to the text, most similar first. Similarity is the share of common pairs of letters. */
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

/** Returns the pairs of adjacent letters of a text, including its start and end. */
function letterPairs(text: string): string[] {
	const letters = ` ${text.trim().toLowerCase().slice(0, 60)} `;
	return Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2));
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
