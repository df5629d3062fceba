/** JSON that is text already: a number digit for digit as it is stored, or a part written early. */
export class WrittenJson {
	constructor(readonly text: string) {}
}

/** Its keys are written in the order in which they were put in, integer-like keys too. */
export type OrderedObject = Map<string, JsonValue>;

/** What `writeJson` takes. Plain objects serve where no key looks like an integer. */
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
 * Writes JSON text in one line. `JSON.stringify` alone would sort record ids, which are promised in the order
 * asked for. Numbers that are written already stay digit for digit.
 *
 * @param spell writes a text
 * @param sorted with the keys of every object in alphabetical order (specification, "Signature verification")
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

/** The tokens of JSON that hold a text or a number. */
export const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Reads JSON with every number as its own text: fields hold texts, and a number of twenty digits
 * must not be rounded on its way in. Throws on what is no JSON.
 */
export function readJsonWithNumbersAsText(text: string): unknown {
	JSON.parse(text);
	const quoted = text.replace(stringOrNumber, (token) =>
		token.startsWith('"') ? token : `"${token}"`,
	);
	return JSON.parse(quoted);
}

/** Whether a value is an object of JSON: neither `null` nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
