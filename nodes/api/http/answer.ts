import type { BinaryHelperFunctions } from 'n8n-workflow';
import { isObject } from '../json/objects';
import { isJsonObject, orderedJsonIn, type JsonObject, type JsonValue } from '../json/orderedJson';
import { plainWords } from '../values/plainWords';
import { isReadable, shortened } from '../values/text';
import { codeSentence, meaningOf, unknownCodeAdvice } from './errorCodes';
import { ServiceError, type FailureKind } from './serviceError';
import { saysNotFound, successWords } from './successWords';

/** A received HTTP answer. Header names are in lower case. */
export interface RawAnswer {
	status: number;
	headers: Readonly<Record<string, string>>;
	text: string;
	/** The body as received. If it is a stream, `text` is empty. */
	body?: unknown;
	/** Whether the request was redirected to another address of the service, such as a login page. */
	isRedirected?: boolean;
}

/** Returns the answer of n8n's HTTP helper (requested with `returnFullResponse`), with its body decoded as text. */
export function httpAnswer(answer: unknown): RawAnswer {
	const { body, headers, statusCode } = isObject(answer) ? answer : {};
	const named: Record<string, string> = {};
	for (const [name, value] of Object.entries(isObject(headers) ? headers : {})) {
		named[name.toLowerCase()] = String(value);
	}
	const content = body instanceof Uint8Array ? decoded(body, named['content-type']) : body;
	const text = typeof content === 'string' ? content : '';
	return { status: Number(statusCode), headers: named, body, text };
}

/** Decodes a body by the charset that the answer declares; as UTF-8 if there is no charset or it is unknown. */
function decoded(body: Uint8Array, contentType = ''): string {
	const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? 'utf-8';
	try {
		return new TextDecoder(charset).decode(body);
	} catch {
		return new TextDecoder().decode(body);
	}
}

/** A stream of Node.js, whose type a community package may not import. */
export type ByteStream = Awaited<ReturnType<BinaryHelperFunctions['getBinaryStream']>>;

export function isByteStream(body: unknown): body is ByteStream {
	return typeof body === 'object' && body !== null && 'pipe' in body && 'unshift' in body;
}

/** Maximum number of characters that an error quotes of an unusable answer. */
const maxQuoteCharacters = 200;
/** Maximum length of a message of the service, in characters. n8n stores messages several times with each failed execution. */
const maxMessageCharacters = 4_000;

/**
 * Returns the JSON value of an answer to a read. Throws the ServiceError that `valueOrRefusal` returns.
 *
 * @param parsed the value if the text has been parsed already
 */
export function readAnswer(answer: RawAnswer, parsed?: JsonValue): JsonValue {
	const value = valueOrRefusal(answer, parsed);
	if (value instanceof ServiceError) throw value;
	return value;
}

/**
 * Returns the JSON value of an answer. Returns a ServiceError if the answer is an error response of the service, a web page,
 * the login's `-1`, or not complete JSON.
 */
export function valueOrRefusal(answer: RawAnswer, parsed?: JsonValue): JsonValue | ServiceError {
	const { status, text } = answer;
	const value = parsed ?? orderedJsonIn(text);
	const refusal = errorKeysIn(value);
	const isRefused = status >= 400 || isRefusal(refusal) || isWebPage(text);
	if (isRefused) return errorFor(answer, refusal);
	if (value === -1) {
		const message = 'The service did not accept the credential';
		return new ServiceError({ kind: 'authentication', message, remedy: 'checkIdentity', status });
	}
	if (value !== undefined) return value;
	return new ServiceError({
		kind: 'malformed',
		message: 'The answer of the service is empty, incomplete or no JSON',
		description: quotingSentence(text),
		remedy: 'checkProxy',
		status,
		quoted: [beginningOf(text)],
	});
}

/** Returns the error for a rejected login: the service answers `-1` or a message (specification, endpoint 14). */
export function loginRefused(status: number, serviceMessage?: string): ServiceError {
	const message = serviceMessage
		? `The service did not accept the login: ${serviceMessage}`
		: 'The service did not accept the e-mail or the password';
	const description =
		'Check e-mail and password in the credential. A user who needs a second factor cannot log in here: use an API key.';
	return new ServiceError({ kind: 'authentication', message, description, status, serviceMessage });
}

