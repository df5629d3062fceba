import { digest } from '../api/json/canonicalJson';
import { isObject, textMembers } from '../api/json/objects';
import { isJsonObject, orderedJsonIn, parseOrderedJson } from '../api/json/orderedJson';
import type { JsonObject, JsonValue } from '../api/json/orderedJson';
import { isRowKey, isSubtableKey } from '../api/values/subtableKeys';
import { contentDigest } from '../api/read/recordKeys';

/** Maximum number of characters of JSON stored for the watched fields of a record, divided equally among the fields. */
const maxStoredCharacters = 200;
const digestMark = '#';

/** Field key → value: as JSON, as a digest for long values and rows, or '' for an empty field. */
export type FieldStates = Readonly<Record<string, string>>;

/** Keys of the changed fields, and their known previous values. */
export interface FieldChanges {
	changed: string[];
	previous: JsonObject;
}

/**
 * Returns the states of a record's fields, '' for a missing key; undefined if all keys are missing, for example after all fields
 * were renamed. Keys of subtables always count as present, because records leave out empty subtables.
 */
export function fieldStates(content: JsonObject, keys: readonly string[]): FieldStates | undefined {
	if (!keys.some((key) => content.has(key) || isSubtableKey(key))) return undefined;
	const maxLength = Math.floor(maxStoredCharacters / keys.length);
	return Object.fromEntries(keys.map((key) => [key, stateOf(key, content.get(key), maxLength)]));
}

/** Returns stored states; undefined if they are damaged. */
export function parseFieldStates(stored: unknown): FieldStates | undefined {
	const states = textMembers(stored);
	const isWhole = isObject(stored) && Object.keys(states).length === Object.keys(stored).length;
	return isWhole && Object.values(states).every(isState) ? states : undefined;
}

function isState(text: string): boolean {
	return text === '' || text.startsWith(digestMark) || orderedJsonIn(text) !== undefined;
}

/** Returns whether a value is empty: also a subtable without rows, which reads show or leave out. */
function isEmptyValue(key: string, value: JsonValue): boolean {
	if (value === null || value === '') return true;
	if (Array.isArray(value)) return value.length === 0;
	return isJsonObject(value) && isSubtableKey(key) && ![...value.keys()].some(isRowKey);
}

function stateOf(key: string, value: JsonValue | undefined, maxLength: number): string {
	if (value === undefined || isEmptyValue(key, value)) return '';
	const text = isJsonObject(value) ? '' : JSON.stringify(value);
	if (text !== '' && text.length <= maxLength) return text;
	const only = new Map([[key, value]]);
	return digestMark + (isJsonObject(value) ? contentDigest(only) : digest(only)).slice(0, 6);
}

/**
 * Returns whether two states of a field are of the same value. One may be stored as a digest and the other as JSON, because the
 * length for JSON depends on the number of watched fields.
 */
function areSameState(key: string, left = '', right = ''): boolean {
	return left === right || digestState(key, left) === digestState(key, right);
}

function digestState(key: string, state: string): string {
	if (state === '' || state.startsWith(digestMark)) return state;
	return stateOf(key, orderedJsonIn(state), 0);
}

/**
 * Returns the changed fields among `keys`, with the previous values that are known. A field counts as changed if it is `reported`
 * or its state differs. Without `reported`, it also counts if its previous or current state is unknown. A subtable with an
 * unknown state always counts, because `reported` lists no subtables.
 *
 * @param reported IDs of the fields that a delivery lists as changed; `keys` then are IDs, too
 */
export function fieldChanges(
	keys: readonly string[],
	before: FieldStates | undefined,
	now: FieldStates | undefined,
	reported?: readonly string[],
): FieldChanges {
	const isDifferent = (key: string) => {
		const isKnown = before !== undefined && now !== undefined && key in before;
		if (isKnown) return !areSameState(key, before[key], now[key]);
		return reported === undefined || isSubtableKey(key);
	};
	const changed = keys.filter((key) => reported?.includes(key) || isDifferent(key));
	const previous: JsonObject = new Map();
	for (const key of changed) {
		const state = before?.[key];
		if (state === undefined || state.startsWith(digestMark)) continue;
		previous.set(key, state === '' ? '' : parseOrderedJson(state));
	}
	return { changed, previous };
}

/** Returns the warning for watched fields that no changed record has. */
export function lostFieldsText(ids: readonly string[]): string {
	return `The changed records do not have these watched fields: ${ids.join(', ')}. If they were deleted from the sheet, remove them from 'Watch Field Names or IDs'. Until then, the other watched fields decide, or any change counts if there is none`;
}
