import { withoutTrailing } from '../json/objects';

/** The text of a value that a user gave, without white space around it; empty for objects and nothing. */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Returns the same with the white space around a text. */
export function verbatimText(value: unknown): string {
	return typeof value === 'string' ? value : textOf(value);
}

/** Whether a value stands in place of one that the user may not see (specification, "Value formats"). */
export function isMasked(value: unknown): boolean {
	return typeof value === 'string' && /^\*+$/.test(value);
}

/** Whether a value says "empty": nothing, an empty text or an empty selection. Zero and false do not. */
export function isBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.length === 0;
	return value === undefined || value === null || value === '';
}

/** Returns a text without the slashes at both ends. */
export function withoutOuterSlashes(text: string): string {
	return withoutTrailing(text.replace(/^\/+/, ''), '/');
}

/** A text of at most so many characters, and a mark when it was longer. */
export function shortened(text: string, most: number): string {
	return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** Whether a text is one for people: bytes of an image, say, decode to marks of what is no text. */
export function isReadable(text: string): boolean {
	return !/[\ufffd\p{Cc}]/u.test(text.replace(/\s/g, ' '));
}

const tagOrEntity = /<\/?[a-z][^<>]*>|&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/i;

/** The end of a code of raw markup, which no rendering leaves. */
export const markupEnd = /\[\/[a-z]+\]/i;

/** Whether the text is what a read makes of rich text: with tags or entities, and no code of markup left. */
export function looksRendered(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(looksRendered);
	return typeof value === 'string' && tagOrEntity.test(value) && !markupEnd.test(value);
}

/** Returns the text that is percent-encoded in another; undefined when it is malformed. */
export function percentDecoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
