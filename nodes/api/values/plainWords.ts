import { decodeHtmlEntities } from './htmlEntities';

const noBreakSpace = /\u00a0/g;

/**
 * Returns a message of the service as plain text. HTML entities are decoded once: `&amp;lt;` becomes `&lt;`. HTML tags and
 * surrounding white space are kept, but a message of white space only, such as `&nbsp;`, becomes empty.
 */
export function plainWords(message: string): string {
	const words = decodeHtmlEntities(message).replace(noBreakSpace, ' ');
	return words.trim() === '' ? '' : words;
}
