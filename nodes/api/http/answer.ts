import type { IExecuteFunctions } from 'n8n-workflow';
import { isObject } from '../json/objects';
import { isJsonObject, orderedJsonIn, type JsonObject, type JsonValue } from '../json/orderedJson';
import { isReadable, shortened } from '../values/text';
import { meaningOfCode, meaningOfStatus, refusedLogin } from './errorCodes';
import { ServiceError, type FailureDetails, type FailureKind } from './serviceError';

/** An HTTP answer as it came; header names are in lower case. */
export interface RawAnswer {
	status: number;
	headers: Readonly<Record<string, string>>;
	text: string;
}

/** An answer whose body may still be to come: then the text is empty. */
export interface HttpAnswer extends RawAnswer {
	body: unknown;
}

/** An answer of n8n's HTTP helper, asked for in full. */
export function httpAnswer(answer: unknown): HttpAnswer {
	const { body, headers, statusCode } = isObject(answer) ? answer : {};
	const named = isObject(headers) ? Object.entries(headers) : [];
	return {
		status: Number(statusCode),
		headers: Object.fromEntries(named.map(([name, value]) => [name.toLowerCase(), String(value)])),
		body,
		text: typeof body === 'string' ? body : '',
	};
}

/** A stream of Node.js, whose type a community package may not import. */
export type ByteStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** Whether a body is a stream that is still to be read. */
export function isByteStream(body: unknown): body is ByteStream {
	return typeof body === 'object' && body !== null && 'pipe' in body && 'unshift' in body;
}

/** Lets go of a body that nobody will read. */
export function discard({ body }: HttpAnswer): void {
	if (isByteStream(body)) body.destroy();
}

/** The JSON keys in which the service says no (specification, "Error body shape"). */
interface Refusal {
	state?: string;
	code?: number;
	message?: string;
}

/** A page's title comes early; looking for one in megabytes made for it would take hours. */
const longestHead = 10_000;
/** Of a title, or an answer that is none, so much is quoted. */
const longestWords = 200;
/** Messages are stored several times with each execution that fails. */
const longestMessage = 4_000;
const webPageInstead = 'The service answered with a web page instead of data';
const refusedRequest = 'The service refused the request';

/**
 * Returns the value of an answer to a read. Throws ServiceError for every way in which the service says no: an HTTP
 * status of 400 and above, `ERROR` or `INVALID` in a 200, a web page, the login's `-1`, a text that is no whole JSON.
 */
export function readAnswer(answer: RawAnswer, parse?: (text: string) => JsonValue): JsonValue {
	const judged = valueOrRefusal(answer, refusedRequest, parse);
	if (judged instanceof ServiceError) throw judged;
	return judged;
}

/** Returns what `readAnswer` does, or the error that it throws. `whenInvalid` stands before the service's words on `INVALID`. */
export function valueOrRefusal(
	answer: RawAnswer,
	whenInvalid = refusedRequest,
	parse?: (text: string) => JsonValue,
): JsonValue | ServiceError {
	const value = orderedJsonIn(answer.text, parse);
	const refusal = refusalOf(value);
	if (answer.status >= 400 || isRefusal(refusal)) return refused(answer, refusal, whenInvalid);
	if (value === -1) return loginRefused(answer.status);
	return value ?? (value === null ? null : unreadable(answer));
}

/** Returns the error for an e-mail or password that the service did not accept (specification, endpoint 14). */
export function loginRefused(status: number): ServiceError {
	return new ServiceError({ ...refusedLogin, status });
}

/**
 * Returns the object with which the service answered a write: only `SUCCESS` counts as done (specification, endpoints
 * 6 to 11). Throws ServiceError as `readAnswer` does; of kind `unconfirmed` when the answer does not say that it was
 * refused either.
 */
export function writeAnswer(answer: RawAnswer, whenInvalid = refusedRequest): JsonObject {
	const value = valueOrRefusal(answer, whenInvalid);
	if (value instanceof ServiceError) throw value;
	const refusal = refusalOf(value);
	if (isJsonObject(value) && refusal.state === 'SUCCESS') return value;
	throw meaningOfCode(refusal.code)
		? refused(answer, refusal, whenInvalid)
		: unconfirmed(answer.status, refusal);
}

/** Returns what `writeAnswer` does, for a write that saves a record. */
export function saveAnswer(answer: RawAnswer): JsonObject {
	return writeAnswer(answer, 'The record was not saved');
}

function refusalOf(value: JsonValue | undefined): Refusal {
	if (!isJsonObject(value)) return {};
	const state = value.get('status');
	const code = value.get('code') ?? value.get('errorCode') ?? value.get('errCode');
	const message = value.get('msg') ?? value.get('message') ?? value.get('errMsg');
	return {
		state: typeof state === 'string' ? state.toUpperCase() : undefined,
		code: isCode(code) ? Number(code) : undefined,
		message:
			typeof message === 'string' ? shortened(message, longestMessage) || undefined : undefined,
	};
}

function isCode(code: JsonValue | undefined): boolean {
	return (typeof code === 'number' || typeof code === 'string') && /^-?\d+$/.test(String(code));
}

