import { flatObjectIn } from './flatObjects';
import { decodeString, maxSharedTexts, readJson } from './jsonReader';
import { atOnce, membersByKey } from './jsonReading';
import type { JsonReading, Steps } from './jsonReading';
import { scalarText, withoutTrailing } from './objects';

export { JsonSyntaxError } from './jsonReading';

/**
 * A JSON value. Objects are Maps in the order of the text, and numbers that a JavaScript number cannot hold exactly are
 * texts: `JSON.parse` sorts keys that look like integers, and rounds long numbers.
 */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export type JsonObject = Map<string, JsonValue>;

/**
 * Maximum length of a string token, with its quotes, whose slice V8 copies. The slice of a longer token keeps the whole JSON
 * text in memory.
 */
const maxCopiedLength = 14;

const words: ReadonlyMap<string, JsonValue> = new Map(
	Object.entries({ true: true, false: false, null: null }),
);

/**
 * Returns callbacks that build JsonValues. `slices` are faster than `copies`, but each slice keeps the whole JSON text in
 * memory.
 */
export function decoding(texts: 'copies' | 'slices' = 'copies'): JsonReading<JsonValue> {
	const shortTexts = new Map<string, string>();
	return {
		key(token, isPlain) {
			return isPlain && token.length <= maxCopiedLength ? token.slice(1, -1) : decodeString(token);
		},
		text(json, start, end, isPlain) {
			const isLong = end - start > maxCopiedLength && texts === 'copies';
			if (!isPlain || isLong) return decodeString(json.slice(start, end));
			const text = json.slice(start + 1, end - 1);
			if (texts === 'slices') return text;
			const known = shortTexts.get(text);
			if (known !== undefined) return known;
			// Choices and dates repeat, so equal texts share one string to save memory.
			if (shortTexts.size < maxSharedTexts) shortTexts.set(text, text);
			return text;
		},
		scalar(token) {
			const word = words.get(token);
			return word === undefined ? exactNumberOrText(token) : word;
		},
		array: (elements) => elements,
		object: membersByKey,
	};
}

/** Returns an equal text with memory of its own. A text that was cut from another one keeps the whole other one in memory. */
export function copyText(text: string): string {
	return text.length + 2 <= maxCopiedLength ? text : decodeString(JSON.stringify(text));
}

/**
 * Returns the JSON value (RFC 8259) of a text, without the objects that `take` accepts. If a key is repeated, its last
 * value counts. Throws JsonSyntaxError for any other text, and for JSON that exceeds the limits.
 */
export function readOrderedJson(
	text: string,
	take?: JsonReading<JsonValue>['take'],
): Steps<JsonValue> {
	return readJson(text, { ...decoding(), take, flatObject: take && flatObjectIn });
}

/** Returns the JSON value of a text, as `readOrderedJson` does, without yielding to the event loop. */
export function parseOrderedJson(text: string): JsonValue {
	return atOnce(readOrderedJson(text));
}

/** Returns the value of a JSON text, or undefined if the text is not JSON or exceeds the limits of `readJson`. */
export function orderedJsonIn(text: string): JsonValue | undefined {
	try {
		return parseOrderedJson(text);
	} catch {
		return undefined;
	}
}

/** Returns a number token as a number if that keeps its value, otherwise as text. */
function exactNumberOrText(token: string): number | string {
	const value = Number(token);
	if (token.length <= 15 && !/[eE]/.test(token)) return value;
	const isSame = Number.isFinite(value) && decimalForm(token) === decimalForm(String(value));
	// Copy the text: a slice would keep the whole page in memory.
	return isSame ? value : decodeString(`"${token}"`);
}

/** Returns a canonical form of a decimal (sign, significant digits, power of ten). Equal decimals have equal forms. */
function decimalForm(token: string): string {
	const [mantissa = '', exponent = '0'] = token.toLowerCase().replace(/^-/, '').split('e');
	const [whole = '', fraction = ''] = mantissa.split('.');
	const digits = `${whole}${fraction}`.replace(/^0+/, '');
	const significant = withoutTrailing(digits, '0');
	if (significant === '') return '0';
	const power = Number(exponent) - fraction.length + digits.length - significant.length;
	return `${token.startsWith('-') ? '-' : ''}${significant}e${power}`;
}

/** Returns the first of the named members that is a text or a number, as text. */
export function memberText(object: JsonObject, ...names: string[]): string | undefined {
	return names.map((name) => scalarText(object.get(name))).find((text) => text !== undefined);
}

/** Returns whether the value is a JSON object. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
	return value instanceof Map;
}
