import { decodeString, isJsonObject, parseOrderedJson } from './orderedJson';
import type { JsonValue, TokenReading } from './orderedJson';

/** How a JSON writer spells a text; what it leaves open, writers do differently. */
type Spelling = (text: string) => string;

/** Keys and scalars as they stand in the text. */
const verbatim: TokenReading = { key: checked, scalar: checked };

const spellings: readonly Spelling[] = [
	JSON.stringify,
	escapedSlash(JSON.stringify),
	escapedNonAscii(JSON.stringify),
	escapedSlash(escapedNonAscii(JSON.stringify)),
	upperCaseEscapes(escapedNonAscii(JSON.stringify)),
	upperCaseEscapes(escapedSlash(escapedNonAscii(JSON.stringify))),
	escapedForHtml(JSON.stringify),
	escapedForHtml(escapedNonAscii(JSON.stringify)),
	escapedEndTag(JSON.stringify),
];

/**
 * The texts that may have been signed for one member of a JSON object, made from the raw text: one
 * line, the keys of every object sorted by code unit (specification, "Signature verification").
 *
 * Numbers always stay as they are written. Texts stay as they are written in the first candidate; the
 * others spell them in the ways of well-known JSON writers, since the specification names none. All say
 * the same data.
 *
 * @returns none when the object does not have exactly one such member, however its name is spelled
 * @throws JsonSyntaxError when the text is no JSON
 */
export function canonicalTexts(text: string, member: string): string[] {
	const body = parseOrderedJson(text, verbatim);
	const [found, ...others] = isJsonObject(body)
		? [...body].filter(([key]) => decodeString(key) === member)
		: [];
	if (!found || others.length > 0) return [];
	const [, value] = found;
	return [undefined, ...spellings]
		.map((spelling) => canonicalText(value, spelling))
		.filter(isFirst);
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
	return spelling && token.startsWith('"') ? spelling(decodeString(token)) : token;
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

function isFirst(text: string, index: number, texts: readonly string[]): boolean {
	return texts.indexOf(text) === index;
}

function escapedSlash(spelling: Spelling): Spelling {
	return (text) => spelling(text).replace(/\//g, '\\/');
}

function escapedEndTag(spelling: Spelling): Spelling {
	return (text) => spelling(text).replace(/<\//g, '<\\/');
}

function escapedForHtml(spelling: Spelling): Spelling {
	return (text) => spelling(text).replace(/[<>&='\u2028\u2029]/g, unicodeEscape);
}

function escapedNonAscii(spelling: Spelling): Spelling {
	return (text) => spelling(text).replace(/[\u007f-\uffff]/g, unicodeEscape);
}

function upperCaseEscapes(spelling: Spelling): Spelling {
	return (text) =>
		spelling(text).replace(/\\u([0-9a-f]{4})|\\./g, (escape, digits?: string) =>
			digits === undefined ? escape : `\\u${digits.toUpperCase()}`,
		);
}

function unicodeEscape(character: string): string {
	return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