/** Records are keyed by numbers, so these keys at the top are never those of a record. */
function isRefusal({ state, code, message }: Refusal): boolean {
	if (state === 'ERROR' || state === 'INVALID') return true;
	return state === undefined && code !== undefined && message !== undefined && code !== 200;
}

/** Nothing says that the change was not made: not `{}`, not "Saved with warnings". */
function unconfirmed(status: number, { state, code, message }: Refusal): ServiceError {
	const words = message ?? `it answered ${state ?? 'without a status'}`;
	return new ServiceError({
		kind: 'unconfirmed',
		message: `The service did not confirm the change: ${words}`,
		description: code === undefined ? undefined : `The service gave code ${code}.`,
		status,
		code,
		serviceMessage: message,
		quoted: [state ?? ''],
	});
}

function refused(answer: RawAnswer, refusal: Refusal, whenInvalid: string): ServiceError {
	const { status, text } = answer;
	const { state, code, message } = refusal;
	const kind = kindOf(answer, refusal);
	return new ServiceError({
		kind,
		message: kind === 'webPage' ? webPageInstead : messageOf(status, whenInvalid, refusal),
		...adviceOf(answer, code),
		status,
		code,
		serviceMessage: message,
		quoted: [state ?? '', titleOf(text)],
		retryAfterSeconds: retryAfterSeconds(answer.headers),
	});
}

function kindOf({ status, text }: RawAnswer, { state, code }: Refusal): FailureKind {
	const kind = meaningOfCode(code)?.kind ?? meaningOfStatus(status)?.kind;
	if (kind) return kind;
	// Of what is missing the service tells in JSON, or in a word; a page may come from anybody on the way.
	if (status === 404 && code === undefined) return isWebPage(text) ? 'webPage' : 'notFound';
	return state === 'INVALID' ? 'rejected' : 'refused';
}

function messageOf(status: number, whenInvalid: string, { state, code, message }: Refusal): string {
	if (state === 'INVALID') return `${whenInvalid}: ${message ?? 'a field is not valid'}`;
	const { meaning } = meaningOfCode(code) ?? meaningOfStatus(status) ?? {};
	if (meaning === undefined) {
		return message ?? `${refusedRequest}: it answered ${state ?? 'without a status'}`;
	}
	if (message === undefined) return meaning;
	return message.startsWith(meaning) ? message : `${meaning}: ${message}`;
}

function adviceOf({ status, text }: RawAnswer, code?: number): Partial<FailureDetails> {
	const ofCode = meaningOfCode(code);
	if (ofCode) {
		const { advice = '', remedy } = ofCode;
		return { description: `${advice} Code ${code}.`.trim(), remedy };
	}
	if (code !== undefined) return { description: `The service gave code ${code}.` };
	const advice = meaningOfStatus(status)?.advice;
	if (advice !== undefined) return { description: `${advice} ${titleNote(text)}`.trim() };
	return isWebPage(text) ? { description: titleNote(text), remedy: 'checkAddress' } : {};
}

function unreadable({ status, text }: RawAnswer): ServiceError {
	if (isWebPage(text)) {
		const description = titleNote(text);
		const quoted = [titleOf(text)];
		const page = { kind: 'webPage', message: webPageInstead, remedy: 'checkAddress' } as const;
		return new ServiceError({ ...page, description, status, quoted });
	}
	const isEmpty = text.trim() === '';
	return new ServiceError({
		kind: 'malformed',
		message: `The ${isEmpty ? 'service sent an empty answer' : 'answer of the service is incomplete or no JSON'}`,
		description: beginningOf(text),
		remedy: 'checkProxy',
		status,
		quoted: [wordsOf(text)],
	});
}

/** Seconds of a `Retry-After` header. A date in it is by the service's clock, which the same answer may tell. */
function retryAfterSeconds(headers: RawAnswer['headers']): number | undefined {
	const header = headers['retry-after'];
	if (header === undefined) return undefined;
	const told = Date.parse(headers.date ?? '');
	const now = Number.isNaN(told) ? Date.now() : told;
	const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000;
	return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** Returns the first words of an answer as a sentence, on one line; nothing of what is no text. */
export function beginningOf(text: string): string {
	const words = wordsOf(text);
	if (words === '') return '';
	return isReadable(words)
		? `It says: ${asSentence(words)}`
		: `It has ${text.length} characters, and is no text.`;
}

/** Returns a text with a full stop behind it, where it does not end a sentence. */
export function asSentence(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Returns the first words of an answer, on one line. */
export function wordsOf(text: string): string {
	return shortened(text.trim(), longestWords).replace(/\s+/g, ' ');
}

function isWebPage(text: string): boolean {
	return /^\s*</.test(text);
}

function titleNote(text: string): string {
	const title = isWebPage(text) ? titleOf(text) : '';
	return title && `The page's title is '${title}'.`;
}

function titleOf(text: string): string {
	const title = /<title[^>]*>([^<]+)/i.exec(shortened(text, longestHead))?.[1] ?? '';
	return shortened(title.trim(), longestWords);
}
