import { createHash } from 'node:crypto';
import { decodeString, elementsPerPart, readJson, stringEndFrom } from './jsonReader';
import { membersByKey } from './jsonReading';
import type { JsonLimits, JsonMembers, Steps } from './jsonReading';
import { getOrInsert } from './objects';
import { decoding, isJsonObject, type JsonObject, type JsonValue } from './orderedJson';

interface JsonSpelling {
	/** Characters that the writer escapes, in addition to the mandatory ones. */
	escaped: RegExp;
	/** Whether the hexadecimal digits of escapes are in upper case. */
	hasCapitals?: true;
}

/**
 * Spellings of common JSON writers in Java, PHP, Python and JavaScript. Spelling number n is element n - 1. Number 0 is the
 * canonical text itself, with its escapes as received.
 */
const spellings: readonly JsonSpelling[] = [
	{ escaped: /(?!)/g },
	{ escaped: /\//g },
	{ escaped: /[\u007f-\uffff]/g },
	{ escaped: /[\u007f-\uffff/]/g },
	{ escaped: /[\u007f-\uffff]/g, hasCapitals: true },
	{ escaped: /[\u007f-\uffff/]/g, hasCapitals: true },
	{ escaped: /[<>&='\u2028\u2029]/g },
	{ escaped: /[<>&='\u007f-\uffff]/g },
	{ escaped: /[\u2028\u2029]/g },
	{ escaped: /[\u007f-\u009f\u2000-\u20ff]|(?<=<)\//g },
	{ escaped: /[\u007f-\u009f\u2000-\u20ff/]/g, hasCapitals: true },
];

/** Minimum length in characters of the chunks of a text in another spelling. Only the last chunk may be shorter. */
export const chunkLength = 100_000;

/** Minimum length in characters of a text that makes `joinedByCommas` concatenate all its texts instead of joining them. */
export const longTextLength = 100_000;

/** Characters that JSON writers spell differently. */
const ambiguousCharacters = /[\\/<>&='\u007f-\uffff]/;

/**
 * Parses JSON. Returns its value, and the canonical text of the member `name` of the outermost object (specification, "Signature
 * verification"). If the member is repeated, the last one counts. `signedText` is undefined if there is no such member, or if its
 * key occurs in two spellings, such as `"data"` and `"d\u0061ta"`. Throws JsonSyntaxError.
 */
export function* readSigned(
	text: string,
	name: string,
	limits?: JsonLimits,
): Steps<{ value: JsonValue; signedText: string | undefined }> {
	// Key list → its sorted keys. Objects with the same keys share one list.
	const sortedKeys = new WeakMap<readonly string[], ReturnType<typeof sortedKeysOf>>();
	// Canonical texts of values that are not part of an enclosing value yet.
	const texts: string[] = [];
	// The outermost object ends last.
	let outermost: JsonMembers<string> | undefined;
	const values = decoding('slices');
	const value = yield* readJson(
		text,
		{
			key(token, isPlain) {
				// Decode the key only to reject malformed escapes and control characters.
				if (!isPlain) decodeString(token);
				return token;
			},
			text(json, start, end, isPlain) {
				texts.push(json.slice(start, end));
				return values.text(json, start, end, isPlain);
			},
			scalar(token) {
				texts.push(token);
				return values.scalar(token);
			},
			onElements() {
				texts.push(joinedByCommas(texts.splice(-elementsPerPart)));
			},
			array(elements) {
				outermost = undefined;
				const parts = Math.floor(elements.length / elementsPerPart);
				const count = parts + (elements.length % elementsPerPart);
				const elementTexts = texts.splice(texts.length - count);
				texts.push(`[${joinedByCommas(elementTexts)}]`);
				return elements;
			},
			object(members) {
				const { keys } = members;
				const valueTexts = texts.splice(texts.length - keys.length);
				outermost = { keys, values: valueTexts };
				const { names, order } = getOrInsert(sortedKeys, keys, () => sortedKeysOf(keys));
				const memberTexts = order.map((index) => `${keys[index]}:${valueTexts[index]}`);
				texts.push(`{${joinedByCommas(memberTexts)}}`);
				return membersByKey({ keys: names, values: members.values });
			},
		},
		limits,
	);
	const members = outermost ? [...membersByKey(outermost)] : [];
	const found = members.filter(([key]) => decodeString(key) === name);
	return { value, signedText: found.length === 1 ? found[0]?.[1] : undefined };
}

/**
 * Returns the numbers of the spellings to try, because the specification does not say which spelling is signed: all of them if
 * the text has ambiguous characters, even if some give the same text; otherwise only 0, the canonical text.
 */
export function spellingsOf(canonical: string): number[] {
	return ambiguousCharacters.test(canonical) ? [...Array(spellings.length + 1).keys()] : [0];
}

/**
 * Converts a canonical text to another spelling. Yields it in chunks, because it may be megabytes long; for spelling 0, as a
 * whole.
 */
export function* respelled(canonical: string, spelling: number): Generator<string, void, void> {
	const spell = spellings[spelling - 1];
	if (!spell) return yield canonical;
	let chunk = '';
	let from = 0;
	for (let start = canonical.indexOf('"'); start !== -1; start = canonical.indexOf('"', from)) {
		const end = stringEndFrom(canonical, start + 1);
		const token = canonical.slice(start, end);
		chunk += canonical.slice(from, start);
		chunk += ambiguousCharacters.test(token) ? tokenInSpelling(decodeString(token), spell) : token;
		from = end;
		if (chunk.length < chunkLength) continue;
		yield chunk;
		chunk = '';
	}
	yield chunk + canonical.slice(from);
}

/**
 * Joins texts with commas. Concatenates long texts: V8 then only links them, while `join` copies them once per level of nesting.
 */
function joinedByCommas(texts: readonly string[]): string {
	if (texts.every(({ length }) => length < longTextLength)) return texts.join(',');
	return texts.reduce((list, text) => `${list},${text}`);
}

/**
 * Returns the decoded text of each key token, and the indexes of the tokens, sorted by these texts. Of equal tokens, only the
 * last is listed.
 */
function sortedKeysOf(keys: readonly string[]) {
	const names = keys.map(decodeString);
	const nameAt = (index: number) => names[index] ?? '';
	const order = [...new Map(keys.map((key, index) => [key, index])).values()];
	order.sort((left, right) => {
		if (nameAt(left) === nameAt(right)) return 0;
		return nameAt(left) < nameAt(right) ? -1 : 1;
	});
	return { names, order };
}

/** Returns the string token, with quotes, of a decoded text in a spelling. */
function tokenInSpelling(text: string, { escaped, hasCapitals }: JsonSpelling): string {
	const spelled = JSON.stringify(text).replace(escaped, escapeOf);
	if (!hasCapitals || !spelled.includes('\\u')) return spelled;
	// Capitalize the digits of all escapes, also of control characters and unpaired surrogates, which every writer escapes.
	return spelled.replace(/\\u([0-9a-f]{4})|\\./g, (escape, digits?: string) =>
		digits === undefined ? escape : `\\u${digits.toUpperCase()}`,
	);
}

function escapeOf(character: string): string {
	if (character === '/') return '\\/';
	return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Returns a digest of the content that does not depend on the order of keys. */
export function digest(content: JsonObject): string {
	return textDigest(JSON.stringify(sorted(content)));
}

/** Returns the SHA-256 digest of a text in base64. */
export function textDigest(text: string): string {
	return createHash('sha256').update(text).digest('base64');
}

/** Returns the value with sorted keys, so that equal content gives equal JSON. Objects become lists of entries. */
function sorted(value: JsonValue): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isJsonObject(value)) return value;
	return [...value]
		.sort(([left], [right]) => (left < right ? -1 : 1))
		.map(([key, element]) => [key, sorted(element)]);
}
