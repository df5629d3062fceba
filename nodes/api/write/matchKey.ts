import { normalForm } from '../values/normalForm';
import type { JsonValue } from '../json/orderedJson';
import type { SheetRecord } from '../read/record';
import { InputError } from '../values/inputError';
import { isMasked } from '../values/text';
import { whereParameter, type WhereCondition } from '../read/where';

/** The values that a record must hold, one for each of the match fields. */
export type MatchKey = readonly string[];

/** A key as far as it is compared with records. */
export interface ComparedKey {
	values: MatchKey;
	/** Its values to the letter, together. */
	text: string;
	forms: string[];
}

/** A record as far as it is compared with keys. */
export interface ComparedRecord {
	id: string;
	values: MatchKey;
	text: string;
	/** The normal forms of each value; a multiple selection has one for each choice. */
	forms: string[][];
}

/** The ids of the records that match, by the text of each key of which that is certain. */
export type SettledMatches = ReadonlyMap<string, string[]>;

/** A text that no other key has. */
export function keyText(key: MatchKey): string {
	return JSON.stringify(key);
}

/** A key with all that it is compared by. */
export function comparedKey(values: MatchKey): ComparedKey {
	return { values, text: keyText(values), forms: values.map(normalForm) };
}

/** Whether the service would find every record whose field is empty: it takes blanks for nothing. */
export function isEmptyValue(value: string): boolean {
	return value.trim() === '';
}

/** @throws InputError when a value of the key is empty, with the field that it is for */
export function requireValues(fieldIds: readonly string[], key: MatchKey): void {
	const empty = fieldIds.find((_, index) => isEmptyValue(key[index] ?? ''));
	if (empty === undefined) return;
	throw new InputError(
		`The field ${empty} to match on has no value in this item`,
		'Give each item a value for every field to match on.',
	);
}

/**
 * A record with what its match fields hold.
 *
 * @param keys those that were asked for: stars among them are no mask
 * @throws InputError when a field is masked, or not there: then it cannot be compared
 */
export function comparedRecord(
	{ id, content }: SheetRecord,
	fieldIds: readonly string[],
	keys: readonly ComparedKey[],
): ComparedRecord {
	const contents = fieldIds.map((fieldId) => content.get(fieldId));
	const values = contents.map(valueText);
	const hidden = fieldIds.find((_, index) => {
		const value = values[index] ?? '';
		const isGiven = keys.some((key) => key.values[index] === value);
		return contents[index] === undefined || (isMasked(value) && !isGiven);
	});
	if (hidden === undefined) {
		return { id, values, text: keyText(values), forms: contents.map(normalForms) };
	}
	throw new InputError(
		`The service does not show the field ${hidden} to this user, so nobody knows which records match`,
		'Match on another field, or use a credential whose user may see this one.',
	);
}

/** The records that hold a key's values to the letter; where none does, those that hold them by normal form. */
export function bestMatches(
	records: readonly ComparedRecord[],
	key: ComparedKey,
): ComparedRecord[] {
	const exact = records.filter(({ text }) => text === key.text);
	if (exact.length > 0) return exact;
	return records.filter(({ forms }) =>
		forms.every((own, index) => own.includes(key.forms[index] ?? '')),
	);
}

/**
 * What the answer tells about keys that were asked for together. A key is left open when records may have
 * been found by another key's spelling of its values only.
 */
export function settledMatches(
	records: readonly ComparedRecord[],
	keys: readonly ComparedKey[],
): SettledMatches {
	const settled = new Map<string, string[]>();
	for (const key of keys) {
		const best = bestMatches(records, key);
		if (!best.every((record) => isFoundBy(key, record, keys))) continue;
		settled.set(
			key.text,
			best.map(({ id }) => id),
		);
	}
	return settled;
}

/** Whether one of the best matches was found by that key, and not by another one's spelling of its values. */
function isFoundBy(
	key: ComparedKey,
	record: ComparedRecord,
	keys: readonly ComparedKey[],
): boolean {
	return record.forms.every((forms, index) => {
		const own = key.values[index];
		if (record.values[index] === own) return true;
		return !keys.some(
			(other) => other.values[index] !== own && forms.includes(other.forms[index] ?? ''),
		);
	});
}

function valueText(value: JsonValue | undefined): string {
	if (Array.isArray(value) && value.length === 1) return valueText(value[0]);
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

function normalForms(value: JsonValue | undefined): string[] {
	const whole = normalForm(valueText(value));
	return Array.isArray(value)
		? [whole, ...value.map((one) => normalForm(valueText(one)))]
		: [whole];
}

/** Servers and proxies on the way accept addresses of about 8,000 characters. */
const longestConditions = 7_000;

/** Keys in batches whose conditions fit into one address; each once, and none with an empty value. */
export function keyBatches(fieldIds: readonly string[], keys: readonly MatchKey[]): MatchKey[][] {
	const different = new Map(keys.map((key) => [keyText(key), key]));
	const batches: MatchKey[][] = [];
	let room = 0;
	for (const key of different.values()) {
		if (key.some(isEmptyValue)) continue;
		const length = keyConditions(fieldIds, [key]).map(whereParameter).join('&').length + 1;
		if (length > room) {
			batches.push([]);
			room = longestConditions;
		}
		batches.at(-1)?.push(key);
		room -= length;
	}
	return batches;
}

/**
 * The conditions that find the records of all the keys, and maybe more: the service combines several `eq` on one
 * field with OR, and different fields with AND (specification, filter rules 6 and 8).
 */
export function keyConditions(
	fieldIds: readonly string[],
	keys: readonly MatchKey[],
): WhereCondition[] {
	return fieldIds.flatMap((fieldId, index) => {
		const values = new Set(keys.map((key) => key[index] ?? ''));
		return [...values].map((value) => ({ fieldId, operator: 'eq', value }));
	});
}
