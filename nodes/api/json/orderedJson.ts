import { atOnce, decodeString, membersByKey, mostKnown, readJson } from './jsonReader';
import type { JsonReading } from './jsonReader';
import { scalarText, withoutTrailing } from './objects';

export { JsonSyntaxError } from './jsonReader';

/** JSON with objects as Maps in the order of the text, and long numbers as texts: `JSON.parse` re-sorts ids as keys, and rounds. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export type JsonObject = Map<string, JsonValue>;

/** Of the token, quotes included, of a text so short that V8 copies it out of the whole text. */
const longestCopied = 14;

const words = new Map<string, JsonValue>(Object.entries({ true: true, false: false, null: null }));

/** Returns what makes values. Texts as `slices` are made quickly, but each keeps the whole JSON text in memory. */
export function decoding(texts: 'copies' | 'slices' = 'copies'): JsonReading<JsonValue> {
	const shortTexts = new Map<string, string>();
	return {
		key: decodeString,
		text(json, start, end, isPlain) {
			const isLong = end - start > longestCopied && texts === 'copies';
			if (!isPlain || isLong) return decodeString(json.slice(start, end));
			const text = json.slice(start + 1, end - 1);
			if (texts === 'slices') return text;
			const known = shortTexts.get(text);
			if (known !== undefined) return known;
			// Choices and dates repeat: one string for all of them saves memory.
			if (shortTexts.size < mostKnown) shortTexts.set(text, text);
			return text;
		},
		scalar(token) {
			const word = words.get(token);
			return word === undefined ? numberOrText(token) : word;
		},
		array: (elements) => elements,
		object: membersByKey,
	};
}

/** Reads one JSON value (RFC 8259) without what `take` takes; of a repeated key the last value counts. Throws JsonSyntaxError for other texts. */
export function parseOrderedJson(text: string, take?: JsonReading<JsonValue>['take']): JsonValue {
	return atOnce(readJson(text, { ...decoding(), take }));
}

/** The value of a JSON text, or undefined when it is none. */
export function orderedJsonIn(
	text: string,
	parse: (text: string) => JsonValue = parseOrderedJson,
): JsonValue | undefined {
	try {
		return parse(text);
	} catch {
		return undefined;
	}
}

/** A number token as a number when that keeps its value, else as its own text. */
function numberOrText(token: string): number | string {
	const value = Number(token);
	if (token.length <= 15 && !/[eE]/.test(token)) return value;
	const isSame = Number.isFinite(value) && decimalForm(token) === decimalForm(String(value));
	// A slice would keep the text of the whole page in memory.
	return isSame ? value : decodeString(`"${token}"`);
}

/** Sign, digits without leading and trailing zeros, and power of ten: equal for equal decimals. */
function decimalForm(token: string): string {
	const [mantissa = '', exponent = '0'] = token.toLowerCase().replace(/^-/, '').split('e');
	const [whole = '', fraction = ''] = mantissa.split('.');
	const digits = `${whole}${fraction}`.replace(/^0+/, '');
	const significant = withoutTrailing(digits, '0');
	if (significant === '') return '0';
	const power = Number(exponent) - fraction.length + digits.length - significant.length;
	return `${token.startsWith('-') ? '-' : ''}${significant}e${power}`;
}

/** The first text or number among the members of these names, as a text. */
export function memberText(object: JsonObject, ...names: string[]): string | undefined {
	return names.map((name) => scalarText(object.get(name))).find((text) => text !== undefined);
}

/** Whether the value is a JSON object. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
	return value instanceof Map;
}