/**
 * Returns the answer to a write if its status is `SUCCESS`, and its words do not say that something was not found (specification,
 * endpoints 6 to 11). Throws the errors of `successAnswer`, and a ServiceError of kind `unconfirmed` for such words.
 *
 * @param parsed the value if the text has been parsed already
 */
export function writeAnswer(answer: RawAnswer, parsed?: JsonValue): JsonObject {
	const value = successAnswer(answer, parsed);
	const words = plainWords(successWords(value));
	if (saysNotFound(words)) throw unconfirmed(words, answer.status);
	return value;
}

/**
 * Returns the answer to a write if its status is `SUCCESS`, regardless of its words. Use it only if a read can confirm the write.
 * Throws the errors of `readAnswer`, the error of a known error code, and a ServiceError of kind `unconfirmed` for JSON that
 * neither confirms nor rejects the write.
 *
 * @param parsed the value if the text has been parsed already
 */
export function successAnswer(answer: RawAnswer, parsed?: JsonValue): JsonObject {
	const value = readAnswer(answer, parsed);
	const refusal = errorKeysIn(value);
	const { state, code, message } = refusal;
	if (isJsonObject(value) && state === 'SUCCESS') return value;
	if (meaningOf(answer.status, code).meaning) throw errorFor(answer, refusal);
	// The change may have been made: `{}` or "Saved with warnings" does not exclude it.
	const stateWords = `it answered ${state ?? 'without a status'}`;
	const words = message ?? shortened(stateWords, maxMessageCharacters);
	throw unconfirmed(words, answer.status).with({
		description: code === undefined ? undefined : codeSentence(code),
		code,
		serviceMessage: message,
		quoted: [words],
	});
}

/**
 * Returns the answer to an action button: `SUCCESS`, or `WARN` if the button was carried out with a warning in `msg`. Throws as
 * `writeAnswer`.
 */
export function buttonAnswer(answer: RawAnswer): JsonObject {
	const value = orderedJsonIn(answer.text);
	const isCarriedOut = answer.status < 400 && errorKeysIn(value).state === 'WARN';
	return isCarriedOut && isJsonObject(value) ? value : writeAnswer(answer, value);
}

/** Returns the error for a write that the service neither confirmed nor rejected. `words` are those of the service. */
export function unconfirmed(words: string, status?: number): ServiceError {
	return new ServiceError({
		kind: 'unconfirmed',
		message: `The service did not confirm the change: ${shortened(words, maxMessageCharacters)}`,
		status,
		serviceMessage: shortened(words, maxMessageCharacters),
	});
}

type ErrorKeys = ReturnType<typeof errorKeysIn>;

/** Returns the values of the JSON keys of an error response (specification, "Error body shape"). */
function errorKeysIn(answered: JsonValue | undefined) {
	const value: JsonObject = isJsonObject(answered) ? answered : new Map();
	const state = value.get('status');
	const code = value.get('code') ?? value.get('errorCode') ?? value.get('errCode');
	const message = value.get('msg') ?? value.get('message') ?? value.get('errMsg');
	const isNumber = ['number', 'string'].includes(typeof code) && /^-?\d+$/.test(String(code));
	const hasMessage = typeof message === 'string' && message !== '';
	const words = hasMessage ? plainWords(message) : '';
	return {
		state: typeof state === 'string' ? state.toUpperCase() : undefined,
		code: isNumber ? Number(code) : undefined,
		hasMessage,
		/** The message as plain text, shortened. Undefined if it has no words, for example `&nbsp;`. */
		message: words === '' ? undefined : shortened(words, maxMessageCharacters),
	};
}

/** Returns whether the keys are those of an error response. Records have numeric keys, so they cannot be confused with one. */
function isRefusal({ state, code, hasMessage }: ErrorKeys): boolean {
	if (state === 'ERROR' || state === 'INVALID') return true;
	return state === undefined && code !== undefined && hasMessage && code !== 200;
}

/** Advice for a value that the sheet's validation rejects. */
const correctAdvice = "Correct the value, or change the field's validation in the sheet.";

/** Returns the error for an error response or a web page. A web page with an HTTP error other than 404 is an error response. */
function errorFor({ status, text, headers }: RawAnswer, refusal: ErrorKeys): ServiceError {
	// The service reports a missing record in JSON, so a web page with HTTP 404 is from a proxy or a wrong address.
	if (isWebPage(text) && (status < 400 || status === 404)) {
		return webPageError(text, status);
	}
	return requestError({ status, headers }, refusal);
}

