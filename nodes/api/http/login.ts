import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { isJsonObject, memberText } from '../json/orderedJson';
import { apiQuery } from '../values/query';
import { serviceOrigin } from '../values/serviceAddress';
import { isReadable } from '../values/text';
import { loginRefused, valueOrRefusal, beginningOf, type RawAnswer } from './answer';
import { failureOf } from './failure';
import { maxLoginPauseMilliseconds, minLoginPauseMilliseconds } from './policies';
import { processCache } from './processState';
import { ServiceError, type FailureKind } from './serviceError';
import { loginKey } from './session';

/** Words that a service may answer in place of a session ID. */
const errorWord =
	/^(?:-1|null|undefined|true|false|none|ok|success|denied|error|fail(?:ed|ure)?|forbidden|invalid|unauthorized)$/i;

/**
 * Returns the address of a login, which contains the password (specification, endpoint 14). Throws InputError if it cannot be
 * made.
 */
export function loginAddress(baseUrl: string, email: string, password: string): string {
	const query = apiQuery([
		['u', email.trim()],
		['p', password],
		['login_type', 'sessionId'],
		['json', 1],
	]);
	return `${serviceOrigin(baseUrl)}/AUTH?${query}`;
}

/** Failures that the service may count towards locking the account. */
const countedFailures: readonly FailureKind[] = [
	'authentication',
	'noAccess',
	'rejected',
	'refused',
];

/** Login key → number of rejections in a row, and the latest one. */
const refusedLogins = processCache<{ times: number; refusal: ServiceError }>('refusedLogins');

/**
 * Logs in and returns the session ID. Services lock accounts after repeated failed logins, so a rejection is thrown again for
 * a while without sending anything, unless `atOnce`. Throws ServiceError, and InputError as `loginAddress`.
 */
export async function logIn(
	credential: ICredentialDataDecryptedObject,
	send: (url: string) => Promise<RawAnswer>,
	atOnce = false,
): Promise<string> {
	const { baseUrl, email, password } = credential;
	const url = loginAddress(String(baseUrl), String(email), String(password));
	const key = loginKey(credential);
	const refused = refusedLogins.get(key);
	const pause = (refused?.refusal.details.nextLoginAt ?? 0) - performance.now();
	if (refused && pause > 0 && !atOnce) {
		const seconds = Math.ceil(pause / 1000);
		const when = `No login is tried for another ${seconds} s, unless the credential is changed or its connection tested.`;
		const { description = '' } = refused.refusal.details;
		throw refused.refusal.with({ description: `${description} ${when}`.trim() });
	}
	try {
		const sessionId = sessionIdOf(await send(url));
		refusedLogins.delete(key);
		return sessionId;
	} catch (thrown) {
		const failure = failureOf(thrown);
		if (!countedFailures.includes(failure.kind)) throw failure;
		const times = (refused?.times ?? 0) + 1;
		const nextPause = Math.min(
			minLoginPauseMilliseconds * 2 ** (times - 1),
			maxLoginPauseMilliseconds,
		);
		const refusal = failure.with({ nextLoginAt: performance.now() + nextPause });
		refusedLogins.set(key, { times, refusal });
		throw refusal;
	}
}

/**
 * Returns the session ID in the answer to a login (specification, endpoint 14). Throws ServiceError. A rejected login has one
 * of the kinds in `countedFailures`, mostly `authentication`.
 */
export function sessionIdOf(answer: RawAnswer): string {
	const { status } = answer;
	const text = answer.text.trim();
	if (status >= 300 && status < 400) {
		// Do not follow the redirect: the password must only go to the address that the user entered.
		const message = 'The service sends the login on to another address';
		throw new ServiceError({ kind: 'redirected', message, remedy: 'checkBaseUrl', status });
	}
	if (status < 300 && isPlainSessionId(text)) return text;
	const value = valueOrRefusal(answer);
	if (value instanceof ServiceError) throw failedLogin(value, text);
	const sid = isJsonObject(value) ? value.get('sid') : value;
	if (typeof sid === 'string' && sid !== '' && sid !== '-1') return sid;
	const words = isJsonObject(value) ? memberText(value, 'msg', 'message', 'status') : undefined;
	throw loginRefused(status, words && beginningOf(words));
}

/** Returns whether a text that is not JSON is a session ID. */
function isPlainSessionId(text: string): boolean {
	return /^[\w.+/=~-]{1,512}$/.test(text) && !errorWord.test(text);
}

function failedLogin(failure: ServiceError, text: string): ServiceError {
	if (text === '-1') return loginRefused(failure.details.status ?? 200);
	if (failure.kind === 'notFound') {
		// In the context of a record, the kind `notFound` would mean that the record does not exist.
		const message = `The service has no login at this address: ${failure.message}`;
		const corrected = { message, description: undefined, remedy: 'checkBaseUrl' } as const;
		return failure.with({ kind: 'refused', ...corrected });
	}
	if (failure.kind === 'sessionExpired') {
		// A login sends no session that could have ended, and a login that failed must not be repeated at once.
		const message = `The service did not accept the login: ${failure.message}`;
		return failure.with({ kind: 'authentication', message });
	}
	if (failure.kind !== 'malformed') return failure;
	// Do not quote an incomplete object: it may contain the session ID.
	const isNoText = text === '' || /^[[{"]/.test(text) || !isReadable(text);
	if (isNoText) return failure.with({ description: undefined, quoted: undefined });
	// Any other text counts as a rejection: repeating the login could lock the account.
	return loginRefused(failure.details.status ?? 200, beginningOf(text));
}
