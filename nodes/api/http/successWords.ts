import { memberText, type JsonObject } from '../json/orderedJson';
import { plainWords } from '../values/plainWords';
import { joinedSentences } from '../values/text';

/** Members of an answer that contain words of the service beside a success. */
const wordKeys = ['msg', 'warning'] as const;

/**
 * Confirmations without information: one word, a sentence such as "The record was saved successfully", a deletion to the recycle
 * bin, and the name of a button with "done".
 */
const bareConfirmations: readonly RegExp[] = [
	// A word. The service words its messages in the language of the account.
	/^[\p{Script=Latin}\p{Script=Cyrillic}]+$/u,
	/^(?:(?:the )?(?:data|entry|form|record)s?(?: \d+)? )?(?:(?:has|have|was|were|is|are) (?:been )?)?(?:successfully )?(?:saved|created|added|updated|deleted)(?: successfully)?$/i,
	/^(?:.{0,40} )?moved to (?:the )?(?:recycle|trash) bin$/i,
	/^.{1,80} done$/i,
	// Chinese, Japanese and Korean words, and sentences such as "the record has been saved". Other texts of a few characters are sentences.
	/^(?:\p{L}{0,8}已)?(?:成功)?(?:儲存|储存|保存|更新|新增|建立|刪除|删除|完成)(?:完成)?$|^\p{L}{0,8}(?:成功|完了)$/u,
	/^\p{L}{0,8}(?:保存|更新|登録|削除)しました$|^(?:완료|성공|저장됨)$/u,
	/^\p{L}{0,8}已\p{L}{0,6}(?:回收[桶筒站]|垃圾桶)$|^\p{L}{0,8}[ごゴ][みミ]箱に移動(?:し|され)ました$/u,
];
/** Words for "not", in English and in the languages of accounts. */
const negations: readonly RegExp[] = [
	/\b(?:cannot|never|no|not|nothing|unable)\b|n['’]t\b/i,
	/\b(?:nicht|keine?|niet|geen|inte|ikke|pas|impossible|non|nie|tidak)\b|não|không|(?:^|\s)не\s/i,
	/[未不無无失錯错誤误拒]|ません|ไม่|[않없못]/,
];
/** Words that report a failure, in English and in the languages of accounts. */
const failures: readonly string[] = [
	'err(?:or)?s?|fail(?:ed|ure)?|invalid|refused|rejected|denied|aborted|cancell?ed',
	// German, Dutch
	'fehler|fehlgeschlagen|abgelehnt|verweigert|ungültig|mislukt|geweigerd',
	// French, Spanish, Portuguese, Italian
	'refusée?|rejetée?|échec|invalide|rechazado|denegado|fallido|inválido',
	'recusado|negado|falhou|rifiutato|negato|fallito',
	// Russian, Ukrainian
	'ошибка|отказано|отклонено|помилка|відмовлено',
];
/** Words that may report a failure. Beside a lock, they may confirm it, or be about something else. */
const doubtfulWords: readonly string[] = [
	'warn(?:ing)?|unknown|timeout|duplicate|ignored|partial(?:ly)?|skipped',
	'locked|blocked|gesperrt|vergrendeld|bloquée?|bloqueado|bloccato|заблокировано|заблоковано',
];
const onlyFailure = new RegExp(`^(?:${[...failures, ...doubtfulWords].join('|')})$`, 'i');
const anyFailure = wordsIn(failures);
const anyDoubt = wordsIn(doubtfulWords);
/** Counts of finished parts, such as `3 of 5 done`. */
const partCount = /\bpartial|\d ?(?:of|\/) ?\d/i;

/** Words for something that was not found or does not exist, in English and in the languages of accounts. */
const notFoundWords: readonly RegExp[] = [
	/\bnot? (?:be |been )?(?:found|located)\b/i,
	/n['’]t (?:be )?(?:found|find|exist)/i,
	/\b(?:cannot|could not|can not|unable to|failed to) (?:find|locate)\b/i,
	/\bno longer exists?\b|\bnon-?existent\b|\bnot exist(?:ing)?\b/i,
	/\bno such\b/i,
	/\b(?:unknown|invalid|missing) (?:field|record|form|sheet|row|entry|subtable)\b/i,
	/\b(?:field|record|form|sheet|row|entry|subtable)\b.{0,40}\b(?:is|was) (?:unknown|missing)\b/i,
	/\b(?:there is|there are|has|have) no (?:field|record|form|sheet|row|entry|subtable)\b/i,
	/\bno (?:field|record|row)s? (?:was|were|has been|have been) (?:found|changed|updated|deleted)\b/i,
	/\bform index\b/i,
	// German, Dutch, and the Scandinavian languages
	/nicht gefunden|existiert nicht|nicht vorhanden|niet gevonden|bestaat niet/i,
	/hittades inte|finns inte|ikke fun(?:net|det)|(?:finnes|findes) ikke/i,
	// French, Spanish, Portuguese, Italian
	/introuvable|n['’]existe pas|pas (?:été |pu être )?trouvé/i,
	/no (?:se )?(?:ha |han |pudo |fue )?encontr|no existe|não (?:foi )?encontrad|não existe/i,
	/non (?:è stat[oa] )?trovat|non esist/i,
	// Polish, Czech, Russian, Ukrainian, Turkish
	/nie (?:został[aoy]? )?znalezion|nie istnieje|nenalezen|neexistuje|bulunamadı|mevcut değil/i,
	/не (?:был[аои]? )?(?:найден|знайден)|не (?:существует|існує)/i,
	// Vietnamese, Indonesian, Thai, Korean
	/không (?:tìm thấy|tồn tại)|tidak (?:ditemukan|ada)|ไม่พบ|찾을 수 없|존재하지 않/i,
	// Chinese, Japanese
	/找不到|不存在|[沒没]有找到|未找到|查[無无]|見つかりません|見つからない|存在しません|存在しない/,
];
/** Words that name the record itself, not one of its fields or the form. */
const recordWords =
	/\b(?:records?|entry|entries|nodes?|rows? of data)\b|資料|记录|記錄|紀錄|レコード/i;

/** Returns whether a text only confirms a success, so that it tells the user nothing. */
export function isBareConfirmation(words: string): boolean {
	const sentence = words.trim().replace(/[\s.!。！]+$/u, '');
	if (sentence === '') return true;
	const isDenied = hasNegation(sentence) || saysNotFound(sentence);
	if (isDenied || onlyFailure.test(sentence) || partCount.test(sentence)) return false;
	return bareConfirmations.some((pattern) => pattern.test(sentence));
}

/** Returns whether the service says that it did not find something. Beside a success, this may mean that nothing was done. */
export function saysNotFound(words: string): boolean {
	return notFoundWords.some((pattern) => pattern.test(words));
}

/**
 * Returns whether words beside a success may say that nothing was done: something was not found, a negation, or a failure.
 *
 * @param isLock whether the action locks a record, so that doubtful words do not count
 */
export function mayDenySuccess(words: string, isLock = false): boolean {
	const isDenied = saysNotFound(words) || hasNegation(words) || anyFailure.test(words);
	return isDenied || (!isLock && anyDoubt.test(words));
}

/** Returns a pattern for one of the words anywhere in a text. */
function wordsIn(words: readonly string[]): RegExp {
	return new RegExp(`(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})`, 'iu');
}

function hasNegation(words: string): boolean {
	return negations.some((pattern) => pattern.test(words));
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
	const sentences = [...new Set(messages)].filter(
		(words) => !isBareConfirmation(plainWords(words)),
	);
	return joinedSentences(sentences);
}
