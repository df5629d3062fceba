import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { isJsonObject, memberText } from '../json/orderedJson';
import { apiQuery } from '../values/query';
import { serviceOrigin } from '../values/serviceAddress';
import { isReadable } from '../values/text';
import { loginRefused, valueOrRefusal, wordsOf, type RawAnswer } from './answer';
import { failureOf } from './failure';
import { firstLoginPause, longestLoginPause } from './policies';
import { processCache } from './processState';
import { ServiceError, type FailureKind } from './serviceError';
import { loginKey } from './session';

/** Words that are no session ids. */
const refusingWord =
	/^(?:-1|null|undefined|true|false|none|ok|success|denied|error|fail(?:ed|ure)?|forbidden|invalid|unauthorized)$/i;

/** Returns the address of a login, which holds the password (specification, endpoint 14). Throws InputError as `serviceOrigin` and `apiQuery`. */
export function loginAddress(baseUrl: string, email: string, password: string): string {
	const query = apiQuery([
		['u', email.trim()],
		['p', password],
		['login_type', 'sessionId'],
		['json', 1],
	]);
	return `${serviceOrigin(baseUrl)}/AUTH?${query}`;
}

/** Whatever else may have failed does not count against the user. */
const refusals: readonly FailureKind[] = ['authentication', 'noAccess', 'rejected', 'refused'];

/** Logins that were refused, by their keys: how often, and the latest refusal. */
const refusedLogins = processCache<{ times: number; refusal: ServiceError }>('refusedLogins');

/** Logs in and returns the session id. After a refusal throws it again for a while, and sends nothing, unless `atOnce`: services lock accounts. */
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
		if (!refusals.includes(failure.kind)) throw failure;
		const times = (refused?.times ?? 0) + 1;
		const nextPause = Math.min(firstLoginPause * 2 ** (times - 1), longestLoginPause);
		const refusal = failure.with({ nextLoginAt: performance.now() + nextPause });
		refusedLogins.set(key, { times, refusal });
		throw refusal;
	}
}

/** Returns the session id in a login's answer (specification, endpoint 14). Throws ServiceError, of kind `authentication` when the login may count. */
export function sessionIdOf(answer: RawAnswer): string {
	const { status } = answer;
	const text = answer.text.trim();
	if (status >= 300 && status < 400) {
		// The password goes to no other address than the one that the user gave.
		const message = 'The service sends the login on to another address';
		throw new ServiceError({ kind: 'redirected', message, remedy: 'checkBaseUrl', status });
	}
	const isPlain = /^[\w.+/=~-]{1,512}$/.test(text) && !refusingWord.test(text);
	if (status < 300 && isPlain) return text;
	const value = valueOrRefusal(answer);
	if (value instanceof ServiceError) throw failedLogin(value, text);
	const isObject = isJsonObject(value);
	const sid = isObject ? value.get('sid') : value;
	if (typeof sid === 'string' && sid !== '' && sid !== '-1') return sid;
	const words = isObject ? memberText(value, 'msg', 'message', 'status') : undefined;
	throw loginRefused(status, words && wordsOf(words));
}

function failedLogin(failure: ServiceError, text: string): ServiceError {
	if (failure.kind === 'notFound') {
		// To whoever asked for a record, "not found" would mean that the record is not there.
		const message = `The service has no login at this address: ${failure.message}`;
		return failure.with({ kind: 'refused', message, remedy: 'checkBaseUrl' });
	}
	if (failure.kind !== 'malformed') return failure;
	// Half an object may hold the session id.
	const isNoText = text === '' || /^[[{"]/.test(text) || !isReadable(text);
	if (isNoText) return failure.with({ description: undefined, quoted: undefined });
	// Trying again might lock the account, as with any wrong password.
	return loginRefused(failure.details.status ?? 200, wordsOf(text));
}
