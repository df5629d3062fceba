/** Serialized JSON: a number with its original digits, or a part serialized earlier. */
export class WrittenJson {
	constructor(readonly text: string) {}
}

/** An object whose keys are written in insertion order, including keys that look like integers. */
export type OrderedObject = Map<string, JsonValue>;

/** Input of `writeJson`. Plain objects are allowed if no key looks like an integer. */
export type JsonValue =
	| string
	| number
	| boolean
	| null
	| WrittenJson
	| OrderedObject
	| JsonValue[]
	| { [key: string]: JsonValue };

/**
 * Serializes JSON in one line. `JSON.stringify` alone would sort record IDs, which must keep the requested order. Serialized
 * numbers keep their digits.
 *
 * @param spell serializes a string
 *
 * @param sorted sorts the keys of every object alphabetically (specification, "Signature verification")
 */
export function writeJson(
	value: JsonValue,
	spell: (text: string) => string = JSON.stringify,
	sorted = false,
): string {
	if (typeof value === 'string') return spell(value);
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	if (value instanceof WrittenJson) return value.text;
	if (Array.isArray(value))
		return `[${value.map((part) => writeJson(part, spell, sorted)).join(',')}]`;
	const entries = value instanceof Map ? [...value] : Object.entries(value);
	if (sorted) entries.sort(([left], [right]) => (left < right ? -1 : 1));
	const members = entries.map(
		([key, member]) => `${spell(key)}:${writeJson(member, spell, sorted)}`,
	);
	return `{${members.join(',')}}`;
}

/** Matches JSON strings and numbers. */
export const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON and returns every number as a string, because fields hold texts and a number of twenty digits must not be
 * rounded. Throws if the text is not JSON.
 */
export function readJsonWithNumbersAsText(text: string): unknown {
	JSON.parse(text);
	const quoted = text.replace(stringOrNumber, (token) =>
		token.startsWith('"') ? token : `"${token}"`,
	);
	return JSON.parse(quoted);
}

/** Returns whether the value is a JSON object: neither `null` nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
