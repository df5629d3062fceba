import { textDigest } from '../api/json/canonicalJson';
import { getOrInsert } from '../api/json/objects';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/orderedJson';
import type { Naming } from '../api/read/readOptions';
import { readKeyOf, type Field } from '../api/sheet/fields';
import { isRowKey, isSubtableKey, subtableKey, subtableOf } from '../api/values/subtableKeys';

/** Number of characters of the digest of a field's key, and of its value, of 6 bits each. */
const digestLength = 3;

/**
 * The fields whose values people enter, by their place in a record: the key of a field, the key of a subtable (its rows), or both
 * for a field of its rows. Values of formulas and of read-only fields change without an update of the record.
 */
export class EnteredFields {
	private constructor(
		private readonly places: ReadonlySet<string>,
		/** Whether the list of fields tells which fields are formulas, and not only which are read-only. */
		readonly isCertain: boolean,
	) {}

	/** Returns undefined if the list tells neither. */
	static of(fields: readonly Field[], naming: Naming): EnteredFields | undefined {
		const isTold = ({ computed, readOnly }: Field) =>
			computed !== undefined || readOnly !== undefined;
		if (!fields.some(isTold)) return undefined;
		const places = new Set<string>();
		const otherPlaces = new Set<string>();
		for (const field of fields) {
			const { subtableId, computed, readOnly } = field;
			const key = readKeyOf(field, naming);
			const isEntered = !computed && !readOnly;
			const rows = subtableId === undefined ? undefined : subtableKey(subtableId);
			(isEntered ? places : otherPlaces).add(rows === undefined ? key : `${rows} ${key}`);
			if (rows !== undefined && isEntered) places.add(rows);
		}
		// If several fields have one key, it is not known which of them it stands for.
		for (const place of otherPlaces) places.delete(place);
		return new EnteredFields(
			places,
			fields.some(({ computed }) => computed !== undefined),
		);
	}

	/** Returns whether the value at one of the places is entered by people. */
	includesAny(places: readonly string[]): boolean {
		return places.some((place) => this.places.has(place));
	}
}

/** Returns digests of all values of a record as one text. */
export function fieldDigests(content: JsonObject): string {
	return [...digestsByPlace(content)].map(([place, value]) => digestOf(place) + value).join('');
}

/**
 * Returns the places whose values differ from those in a text of `fieldDigests`, and the subtables that it lacks. Leaves out
 * fields that only one of both has, also fields of rows, because they may be new, renamed or deleted.
 */
export function changedPlaces(before: string, content: JsonObject): string[] {
	const known = new Map<string, string>();
	for (let at = 0; at < before.length; at += 2 * digestLength) {
		const middle = at + digestLength;
		known.set(before.slice(at, middle), before.slice(middle, middle + digestLength));
	}
	const present = digestsByPlace(content);
	const isChanged = ([place, value]: [string, string]) => {
		const valueBefore = known.get(digestOf(place));
		return valueBefore === undefined ? subtableOf(place) !== undefined : valueBefore !== value;
	};
	return [...present].filter(isChanged).map(([place]) => place);
}

/** Returns the digest of the value at each place. For a subtable it is a digest of its row IDs. */
function digestsByPlace(content: JsonObject): Map<string, string> {
	const digests = new Map<string, string>();
	for (const [key, value] of content) {
		if (isSubtableKey(key)) addRows(digests, key, value);
		else if (!key.startsWith('_')) digests.set(key, digestOf(JSON.stringify(value)));
	}
	return digests;
}

function addRows(digests: Map<string, string>, subtable: string, rows: JsonValue): void {
	if (!isJsonObject(rows)) return;
	const columns = new Map<string, unknown[]>();
	const rowIds: string[] = [];
	for (const [rowId, row] of rows) {
		if (!isRowKey(rowId) || !isJsonObject(row)) continue;
		rowIds.push(rowId);
		for (const [key, value] of row) {
			if (!key.startsWith('_')) getOrInsert(columns, key, () => []).push([rowId, value]);
		}
	}
	if (rowIds.length === 0) return;
	digests.set(subtable, digestOf(JSON.stringify(rowIds)));
	for (const [key, values] of columns) {
		digests.set(`${subtable} ${key}`, digestOf(JSON.stringify(values)));
	}
}

function digestOf(text: string): string {
	return textDigest(text).slice(0, digestLength);
}
