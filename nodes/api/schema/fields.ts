import { InputError } from '../values/inputError';
import { subtableKey } from '../values/subtableKeys';
import { textOf } from '../values/text';

/** A field of a sheet, as far as the credential's user may know it. */
export interface Field {
	fieldId: string;
	name: string;
	type?: string;
	required?: boolean;
	readOnly?: boolean;
	/** Whether the sheet does not show it. */
	hidden?: boolean;
	choices?: string[];
	subtableId?: string;
	/** What a read by names calls it, where that was asked for: names that are missing or double get numbers. */
	readName?: string;
}

/** Whether the key is a field id and needs no looking up. */
export function isFieldId(key: string): boolean {
	return /^\d+$/.test(key);
}

/**
 * The key of a field as a user gave it, with the white space that may belong to its name; empty when
 * nothing else is given.
 */
export function fieldKey(value: unknown): string {
	const key = typeof value === 'string' ? value : textOf(value);
	return key.trim() === '' ? '' : key;
}

/** Ids that the service assigns have at least so many digits; a year, say, has fewer. */
const fewestDigits = 7;

/** Of how many fields the names are told when none is near. */
const mostNames = 12;

/**
 * Whether the key can only be a field id: a shorter number may as well be a field's name, such as `2024`,
 * even if it is the id of a system field or of one on a users sheet.
 */
export function isSurelyFieldId(key: string): boolean {
	return isFieldId(key) && key.length >= fewestDigits;
}

/**
 * The key of a field that people can read and that still finds it when its name is another one:
 * `Customer Number (1000002)`. It is the id alone where the field has no name, or where such a text is the
 * name of a field.
 *
 * @param fields all fields of the sheet or of the subtable
 */
export function keyWithId({ fieldId, name }: Field, fields: readonly Field[]): string {
	// n8n finds the values of its mapper by paths in which names stand in quotation marks.
	const key = `${name.replace(/["\\]/g, "'")} (${fieldId})`;
	const isName = fields.some((field) => field.name === key);
	return name === fieldId || isName ? fieldId : key;
}

/** The field id that a key is, or that stands in parentheses at its end; undefined for a name alone. */
export function idInKey(key: string): string | undefined {
	const text = key.trim();
	return isFieldId(text) ? text : /\((\d+)\)$/.exec(text)?.[1];
}

/**
 * The field that a user's key stands for: a field id, a name that only one field of the sheet (or of the
 * subtable) has, or any name with the id in parentheses behind it. What is a name to the letter is no id: a
 * field may be called `Rate (2024)`. A field id that is not listed is taken as it is, since a list may be
 * partial; behind a name only when there is no list, or when the number can only be an id.
 *
 * @param fields of the sheet and its subtables; empty when no list is to be had
 * @throws InputError for an unknown name, with its near misses, and for an ambiguous one, with its ids
 */
export function findField(fields: readonly Field[], key: string, subtableId?: string): Field {
	const candidates = fields.filter((field) => field.subtableId === subtableId);
	const id = key.trim();
	const byId = candidates.find(({ fieldId }) => fieldId === id);
	if (byId) return byId;
	const byName = candidates.filter(({ name }) => name === key);
	const [only] = byName;
	if (only && byName.length === 1) return only;
	if (byName.length > 1) {
		const ids = byName.map(({ fieldId }) => fieldId).join(', ');
		throw new InputError(
			`'${key}' is the name of ${byName.length} fields (${ids}). Use the ID of the one that is meant`,
		);
	}
	const fieldId = idInKey(key);
	const byIdInKey = candidates.find((field) => field.fieldId === fieldId);
	if (byIdInKey) return byIdInKey;
	const isTaken = isFieldId(id) || fields.length === 0;
	if (fieldId !== undefined && (isTaken || isSurelyFieldId(fieldId)))
		return { fieldId, name: fieldId, subtableId };
	const place = subtableId === undefined ? 'the sheet' : `subtable ${subtableId}`;
	const elsewhere = fields.find(({ name }) => name === key);
	throw new InputError(
		`'${key}' is not a field of ${place}.${elsewhere ? placeOf(elsewhere) : suggestion(candidates, key)}`,
		comeFromRecords(fields)
			? "The fields' names come from the first records of the sheet. A field that is empty in all of them is not known by its name: use its ID."
			: undefined,
	);
}

/** Of such fields, nothing is known but ids and names. */
function comeFromRecords(fields: readonly Field[]): boolean {
	return fields.length > 0 && fields.every(({ required }) => required === undefined);
}

function placeOf({ subtableId }: Field): string {
	return subtableId === undefined
		? ' The sheet itself has a field of this name, outside of the subtable'
		: ` The subtable ${subtableId} has a field of this name: put it into a row of '${subtableKey(subtableId)}'`;
}

function suggestion(fields: readonly Field[], key: string): string {
	const near = nearestNames(
		fields.map(({ name }) => name),
		key,
	);
	if (near.length > 0) return ` Did you mean ${near.map((name) => `'${name}'`).join(' or ')}?`;
	const names = [...new Set(fields.map(({ name }) => name))];
	if (names.length === 0) return '';
	const shown = names
		.slice(0, mostNames)
		.map((name) => `'${name}'`)
		.join(', ');
	const others = names.length - mostNames;
	return ` Its fields are ${shown}${others > 0 ? ` and ${others} more` : ''}`;
}

/** Up to three names that differ from the text by little, the nearest first. */
export function nearestNames(names: readonly string[], text: string): string[] {
	const wanted = normalized(text);
	const limit = Math.max(1, Math.floor(wanted.length / 3));
	return [...new Set(names)]
		.map((name) => ({ name, distance: editDistance(normalized(name), wanted) }))
		.filter(({ name, distance }) => distance <= limit || contains(normalized(name), wanted))
		.sort((left, right) => left.distance - right.distance)
		.slice(0, 3)
		.map(({ name }) => name);
}

function normalized(text: string): string {
	return text.trim().toLowerCase().slice(0, 60);
}

function contains(name: string, wanted: string): boolean {
	return (
		wanted.length >= 3 && (name.includes(wanted) || (name.length >= 3 && wanted.includes(name)))
	);
}

/** Levenshtein distance: insertions, deletions and replacements from one text to the other. */
function editDistance(left: string, right: string): number {
	let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
	for (let row = 1; row <= left.length; row++) {
		const current = [row];
		for (let column = 1; column <= right.length; column++) {
			const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
			const removed = (previous[column] ?? 0) + 1;
			const inserted = (current[column - 1] ?? 0) + 1;
			current.push(Math.min(replaced, removed, inserted));
		}
		previous = current;
	}
	return previous[right.length] ?? 0;
}

/** The name of a field in what the user sees. */
export function nameOf({ name, readName }: Field): string {
	return readName ?? name;
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

/** Whether the field is a date that the service itself keeps. */
export function isSystemDateField(fieldId: string): boolean {
	return fieldId === '105' || fieldId === '109';
}
