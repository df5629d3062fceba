import { createHash } from 'node:crypto';
import { decodeString, membersByKey, readJson } from './jsonReader';
import { isJsonObject, type JsonObject, type JsonValue } from './orderedJson';

/** How a JSON writer spells a text; what it leaves open, writers do differently. */
type Spelling = (text: string) => string;

const slash = '/'.charCodeAt(0);
const smallEscapes = escapesOf((code) => code.toString(16));
const capitalEscapes = escapesOf((code) => code.toString(16).toUpperCase());

/** Each is the way of a well-known JSON writer, in Java, PHP, Python or JavaScript. */
const spellings: readonly Spelling[] = [
	JSON.stringify,
	escaping(/\//g),
	escaping(/[\u007f-\uffff]/g),
	escaping(/[\u007f-\uffff/]/g),
	inCapitals(escaping(/[\u007f-\uffff]/g, capitalEscapes)),
	inCapitals(escaping(/[\u007f-\uffff/]/g, capitalEscapes)),
	escaping(/[<>&='\u2028\u2029]/g),
	escaping(/[<>&='\u007f-\uffff]/g),
	escaping(/[\u2028\u2029]/g),
	escaping(/[\u007f-\u009f\u2000-\u20ff]|(?<=<)\//g),
	inCapitals(escaping(/[\u007f-\u009f\u2000-\u20ff/]/g, capitalEscapes)),
];

/** Tokens that every spelling leaves as they are. */
const sameInEverySpelling = /^"[^\\/<>&='\u007f-\uffff]*"$/;

/**
 * Yields the texts that may have been signed for one member of a JSON object: one line, the keys of every object sorted
 * by code unit (specification, "Signature verification"). Numbers stay as they are written, and texts in the first
 * candidate, which most often is the one; the others spell texts as well-known JSON writers do, since the specification
 * names none. None when the object does not have exactly one such member. Throws JsonSyntaxError.
 */
export function* canonicalTexts(text: string, member: string): Generator<string, void> {
	const asWritten = canonicalMember(text, member);
	if (asWritten === undefined) return;
	yield asWritten;
	// Candidates may be megabytes long, and there are many.
	const made = new Set([textDigest(asWritten)]);
	for (const spelling of spellings) {
		const candidate = canonicalMember(text, member, spelling) ?? asWritten;
		const digest = textDigest(candidate);
		if (!made.has(digest)) yield candidate;
		made.add(digest);
	}
}

/** The canonical text of the one member with the name; undefined when there is none, or several. */
function canonicalMember(text: string, name: string, spelling?: Spelling): string | undefined {
	const orders = new KeyOrders();
	// What is outermost is read last.
	let outermost: ReadonlyMap<string, string> = new Map();
	readJson<string>(text, {
		key: checked,
		text(json, start, end, isPlain) {
			const token = json.slice(start, end);
			return spelled(isPlain ? token : checked(token), spelling);
		},
		scalar: (token) => token,
		array(elements) {
			outermost = new Map();
			return `[${elements.join(',')}]`;
		},
		object(unsorted) {
			outermost = membersByKey(unsorted);
			const texts = [...outermost].map(([key, value]) => `${spelled(key, spelling)}:${value}`);
			const order = orders.of([...outermost.keys()]);
			return `{${order.map((index) => texts[index]).join(',')}}`;
		},
	});
	const found = [...outermost].filter(([key]) => decodeString(key) === name);
	return found.length === 1 ? found[0]?.[1] : undefined;
}

/** In which order the keys of an object are to be written. Most objects have the keys of one before. */
class KeyOrders {
	private readonly latest = new Map<number, { keys: readonly string[]; order: number[] }>();

	of(keys: readonly string[]): readonly number[] {
		const latest = this.latest.get(keys.length);
		if (latest && keys.every((key, index) => key === latest.keys[index])) return latest.order;
		const order = keys
			.map((key, index) => ({ name: decodeString(key), index }))
			.sort((left, right) => byCodeUnit(left.name, right.name))
			.map(({ index }) => index);
		this.latest.set(keys.length, { keys, order });
		return order;
	}
}

function spelled(token: string, spelling: Spelling | undefined): string {
	if (!spelling || !token.startsWith('"') || sameInEverySpelling.test(token)) return token;
	return spelling(decodeString(token));
}

function byCodeUnit(left: string, right: string): number {
	if (left === right) return 0;
	return left < right ? -1 : 1;
}

/** Decoding finds malformed escapes, which must not pass for being left as they are. */
function checked(token: string): string {
	decodeString(token);
	return token;
}

/** As `JSON.stringify`, with escapes for some more characters. */
function escaping(characters: RegExp, escapes = smallEscapes): Spelling {
	const escape = (character: string) => escapes[character.charCodeAt(0)] ?? character;
	return (text) => JSON.stringify(text).replace(characters, escape);
}

/** With capitals in the escapes, too, that every writer makes: of control characters and half pairs. */
function inCapitals(spelling: Spelling): Spelling {
	return (text) => {
		if (!JSON.stringify(text).includes('\\u')) return spelling(text);
		return spelling(text).replace(/\\u([0-9a-f]{4})|\\./g, (escape, digits?: string) =>
			digits === undefined ? escape : `\\u${digits.toUpperCase()}`,
		);
	};
}

/** The escape of each character by its code; made once, since a body may hold millions of them. */
function escapesOf(digitsOf: (code: number) => string): readonly string[] {
	return Array.from({ length: 0x10000 }, (_, code) =>
		code === slash ? '\\/' : `\\u${digitsOf(code).padStart(4, '0')}`,
	);
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
