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
const longestTitle = 200;
/** Of an answer that is none, so much is quoted. */
const longestWords = 200;
/** Messages are stored several times with each execution that fails. */
const longestMessage = 4_000;
const webPageInstead = 'The service answered with a web page instead of data';
const refusedRequest = 'The service refused the request';

/**
 * The value of an answer to a read.
 *
 * @param parse makes the value of the text
 * @throws ServiceError for every way in which the service says no: an HTTP status of 400 and above,
 *   `status` `ERROR` or `INVALID` in a 200, a web page, the login's `-1`, a text that is no whole JSON
 */
export function readAnswer(answer: RawAnswer, parse?: (text: string) => JsonValue): JsonValue {
	const judged = valueOrRefusal(answer, refusedRequest, parse);
	if (judged instanceof ServiceError) throw judged;
	return judged;
}

/**
 * As `readAnswer`, for those who go on after a refusal: the refusal is returned.
 *
 * @param whenInvalid what is said of `INVALID`, in front of the service's words
 */
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
	const { kind, meaning, advice } = refusedLogin;
	return new ServiceError({ kind, message: meaning, description: advice, status });
}

/**
 * The object with which the service answered a write: `status` is `SUCCESS`, nothing else counts as
 * done (specification, endpoints 6 to 11).
 *
 * @throws ServiceError as `readAnswer` does; of kind `unconfirmed` when the answer says neither `SUCCESS`
 *   nor that it was refused
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

/** As `writeAnswer`, for a write that saves a record: what was not valid says so. */
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
			typeof message === 'string' && message !== ''
				? shortened(message, longestMessage)
				: undefined,
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

function refused(
	answer: RawAnswer,
	{ state, code, message }: Refusal,
	whenInvalid: string,
): ServiceError {
	const { status, text } = answer;
	const kind = kindOf(answer, state, code);
	return new ServiceError({
		kind,
		message:
			kind === 'webPage'
				? webPageInstead
				: messageOf(status, whenInvalid, { state, code, message }),
		...adviceOf(answer, code),
		status,
		code,
		serviceMessage: message,
		quoted: [state ?? '', titleOf(text)],
		retryAfterSeconds: retryAfterSeconds(answer.headers),
	});
}

function kindOf({ status, text }: RawAnswer, state?: string, code?: number): FailureKind {
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
	if (message === undefined || message === '') return meaning;
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
	if (status === 401) return { description: advice };
	if (advice !== undefined) return { description: `${advice} ${titleNote(text)}`.trim() };
	return isWebPage(text) ? { description: titleNote(text), remedy: 'checkAddress' } : {};
}

function unreadable({ status, text }: RawAnswer): ServiceError {
	if (isWebPage(text)) {
		return new ServiceError({
			kind: 'webPage',
			message: webPageInstead,
			description: titleNote(text),
			remedy: 'checkAddress',
			status,
			quoted: [titleOf(text)],
		});
	}
	return new ServiceError({
		kind: 'malformed',
		message:
			text.trim() === ''
				? 'The service sent an empty answer'
				: 'The answer of the service is incomplete or no JSON',
		description: beginningOf(text),
		remedy: 'checkProxy',
		status,
		quoted: [wordsOf(text)],
	});
}

/**
 * Seconds of a `Retry-After` header that counts seconds or names a date. The date is by the service's clock,
 * so it is compared with the time that the same answer tells, where it does.
 */
function retryAfterSeconds(headers: RawAnswer['headers']): number | undefined {
	const header = headers['retry-after'];
	if (header === undefined) return undefined;
	const told = Date.parse(headers.date ?? '');
	const now = Number.isNaN(told) ? Date.now() : told;
	const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000;
	return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** The first words of an answer as a sentence, on one line; nothing of what is no text. */
export function beginningOf(text: string): string {
	const words = wordsOf(text);
	if (words === '') return '';
	return isReadable(words)
		? `It says: ${words}${/[.!?…]$/.test(words) ? '' : '.'}`
		: `It has ${text.length} characters, and is no text.`;
}

/** The first words of an answer, on one line. */
export function wordsOf(text: string): string {
	return shortened(text.trim(), longestWords).replace(/\s+/g, ' ');
}

/** Whether the text is a web page. */
function isWebPage(text: string): boolean {
	return /^\s*</.test(text);
}

/** The title of a web page as a sentence; empty where there is none. */
function titleNote(text: string): string {
	const title = isWebPage(text) ? titleOf(text) : '';
	return title && `The page's title is '${title}'.`;
}

/** The title of a web page; empty where there is none. */
function titleOf(text: string): string {
	const title = /<title[^>]*>([^<]+)/i.exec(shortened(text, longestHead))?.[1] ?? '';
	return shortened(title.trim(), longestTitle);
}
