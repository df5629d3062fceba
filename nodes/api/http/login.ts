import { apiQuery } from '../values/query';
import { serviceOrigin } from '../values/serviceAddress';
import { isJsonObject, type JsonObject } from '../json/orderedJson';
import { httpAnswer, loginRefused, valueOrRefusal } from './answer';
import { InputError } from '../values/inputError';
import { ServiceError } from './serviceError';
import { holdsHalfCharacter, isReadable, shortened } from '../values/text';

/** Of what a login that failed was answered, so much is told. */
const longestWords = 200;
const noSessionIds: ReadonlySet<string> = new Set([
	...['-1', 'null', 'undefined', 'true', 'false', 'none', 'ok', 'success'],
	...['denied', 'error', 'fail', 'failed', 'failure', 'forbidden', 'invalid', 'unauthorized'],
]);

/**
 * The address at which a user logs in; it holds the password (specification, endpoint 14). Throws InputError
 * when the address, the e-mail or the password cannot be used.
 */
export function loginAddress(baseUrl: string, email: string, password: string): string {
	if (holdsHalfCharacter(password)) {
		// Told here, without the text that the general message for such texts repeats.
		throw new InputError(
			'The password in the credential holds half of a character and cannot be sent',
			'Enter the password again.',
		);
	}
	const query = apiQuery([
		['u', email.trim()],
		['p', password],
		['login_type', 'sessionId'],
		['json', 1],
	]);
	return `${serviceOrigin(baseUrl)}/AUTH?${query}`;
}

/**
 * The session id in a login's answer, an answer of n8n's HTTP helper, whichever form it has: plain text, an object with `sid`
 * (specification, endpoint 14).
 *
 * @throws ServiceError when the login was refused (`-1`, or in words), sent on, or the answer holds no session
 *   id; of kind `identity`, which is not tried again, for whatever may count as a wrong password
 */
export function sessionIdOf(response: unknown): string {
	const answer = httpAnswer(response);
	const text = answer.text.trim();
	if (answer.status >= 300 && answer.status < 400) throw redirectedLogin(answer.status);
	if (answer.status < 300 && isPlainSessionId(text)) return text;
	const value = valueOrRefusal(answer);
	if (value instanceof ServiceError) throw failedLogin(value, text);
	const sessionId = isJsonObject(value) ? value.get('sid') : value;
	if (typeof sessionId === 'string' && sessionId !== '' && sessionId !== '-1') return sessionId;
	if (isJsonObject(value) && saysSuccess(value)) throw withoutSession(answer.status);
	throw loginRefused(answer.status);
}

function failedLogin(failure: ServiceError, text: string): ServiceError {
	const { details, message } = failure;
	switch (failure.kind) {
		// To whoever asked for a record, "not found" would mean that the record is not there.
		case 'notFound':
			return new ServiceError({
				...details,
				kind: 'refused',
				message: `The service has no login at this address: ${message}`,
				description: undefined,
				remedy: 'checkBaseUrl',
			});
		case 'malformed':
			if (isSentence(text)) return refusedInWords(text, details.status);
			// Half an object may hold the session id.
			return new ServiceError({
				...details,
				description: undefined,
				remedy: 'checkBaseUrl',
				quoted: undefined,
			});
		default:
			return failure;
	}
}

/** Words, not the rest of an object, or bytes. */
function isSentence(text: string): boolean {
	return text !== '' && !/^[[{"]/.test(text) && isReadable(text);
}

/** Trying again might lock the account, as with any wrong password. */
function refusedInWords(text: string, status = 200): ServiceError {
	const words = shortened(text.replace(/\s+/g, ' '), longestWords);
	return new ServiceError({
		...loginRefused(status).details,
		description: `The service said: ${words}${/[.!?…]$/.test(words) ? '' : '.'} Check e-mail and password in the credential.`,
		serviceMessage: words,
	});
}

/** A form without a session id: `SUCCESS`, and the accounts, which only a user whom the service knows is told. */
function saysSuccess(value: JsonObject): boolean {
	const { status, accounts } = Object.fromEntries(value);
	if (String(status).toUpperCase() === 'SUCCESS') return true;
	return Array.isArray(accounts) ? accounts.length > 0 : isJsonObject(accounts);
}

function withoutSession(status: number): ServiceError {
	return new ServiceError({
		kind: 'authentication',
		message: 'The login succeeded, but the answer of the service holds no session ID',
		remedy: 'useApiKey',
		status,
	});
}

/** The password goes to no other address than the one that the user gave. */
function redirectedLogin(status: number): ServiceError {
	return new ServiceError({
		kind: 'redirected',
		message: 'The service sends the login on to another address',
		remedy: 'useOwnServer',
		status,
	});
}

/** One word; a session id may consist of digits, but `-1` is a refusal, and so is `ERROR`. */
function isPlainSessionId(text: string): boolean {
	return /^[\w.+/=~-]{1,512}$/.test(text) && !noSessionIds.has(text.toLowerCase());
}
