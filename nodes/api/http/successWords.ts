import { memberText, type JsonObject } from '../json/orderedJson';
import { plainWords } from '../values/plainWords';

/** Members of an answer that contain words of the service beside a success. */
export const wordKeys = ['msg', 'warning'] as const;

/**
 * Confirmations without information: one word, a sentence such as "The record was saved successfully", a deletion to the recycle
 * bin, and the name of a button with "done".
 */
const bareConfirmations: readonly RegExp[] = [
	/^(?:ok|done|success(?:ful(?:ly)?)?|saved|stored|created|added|updated|changed|deleted|removed|finished|completed?)$/i,
	// A word of another language. The service words its messages in the language of the account.
	/^(?:\p{Script=Latin}+|\p{L}{1,4})$/u,
	/^(?:(?:the )?(?:data|entry|form|record)s?(?: \d+)? )?(?:(?:has|have|was|were|is|are) (?:been )?)?(?:successfully )?(?:saved|created|added|updated|deleted)(?: successfully)?$/i,
	/^(?:.{0,40} )?moved to (?:the )?(?:recycle|trash) bin$/i,
	/^.{1,80} done$/i,
];
/** Single words that report a failure, so they are no confirmation. */
const failureWord =
	/^(?:err(?:or)?s?|fail(?:ed|ure)?|invalid|refused|rejected|denied|locked|warn(?:ing)?|unknown|timeout|fehler|no)$/i;

/** Words for something that was not found, in English and in some languages of accounts. */
const notFoundWords: readonly RegExp[] = [
	/\bnot? (?:be |been )?found\b/i,
	/n['’]t (?:be )?(?:found|find|exist)/i,
	/\b(?:cannot|could not|can not|unable to|failed to) (?:find|locate)\b/i,
	/\b(?:do|does|did) not exist\b|\bno longer exists?\b|\bnon-?existent\b|\bnot exist(?:ing)?\b/i,
	/\bno such\b/i,
	/\b(?:unknown|invalid|missing) (?:field|record|form|sheet|row|entry|subtable)\b/i,
	/\b(?:there is|there are|has|have) no (?:field|record|form|sheet|row|entry|subtable)\b/i,
	/\bform index\b/i,
	/nicht gefunden|existiert nicht|introuvable|n['’]existe pas|no (?:se )?(?:ha )?encontrad|no existe/i,
	/找不到|不存在|沒有找到|没有找到|見つかりません|存在しません/,
];
/** Words that name the record itself, not one of its fields or the form. */
const recordWords = /\b(?:records?|entry|entries|nodes?|rows? of data)\b|資料|记录|紀錄|レコード/i;

/** Returns whether a text only confirms a success, so that it tells the user nothing. */
export function isBareConfirmation(words: string): boolean {
	const sentence = words.trim().replace(/[\s.!。！]+$/u, '');
	if (sentence === '') return true;
	if (failureWord.test(sentence) || saysNotFound(sentence)) return false;
	return bareConfirmations.some((pattern) => pattern.test(sentence));
}

/** Returns whether the service says that it did not find something. Beside a success, this may mean that nothing was done. */
export function saysNotFound(words: string): boolean {
	return notFoundWords.some((pattern) => pattern.test(words));
}

/** Returns whether the service says that it did not find the record itself. */
export function saysRecordNotFound(words: string): boolean {
	return saysNotFound(words) && recordWords.test(words) && !/\bfield\b|\bform index\b/i.test(words);
}

/**
 * Returns the words of an answer beside a success as sent, without bare confirmations; an empty text if there are no other words.
 * The caller decodes them, because decoding entities twice would change them.
 */
export function successWords(answer: JsonObject): string {
	const messages = wordKeys.map((key) => memberText(answer, key)?.trim() ?? '');
	return [...new Set(messages)].filter((words) => !isBareConfirmation(plainWords(words))).join(' ');
}