/** Words of a page that says that the service is not available for a while. */
const maintenanceWords =
	/maintenance|maintaining|temporarily (?:unavailable|offline|down)|be (?:right )?back|service unavailable|overloaded|out of service|too many (?:requests|users)|維護|维护/i;

/** Returns the error for a web page in place of data. If the page is about maintenance, the message says so. */
function webPageError(text: string, status: number): ServiceError {
	const details = { kind: 'webPage', status } as const;
	const message = 'The service answered with a web page instead of data';
	const [, title = ''] = /<title[^<>]*>([^<]*)<\/title>/i.exec(text) ?? [];
	const heading = shortened(plainWords(title), maxQuoteCharacters);
	const description = heading === '' ? undefined : `The page is called '${heading}'.`;
	const quoted = [heading];
	if (!maintenanceWords.test(plainWords(text))) {
		return new ServiceError({ ...details, message, description, quoted, remedy: 'checkAddress' });
	}
	return new ServiceError({
		...details,
		message: `The service seems to be in maintenance: it answered with a web page instead of data`,
		description: [description, 'Try again later.'].filter(Boolean).join(' '),
		quoted,
	});
}

/** Returns the error for an error response, by its code and its HTTP status (see `meaningOf`). */
function requestError(
	{ status, headers }: Pick<RawAnswer, 'headers' | 'status'>,
	refusal: ErrorKeys,
): ServiceError {
	const { state = '', code, message } = refusal;
	const { kind, meaning, remedy, ...advices } = meaningOf(status, code);
	const isNotFound = status === 404 && code === undefined;
	const isInvalid = state === 'INVALID';
	const unnamed: FailureKind = isInvalid ? 'rejected' : 'refused';
	const fallback = fallbackAdvice(isInvalid, advices.fallbackAdvice);
	const advice = advices.advice ?? (remedy === undefined ? fallback : undefined);
	const notes = [code !== undefined && codeSentence(code), advice];
	return new ServiceError({
		kind: kind ?? (isNotFound ? 'notFound' : unnamed),
		message: messageOf(refusal, meaning),
		description: notes.filter(Boolean).join(' ') || undefined,
		remedy,
		status,
		code,
		serviceMessage: message,
		quoted: [state],
		retryAfterSeconds: retryAfterSeconds(headers),
	});
}

/** Returns the advice for an error response without advice or remedy of its own. */
function fallbackAdvice(isInvalid: boolean, ofCode: string = unknownCodeAdvice): string {
	return isInvalid ? correctAdvice : ofCode;
}

function messageOf({ state, message }: ErrorKeys, meaning?: string): string {
	if (state === 'INVALID') return `The record was not saved: ${message ?? 'a field is not valid'}`;
	if (message === undefined) {
		return meaning ?? `The service refused the request: it answered ${state}`;
	}
	return meaning === undefined || message.startsWith(meaning) ? message : `${meaning}: ${message}`;
}

/**
 * Returns the delay of a `Retry-After` header in seconds, or undefined if there is no valid one. A date in the header follows
 * the clock of the service, so it is compared with the `Date` header of the same answer.
 */
function retryAfterSeconds(headers: RawAnswer['headers']): number | undefined {
	const header = headers['retry-after'];
	if (header === undefined) return undefined;
	if (/^\s*\d+(?:\.\d+)?\s*$/.test(header)) return Number(header);
	// Date.parse takes any number for a date.
	if (!/[a-z]/i.test(header)) return undefined;
	const now = Date.parse(headers.date ?? '') || Date.now();
	const seconds = (Date.parse(header) - now) / 1000;
	return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** Returns a sentence that quotes the beginning of an answer, on one line; an empty text if the answer is not readable. */
export function quotingSentence(text: string): string {
	const beginning = beginningOf(text);
	return beginning !== '' && isReadable(beginning) ? `It says '${beginning}'.` : '';
}

/** Returns the beginning of an answer, on one line. */
export function beginningOf(text: string): string {
	return shortened(text.trim(), maxQuoteCharacters).replace(/\s+/g, ' ');
}

function isWebPage(text: string): boolean {
	return /^\s*</.test(text);
}
