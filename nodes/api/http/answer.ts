import type { BinaryHelperFunctions } from 'n8n-workflow';
import { isObject } from '../json/objects';
import { isJsonObject, orderedJsonIn, type JsonObject, type JsonValue } from '../json/orderedJson';
import { plainWords } from '../values/plainWords';
import { isReadable, shortened } from '../values/text';
import { meaningOf } from './errorCodes';
import { ServiceError, type FailureKind } from './serviceError';

/** An HTTP answer as it came; header names are in lower case. */
export interface RawAnswer {
	status: number;
	headers: Readonly<Record<string, string>>;
	text: string;
	/** May still be a stream: then the text is empty. */
	body?: unknown;
}

/** An answer of n8n's HTTP helper, asked for in full. */
export function httpAnswer(answer: unknown): RawAnswer {
	const { body, headers, statusCode } = isObject(answer) ? answer : {};
	const named: Record<string, string> = {};
	for (const [name, value] of Object.entries(isObject(headers) ? headers : {})) {
		named[name.toLowerCase()] = String(value);
	}
	const said = body instanceof Uint8Array ? decoded(body, named['content-type']) : body;
	const text = typeof said === 'string' ? said : '';
	return { status: Number(statusCode), headers: named, body, text };
}

/** Decodes a body by the charset that the answer declares; as UTF-8 where that is none. */
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

/** Of an answer that is none, so much is quoted. */
const longestWords = 200;
/** Messages are stored several times with each execution that fails. */
const longestMessage = 4_000;

/** Returns the value of an answer to a read. Throws ServiceError as `valueOrRefusal` returns it. */
export function readAnswer(answer: RawAnswer, parse?: (text: string) => JsonValue): JsonValue {
	const judged = valueOrRefusal(answer, parse);
	if (judged instanceof ServiceError) throw judged;
	return judged;
}

/** Returns the value of an answer, or the error when it is a refusal of any form, a web page, the login's `-1`, or no whole JSON. */
export function valueOrRefusal(
	answer: RawAnswer,
	parse?: (text: string) => JsonValue,
): JsonValue | ServiceError {
	const { status, text } = answer;
	const value = orderedJsonIn(text, parse);
	const refusal = refusalOf(value);
	const isRefused = status >= 400 || isRefusal(refusal) || isWebPage(text);
	if (isRefused) return refused(answer, refusal);
	if (value === -1) return loginRefused(status);
	if (value !== undefined) return value;
	return new ServiceError({
		kind: 'malformed',
		message: 'The answer of the service is empty, incomplete or no JSON',
		description: beginningOf(text),
		remedy: 'checkProxy',
		status,
		quoted: [wordsOf(text)],
	});
}

/** Returns the error for a login that was refused, in words or by `-1` (specification, endpoint 14). */
export function loginRefused(status: number, serviceMessage?: string): ServiceError {
	const message = serviceMessage
		? `The service did not accept the login: ${serviceMessage}`
		: 'The service did not accept the e-mail or the password';
	const description =
		'Check e-mail and password in the credential. A user who needs a second factor cannot log in here: use an API key.';
	return new ServiceError({ kind: 'authentication', message, description, status, serviceMessage });
}

/** Returns the answer to a write that says `SUCCESS` (specification, endpoints 6 to 11). Throws ServiceError: `unconfirmed` if it says nothing. */
export function writeAnswer(answer: RawAnswer): JsonObject {
	const value = readAnswer(answer);
	const refusal = refusalOf(value);
	const { state, code, message } = refusal;
	if (isJsonObject(value) && state === 'SUCCESS') return value;
	if (meaningOf(answer.status, code).meaning) throw refused(answer, refusal);
	// Nothing says that the change was not made: not `{}`, not "Saved with warnings".
	throw new ServiceError({
		kind: 'unconfirmed',
		message: `The service did not confirm the change: ${message ?? `it answered ${state ?? 'without a status'}`}`,
		description: code === undefined ? undefined : `The service gave code ${code}.`,
		status: answer.status,
		code,
		serviceMessage: message,
		quoted: [state ?? ''],
	});
}

type Refusal = ReturnType<typeof refusalOf>;

/** Returns what an answer holds of the JSON keys in which the service says no (specification, "Error body shape"). */
function refusalOf(answered: JsonValue | undefined) {
	const value: JsonObject = isJsonObject(answered) ? answered : new Map();
	const state = value.get('status');
	const code = value.get('code') ?? value.get('errorCode') ?? value.get('errCode');
	const message = value.get('msg') ?? value.get('message') ?? value.get('errMsg');
	const isNumber = ['number', 'string'].includes(typeof code) && /^-?\d+$/.test(String(code));
	const hasMessage = typeof message === 'string' && message !== '';
	const isEmpty = !hasMessage || plainWords(message) === '';
	return {
		state: typeof state === 'string' ? state.toUpperCase() : undefined,
		code: isNumber ? Number(code) : undefined,
		hasMessage,
		/** Undefined if it says nothing, as `&nbsp;` does. */
		message: isEmpty ? undefined : shortened(message, longestMessage),
	};
}

/** Records are keyed by numbers, so these keys at the top are never those of a record. */
function isRefusal({ state, code, hasMessage }: Refusal): boolean {
	if (state === 'ERROR' || state === 'INVALID') return true;
	return state === undefined && code !== undefined && hasMessage && code !== 200;
}

/** What to do about a value that the sheet's validation rejects. */
const correctAdvice = "Correct the value, or change the field's validation in the sheet.";

function refused({ status, text, headers }: RawAnswer, refusal: Refusal): ServiceError {
	const { state = '', code, message } = refusal;
	// The service reports what is missing in JSON, or in a word; a page may come from a proxy.
	if (isWebPage(text) && (status < 400 || status === 404)) {
		const said = 'The service answered with a web page instead of data';
		return new ServiceError({ kind: 'webPage', message: said, remedy: 'checkAddress', status });
	}
	const { kind, meaning, advice, remedy } = meaningOf(status, code);
	const isNotFound = status === 404 && code === undefined;
	const unnamed: FailureKind = state === 'INVALID' ? 'rejected' : 'refused';
	const validationAdvice = state === 'INVALID' && correctAdvice;
	const notes = [advice ?? validationAdvice, code !== undefined && `Code ${code}.`];
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

function messageOf({ state, message }: Refusal, meaning?: string): string {
	if (state === 'INVALID') return `The record was not saved: ${message ?? 'a field is not valid'}`;
	if (message === undefined)
		return meaning ?? `The service refused the request: it answered ${state}`;
	return meaning === undefined || message.startsWith(meaning) ? message : `${meaning}: ${message}`;
}

/** Returns the seconds of a `Retry-After` header. A date in it is by the service's clock, which the `Date` header of the answer shows. */
function retryAfterSeconds(headers: RawAnswer['headers']): number | undefined {
	const header = headers['retry-after'];
	if (header === undefined) return undefined;
	const now = Date.parse(headers.date ?? '') || Date.now();
	const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000;
	return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** Returns the first words of an answer as a sentence, on one line; nothing of what is no text. */
export function beginningOf(text: string): string {
	const words = wordsOf(text);
	return words !== '' && isReadable(words) ? `It says '${words}'.` : '';
}

/** Returns the first words of an answer, on one line. */
export function wordsOf(text: string): string {
	return shortened(text.trim(), longestWords).replace(/\s+/g, ' ');
}

function isWebPage(text: string): boolean {
	return /^\s*</.test(text);
}
