import { decodeHtmlEntities } from './htmlEntities';

const noBreakSpace = /\u00a0/g;

/**
 * Returns a message of the service as plain text. HTML entities are decoded once: `&amp;lt;` becomes `&lt;`.
 * A message of white space only, such as `&nbsp;`, is empty.
 */
export function plainWords(message: string): string {
	const words = decodeHtmlEntities(message).replace(noBreakSpace, ' ');
	return words.trim() === '' ? '' : words;
}
