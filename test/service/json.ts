/**
 * JSON that is text already: a number written digit for digit as it is stored, or a part written
 * early.
 */
export class WrittenJson {
	constructor(readonly text: string) {}
}

/**
 * An object whose keys are written in the order in which they were put in, integer-like keys too.
 */
export type OrderedObject = Map<string, JsonValue>;

/**
 * Everything that can be written as JSON here. Plain objects serve where no key looks like an
 * integer.
 */
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
 * Writes JSON text. `JSON.stringify` alone would sort record ids, which are promised in the order
 * asked for.
 */
export function writeJson(value: JsonValue): string {
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	if (value instanceof WrittenJson) return value.text;
	if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
	const entries = value instanceof Map ? value.entries() : Object.entries(value);
	let members = '';
	for (const [key, member] of entries) {
		if (members !== '') members += ',';
		members += `${JSON.stringify(key)}:${writeJson(member)}`;
	}
	return `{${members}}`;
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
