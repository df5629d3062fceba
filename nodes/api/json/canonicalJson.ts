import { createHash } from 'node:crypto';
import { decodeString, elementsPerPart, membersByKey, readJson, stringEndFrom } from './jsonReader';
import type { JsonMembers, Limits, Steps } from './jsonReader';
import { getOrInsert } from './objects';
import { decoding, isJsonObject, type JsonObject, type JsonValue } from './orderedJson';

/** What JSON writers in Java, PHP, Python and JavaScript escape beside what they must, with small hexadecimal digits or with capitals. */
const spellings: ReadonlyArray<[escaped: RegExp, inCapitals?: 'inCapitals']> = [
	[/(?!)/g],
	[/\//g],
	[/[\u007f-\uffff]/g],
	[/[\u007f-\uffff/]/g],
	[/[\u007f-\uffff]/g, 'inCapitals'],
	[/[\u007f-\uffff/]/g, 'inCapitals'],
	[/[<>&='\u2028\u2029]/g],
	[/[<>&='\u007f-\uffff]/g],
	[/[\u2028\u2029]/g],
	[/[\u007f-\u009f\u2000-\u20ff]|(?<=<)\//g],
	[/[\u007f-\u009f\u2000-\u20ff/]/g, 'inCapitals'],
];

/** Of a text in any other spelling than its own, so much is made at a time. */
export const chunkLength = 100_000;

/** What writers spell differently. */
const speltDifferently = /[\\/<>&='\u007f-\uffff]/;

/** Reads as `parseOrderedJson`. Returns also the canonical text of a member of the outermost object (specification, "Signature verification"). */
export function* readSigned(
	text: string,
	name: string,
	limits?: Limits,
): Steps<{ value: JsonValue; signedText: string | undefined }> {
	// By lists of keys: objects with the same keys share one.
	const sortedKeys = new WeakMap<readonly string[], ReturnType<typeof sortedKeysOf>>();
	// Canonical texts of the values that have been read, and are not part of another one yet.
	const texts: string[] = [];
	// What is outermost is read last.
	let outermost: JsonMembers<string> | undefined;
	const values = decoding('slices');
	const value = yield* readJson(
		text,
		{
			key(token) {
				// Finds malformed escapes, which must not pass for being left as they are.
				decodeString(token);
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
			elements() {
				texts.push(listed(texts.splice(-elementsPerPart)));
			},
			array(elements) {
				outermost = undefined;
				const parts = Math.floor(elements.length / elementsPerPart);
				const count = parts + (elements.length % elementsPerPart);
				const own = texts.splice(texts.length - count);
				texts.push(`[${listed(own)}]`);
				return elements;
			},
			object(members) {
				const { keys } = members;
				const own = texts.splice(texts.length - keys.length);
				outermost = { keys, values: own };
				const { names, order } = getOrInsert(sortedKeys, keys, () => sortedKeysOf(keys));
				texts.push(`{${listed(order.map((place) => `${keys[place]}:${own[place]}`))}}`);
				return membersByKey({ keys: names, values: members.values });
			},
		},
		limits,
	);
	const members = outermost ? [...membersByKey(outermost)] : [];
	const found = members.filter(([key]) => decodeString(key) === name);
	return { value, signedText: found.length === 1 ? found[0]?.[1] : undefined };
}

/** Returns the numbers of the spellings of a canonical text, which the specification does not name: 0 is its own. */
export function spellingsOf(canonical: string): number[] {
	return speltDifferently.test(canonical) ? [...Array(spellings.length + 1).keys()] : [0];
}

/** Yields a canonical text in another spelling, in chunks: it may be megabytes long. */
export function* respelled(canonical: string, spelling: number): Generator<string, void, void> {
	const spell = spellings[spelling - 1];
	if (!spell) return yield canonical;
	let chunk = '';
	let from = 0;
	for (let start = canonical.indexOf('"'); start !== -1; start = canonical.indexOf('"', from)) {
		const end = stringEndFrom(canonical, start + 1);
		const token = canonical.slice(start, end);
		chunk += canonical.slice(from, start);
		chunk += speltDifferently.test(token) ? spelt(decodeString(token), spell) : token;
		from = end;
		if (chunk.length < chunkLength) continue;
		yield chunk;
		chunk = '';
	}
	yield chunk + canonical.slice(from);
}

/** Joins texts with commas, long ones without copying them: in nested lists one would be copied for each. */
function listed(texts: readonly string[]): string {
	if (texts.every(({ length }) => length < chunkLength)) return texts.join(',');
	return texts.reduce((list, text) => `${list},${text}`);
}

/** Returns the decoded keys of an object, and the last places of each key, in the order in which they are written. */
function sortedKeysOf(keys: readonly string[]) {
	const names = keys.map(decodeString);
	const nameAt = (place: number) => names[place] ?? '';
	const order = [...new Map(keys.map((key, place) => [key, place])).values()];
	order.sort((left, right) => {
		if (nameAt(left) === nameAt(right)) return 0;
		return nameAt(left) < nameAt(right) ? -1 : 1;
	});
	return { names, order };
}

function spelt(text: string, [escaped, inCapitals]: (typeof spellings)[number]): string {
	const spelled = JSON.stringify(text).replace(escaped, escapeOf);
	if (!inCapitals || !spelled.includes('\\u')) return spelled;
	// In the escapes, too, that every writer makes: of control characters and half pairs.
	return spelled.replace(/\\u([0-9a-f]{4})|\\./g, (escape, digits?: string) =>
		digits === undefined ? escape : `\\u${digits.toUpperCase()}`,
	);
}

function escapeOf(character: string): string {
	if (character === '/') return '\\/';
	return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A digest of all that was sent, in whatever order it came. */
export function digest(content: JsonObject): string {
	return textDigest(JSON.stringify(sorted(content)));
}

/** The SHA-256 digest of a text, in base64. */
export function textDigest(text: string): string {
	return createHash('sha256').update(text).digest('base64');
}

/** The same text for the same content, in whatever order its keys came. */
function sorted(value: JsonValue): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isJsonObject(value)) return value;
	return [...value]
		.sort(([left], [right]) => (left < right ? -1 : 1))
		.map(([key, element]) => [key, sorted(element)]);
}
