import {
	beginningOf,
	isWebPage,
	pageDescription,
	titleNote,
	titleOf,
	wordsOf,
} from './answerWords';
import {
	codeMeaning,
	codeRemedy,
	noAccessCode,
	statusMeaning,
	statusRemedy,
	unfinishedCode,
} from './errorCodes';
import { isObject } from '../json/objects';
import { isJsonObject, orderedJsonIn, type JsonObject, type JsonValue } from '../json/orderedJson';
import { ServiceError, type FailureKind } from './serviceError';
import { shortened } from '../values/text';

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

/** The JSON keys in which the service says no (specification, "Error body shape"). */
interface Refusal {
	state?: string;
	code?: number;
	message?: string;
}

/** Messages are stored several times with each execution that fails. */
const longestMessage = 4_000;
const webPageInstead = 'The service answered with a web page instead of data';
const refusedRequest = 'The service refused the request';

const kindsOfCodes = new Map<number, FailureKind>([
	[105, 'authentication'],
	[noAccessCode, 'noAccess'],
	[unfinishedCode, 'unconfirmed'],
	[204, 'tooFrequent'],
	[301, 'sessionExpired'],
	[302, 'sessionExpired'],
	[303, 'authentication'],
	[304, 'authentication'],
	[402, 'locked'],
	[404, 'notFound'],
]);

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

/** The error for an e-mail or password that the service did not accept (specification, endpoint 14). */
export function loginRefused(status: number): ServiceError {
	return new ServiceError({
		kind: 'authentication',
		message: 'The service did not accept the e-mail or the password',
		description: 'Check e-mail and password in the credential.',
		status,
	});
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
	const isKnownRefusal = refusal.code !== undefined && codeMeaning(refusal.code) !== undefined;
	throw isKnownRefusal
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
	const { status } = answer;
	const kind = kindOf(answer, state, code);
	const words = kind === 'webPage' ? webPageInstead : undefined;
	return new ServiceError({
		kind,
		message: words ?? messageOf(status, whenInvalid, { state, code, message }),
		description: descriptionOf(answer, code),
		remedy: kind === 'locked' ? 'unlockRecord' : undefined,
		status,
		code,
		serviceMessage: message,
		quoted: [state ?? '', titleOf(answer.text)],
		retryAfterSeconds: retryAfterSeconds(answer.headers),
	});
}

function kindOf({ status, text }: RawAnswer, state?: string, code?: number): FailureKind {
	const kindOfCode = code === undefined ? undefined : kindsOfCodes.get(code);
	if (kindOfCode) return kindOfCode;
	if (status === 401) return 'authentication';
	if (status === 403) return 'noAccess';
	// Of what is missing the service tells in JSON, or in a word; a page may come from anybody on the way.
	if (status === 404 && code === undefined) return isWebPage(text) ? 'webPage' : 'notFound';
	if (status === 429) return 'tooFrequent';
	if (status === 408 || status >= 500) return 'server';
	return state === 'INVALID' ? 'rejected' : 'refused';
}

function messageOf(status: number, whenInvalid: string, { state, code, message }: Refusal): string {
	const meaning = code === undefined ? undefined : codeMeaning(code);
	if (state === 'INVALID') return `${whenInvalid}: ${message ?? 'a field is not valid'}`;
	if (meaning !== undefined) {
		return message === undefined || message.startsWith(meaning)
			? (message ?? meaning)
			: `${meaning}: ${message}`;
	}
	if (status >= 400)
		return message ? `${statusMeaning(status)}: ${message}` : statusMeaning(status);
	return message ?? `${refusedRequest}: it answered ${state ?? 'without a status'}`;
}

function descriptionOf({ status, text }: RawAnswer, code?: number): string | undefined {
	const remedy = code === undefined ? undefined : codeRemedy(code);
	if (remedy !== undefined) return `${remedy} Code ${code}.`.trim();
	if (code !== undefined) return `The service gave code ${code}.`;
	if (status === 401) return 'Check the credential.';
	const advice = statusRemedy(status);
	if (advice !== undefined) return `${advice}${titleNote(text)}`;
	return isWebPage(text) ? pageDescription(text) : undefined;
}

function unreadable({ status, text }: RawAnswer): ServiceError {
	if (isWebPage(text)) {
		return new ServiceError({
			kind: 'webPage',
			message: webPageInstead,
			description: pageDescription(text),
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
		description: `${beginningOf(text)}Check 'Base URL' in the credential, and whether a proxy stands between n8n and the service.`,
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
