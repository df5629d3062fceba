import { isReadable, shortened } from '../values/text';

/** A page's title comes early; looking for one in megabytes made for it would take hours. */
const longestHead = 10_000;
const longestTitle = 200;
/** Of an answer that is none, so much is told. */
const longestWords = 200;

/** The first words of an answer as a sentence, on one line; nothing of what is no text. */
export function beginningOf(text: string): string {
	const words = wordsOf(text);
	if (words === '') return '';
	return isReadable(words)
		? `It says: ${words}${/[.!?…]$/.test(words) ? '' : '.'} `
		: `It has ${text.length} characters, and is no text. `;
}

/** The first words of an answer, on one line. */
export function wordsOf(text: string): string {
	return shortened(text.trim(), longestWords).replace(/\s+/g, ' ');
}

/** Whether the text is a web page. */
export function isWebPage(text: string): boolean {
	return /^\s*</.test(text);
}

/** What to do about a web page that came instead of data. */
export function pageDescription(text: string): string {
	return `Check 'Base URL' and 'Account' in the credential, and the sheet.${titleNote(text)}`;
}

/** The title of a web page as a sentence to follow others; empty where there is none. */
export function titleNote(text: string): string {
	const title = isWebPage(text) ? titleOf(text) : '';
	return title && ` The page's title is '${title}'.`;
}

/** The title of a web page; empty where there is none. */
export function titleOf(text: string): string {
	const title = /<title[^>]*>([^<]+)/i.exec(shortened(text, longestHead))?.[1] ?? '';
	return shortened(title.trim(), longestTitle);
}
