import { isJsonObject, type JsonObject } from '../json/orderedJson';
import { InputError } from '../values/inputError';
import { apiQuery } from '../values/query';
import { serviceOrigin } from '../values/serviceAddress';
import { holdsHalfCharacter, isReadable } from '../values/text';
import { asSentence, httpAnswer, loginRefused, valueOrRefusal, wordsOf } from './answer';
import { ServiceError } from './serviceError';

const noSessionIds: ReadonlySet<string> = new Set([
	...['-1', 'null', 'undefined', 'true', 'false', 'none', 'ok', 'success'],
	...['denied', 'error', 'fail', 'failed', 'failure', 'forbidden', 'invalid', 'unauthorized'],
]);

/**
 * Returns the address at which a user logs in; it holds the password (specification, endpoint 14). Throws InputError
 * when the address, the e-mail or the password cannot be used.
 */
export function loginAddress(baseUrl: string, email: string, password: string): string {
	if (holdsHalfCharacter(password)) {
		// Here, since the general message for such texts repeats the text.
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
 * Returns the session id in a login's answer, whichever form it has: plain text, or an object with `sid` (specification,
 * endpoint 14). Throws ServiceError when the login was refused (`-1`, or in words), sent on, or the answer holds no
 * session id; of kind `authentication`, which is not tried again, for whatever may count as a wrong password.
 */
export function sessionIdOf(response: unknown): string {
	const answer = httpAnswer(response);
	const { status } = answer;
	const text = answer.text.trim();
	if (status >= 300 && status < 400) {
		// The password goes to no other address than the one that the user gave.
		const message = 'The service sends the login on to another address';
		throw new ServiceError({ kind: 'redirected', message, remedy: 'useOwnServer', status });
	}
	if (status < 300 && isPlainSessionId(text)) return text;
	const value = valueOrRefusal(answer);
	if (value instanceof ServiceError) throw failedLogin(value, text);
	const sessionId = isJsonObject(value) ? value.get('sid') : value;
	if (typeof sessionId === 'string' && sessionId !== '' && sessionId !== '-1') return sessionId;
	if (!isJsonObject(value) || !saysSuccess(value)) throw loginRefused(status);
	const message = 'The login succeeded, but the answer of the service holds no session ID';
	throw new ServiceError({ kind: 'authentication', message, remedy: 'useApiKey', status });
}

/** One word; a session id may consist of digits, but `-1` is a refusal, and so is `ERROR`. */
function isPlainSessionId(text: string): boolean {
	return /^[\w.+/=~-]{1,512}$/.test(text) && !noSessionIds.has(text.toLowerCase());
}

function failedLogin(failure: ServiceError, text: string): ServiceError {
	const { kind, details, message } = failure;
	const remedied = failure.with({ description: undefined, remedy: 'checkBaseUrl' });
	if (kind === 'notFound') {
		// To whoever asked for a record, "not found" would mean that the record is not there.
		const said = `The service has no login at this address: ${message}`;
		return remedied.with({ kind: 'refused', message: said });
	}
	if (kind !== 'malformed') return failure;
	const isSentence = text !== '' && !/^[[{"]/.test(text) && isReadable(text);
	// Half an object may hold the session id.
	if (!isSentence) return remedied.with({ quoted: undefined });
	// Trying again might lock the account, as with any wrong password.
	const refused = loginRefused(details.status ?? 200);
	const words = wordsOf(text);
	return refused.with({
		description: `The service said: ${asSentence(words)} ${refused.details.description}`,
		serviceMessage: words,
	});
}

/** A form without a session id: `SUCCESS`, and the accounts, which only a user whom the service knows is told. */
function saysSuccess(value: JsonObject): boolean {
	const { status, accounts } = Object.fromEntries(value);
	if (String(status).toUpperCase() === 'SUCCESS') return true;
	return Array.isArray(accounts) ? accounts.length > 0 : isJsonObject(accounts);
}
