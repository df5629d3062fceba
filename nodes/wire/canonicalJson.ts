import { createHash } from 'node:crypto';
import { decodeString, isJsonObject, parseOrderedJson } from './orderedJson';
import type { JsonValue, TokenReading } from './orderedJson';

/** How a JSON writer spells a text; what it leaves open, writers do differently. */
type Spelling = (text: string) => string;

/** Keys and scalars as they stand in the text. */
const verbatim: TokenReading = { key: checked, scalar: checked };

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
 * The texts that may have been signed for one member of a JSON object, made from the raw text: one
 * line, the keys of every object sorted by code unit (specification, "Signature verification").
 *
 * Numbers always stay as they are written. Texts stay as they are written in the first candidate; the
 * others spell them in the ways of well-known JSON writers, since the specification names none. All say
 * the same data. Each is made when it is asked for: most often the first is the one.
 *
 * @yields none when the object does not have exactly one such member, however its name is spelled
 * @throws JsonSyntaxError when the text is no JSON
 */
export function* canonicalTexts(text: string, member: string): Generator<string, void> {
	const body = parseOrderedJson(text, verbatim);
	const [found, ...others] = isJsonObject(body)
		? [...body].filter(([key]) => decodeString(key) === member)
		: [];
	if (!found || others.length > 0) return;
	const [, value] = found;
	const made = new Set<string>();
	for (const spelling of [undefined, ...spellings]) {
		const candidate = canonicalText(value, spelling);
		const digest = createHash('sha256').update(candidate).digest('base64');
		if (!made.has(digest)) yield candidate;
		made.add(digest);
	}
}

function canonicalText(value: JsonValue, spelling: Spelling | undefined): string {
	if (Array.isArray(value)) {
		return `[${value.map((element) => canonicalText(element, spelling)).join(',')}]`;
	}
	if (!isJsonObject(value)) return spelled(String(value), spelling);
	const members = [...value]
		.map(([key, element]) => ({ name: decodeString(key), key, element }))
		.sort((left, right) => byCodeUnit(left.name, right.name))
		.map(({ key, element }) => `${spelled(key, spelling)}:${canonicalText(element, spelling)}`);
	return `{${members.join(',')}}`;
}

function spelled(token: string, spelling: Spelling | undefined): string {
	if (!spelling || !token.startsWith('"') || sameInEverySpelling.test(token)) return token;
	return spelling(decodeString(token));
}

function byCodeUnit(left: string, right: string): number {
	if (left === right) return 0;
	return left < right ? -1 : 1;
}

/** Decoding finds malformed strings, which must not pass for being left as they are. */
function checked(token: string): string {
	if (token.startsWith('"')) decodeString(token);
	return token;
}

/** As `JSON.stringify`, with escapes for some more characters. */
function escaping(characters: RegExp, escapes = smallEscapes): Spelling {
	return (text) =>
		JSON.stringify(text).replace(
			characters,
			(character) => escapes[character.charCodeAt(0)] ?? character,
		);
}

/** With capitals in the escapes, too, that every writer makes: of control characters and half pairs. */
function inCapitals(spelling: Spelling): Spelling {
	return (text) => {
		const isUsual = !/\\u/.test(JSON.stringify(text));
		if (isUsual) return spelling(text);
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
