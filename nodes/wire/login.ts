import { apiQuery } from './query';
import { serviceOrigin } from './serviceAddress';
import { isJsonObject } from './orderedJson';
import { judgeAnswer, loginRefused, rawAnswer } from './answer';
import { inputError, ServiceError } from './serviceError';

/**
 * The address at which a user logs in; it holds the password (specification, endpoint 14).
 *
 * @throws ServiceError of kind `input` when the address, the e-mail or the password cannot be used
 */
export function loginAddress(baseUrl: string, email: string, password: string): string {
	if (/\p{Surrogate}/u.test(password)) {
		// Told here, without the text that the general message for such texts repeats.
		throw inputError(
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
 * @throws ServiceError when the login was refused (`-1`), sent on, or the answer holds no session id
 */
export function sessionIdOf(response: unknown): string {
	const answer = rawAnswer(response);
	const text = answer.text.trim();
	if (answer.status >= 300 && answer.status < 400) throw redirectedLogin(answer.status);
	if (answer.status < 300 && isPlainSessionId(text)) return text;
	const value = judgeAnswer(answer);
	if (value instanceof ServiceError) throw failedLogin(value);
	const sessionId = isJsonObject(value) ? value.get('sid') : value;
	if (typeof sessionId === 'string' && sessionId !== '' && sessionId !== '-1') return sessionId;
	throw loginRefused(answer.status);
}

/** To whoever asked for a record, "not found" would mean that the record is not there. */
function failedLogin(failure: ServiceError): ServiceError {
	if (failure.kind !== 'notFound') return failure;
	return new ServiceError({
		...failure.details,
		kind: 'refused',
		message: `The service has no login at this address: ${failure.message}`,
		description: "Check 'Base URL' in the credential.",
	});
}

/** The password goes to no other address than the one that the user gave. */
function redirectedLogin(status: number): ServiceError {
	return new ServiceError({
		kind: 'redirected',
		message: 'The service sends the login on to another address',
		description: "Set 'Base URL' in the credential to the address of the account's own server.",
		status,
	});
}

/** One word; a session id may consist of digits, but `-1` is a refusal. */
function isPlainSessionId(text: string): boolean {
	return /^[\w.+/=~-]{1,512}$/.test(text) && !['-1', 'null', 'true', 'false'].includes(text);
}
