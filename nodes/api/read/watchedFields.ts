import { digest } from '../json/canonicalJson';
import {
	isJsonObject,
	parseOrderedJson,
	type JsonObject,
	type JsonValue,
} from '../json/orderedJson';
import { isSubtableKey } from '../values/subtableKeys';
import { contentDigest } from './recordKeys';

/** So many characters of what the watched fields of a record held are kept, in equal parts. */
const mostCharacters = 200;
const digestMark = '#';

/** What fields held, by their keys: JSON, of long values and rows a digest, and nothing for an empty field. */
export type FieldStates = Readonly<Record<string, string>>;

/** Which fields changed, and what they held before, as far as that is known. */
export interface FieldChanges {
	changed: string[];
	previous: JsonObject;
}

/** Returns what a record's fields of these keys hold; undefined when it has none of them, as after a rename. A subtable without rows may be left out. */
export function fieldStates(content: JsonObject, keys: readonly string[]): FieldStates | undefined {
	if (!keys.some((key) => content.has(key) || isSubtableKey(key))) return undefined;
	const longest = Math.floor(mostCharacters / keys.length);
	return Object.fromEntries(keys.map((key) => [key, stateOf(key, content.get(key), longest)]));
}

function stateOf(key: string, value: JsonValue | undefined, longest: number): string {
	if (value === undefined || value === null || value === '') return '';
	if (Array.isArray(value) && value.length === 0) return '';
	const text = isJsonObject(value) ? '' : JSON.stringify(value);
	if (text !== '' && text.length <= longest) return text;
	const only = new Map([[key, value]]);
	return digestMark + (isJsonObject(value) ? contentDigest(only) : digest(only)).slice(0, 6);
}

/**
 * Returns how fields changed. All count as changed when it is not known what they held, unless it was told which did.
 *
 * @param told keys of fields that changed
 */
export function fieldChanges(
	keys: readonly string[],
	before: FieldStates | undefined,
	now: FieldStates | undefined,
	told?: readonly string[],
): FieldChanges {
	const isOther = (key: string) => {
		const isKnown = before !== undefined && now !== undefined && key in before;
		return isKnown ? before[key] !== now[key] : told === undefined;
	};
	const changed = keys.filter((key) => told?.includes(key) || isOther(key));
	const states = changed.map((key) => [key, before?.[key]] as const);
	const previous = states.flatMap(([key, state]): Array<[string, JsonValue]> =>
		state === undefined || state.startsWith(digestMark)
			? []
			: [[key, state === '' ? '' : parseOrderedJson(state)]],
	);
	return { changed, previous: new Map(previous) };
}
