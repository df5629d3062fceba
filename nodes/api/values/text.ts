import { withoutTrailing } from '../json/objects';

/** Returns a pasted text without white space and invisible characters around it: web pages add some, such as U+200B. */
export function trimmedPaste(text: string): string {
	return text.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '');
}

/** Returns a value as text without surrounding white space. Objects, null and undefined become an empty text. */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	return ['number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : '';
}

/** Returns a value as text with its surrounding white space. Objects, null and undefined become an empty text. */
export function verbatimText(value: unknown): string {
	return typeof value === 'string' ? value : textOf(value);
}

/** Returns whether a value is a mask (only `*`), which hides a value from the user (specification, "Value formats"). */
export function isMasked(value: unknown): boolean {
	return typeof value === 'string' && /^\*+$/.test(value);
}

/** Returns whether a value is null, undefined, an empty text or an empty list. Zero and false are not blank. */
export function isBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.length === 0;
	return value === undefined || value === null || value === '';
}

/** Returns a text without the slashes at both ends. */
export function withoutOuterSlashes(text: string): string {
	return withoutTrailing(text.replace(/^\/+/, ''), '/');
}

/** Returns the first `maxLength` characters of a text, followed by `…` if the text is longer. */
export function shortened(text: string, maxLength: number): string {
	return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Returns a text with a period at its end, unless it ends a sentence. Messages that quote the service may already end one. */
export function asSentence(text: string): string {
	return /[.!?…。！？]$/.test(text) ? text : `${text}.`;
}

/** Returns the texts that are not empty as one text. Each one before another ends as a sentence: words of the service may lack a period. */
export function joinedSentences(texts: Iterable<string | false | undefined>): string {
	const filled = [...texts].filter((text) => typeof text === 'string' && text !== '');
	return filled
		.map((text, index) => (index < filled.length - 1 ? asSentence(String(text)) : text))
		.join(' ');
}

/** Returns a count with commas between thousands. `toLocaleString` would load the tables of all languages when n8n starts. */
export function inEnglish(count: number): string {
	return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Returns whether a text is readable. Binary data decodes to replacement or control characters. */
export function isReadable(text: string): boolean {
	return !/[\ufffd\p{Cc}]/u.test(text.replace(/\s/g, ' '));
}

/** An HTML tag or entity. An address in angle brackets, such as `<jane@example.com>`, is no tag. */
const tagOrEntity = /<\/?[a-z][a-z\d-]*(?:[\s/][^<>]*)?>|&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/i;

/** A closing tag of raw markup. Rendered rich text never contains one. */
export const markupEnd = /\[\/[a-z]+\]/i;

/** Returns whether a text, or a text in a list, looks like rendered rich text: it has HTML tags or entities and no raw markup. */
export function looksRendered(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(looksRendered);
	return typeof value === 'string' && tagOrEntity.test(value) && !markupEnd.test(value);
}

/** Returns a percent-encoded text decoded, or undefined if it is malformed. */
export function percentDecoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
