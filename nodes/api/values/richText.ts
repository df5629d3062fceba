const tagOrEntity = /<\/?[a-z][^<>]*>|&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/i;

/** The end of a code of raw markup, which no rendering leaves. */
const markupEnd = /\[\/[a-z]+\]/i;

/** Whether the text is what a read makes of rich text: with tags or entities, and no code of markup left. */
export function looksRendered(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(looksRendered);
	return typeof value === 'string' && tagOrEntity.test(value) && !markupEnd.test(value);
}
