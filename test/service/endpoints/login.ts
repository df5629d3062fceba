import type { ServiceState } from '../call';
import { jsonAnswer, textAnswer, type Answer } from '../http/answer';
import { keyHolder } from '../http/authentication';
import type { Query } from '../http/query';
import type { Identity, Session } from '../identities';
import type { JsonValue } from '../json';

type Headers = Record<string, string | string[] | undefined>;

/** Logs in with e-mail and password (specification, endpoint 14), or with the key in the header. */
export function logIn(headers: Headers, query: Query, state: ServiceState): Answer {
	const identity = query.has('u')
		? Object.values(state.identities).find(
				({ email, password }) => email === query.first('u') && password === query.first('p'),
			)
		: keyHolder(headers, state);
	if (!identity) return textAnswer('-1');
	const session = state.sessions.open(identity);
	const answer = describeSession(session, identity, query, state);
	answer.headers['set-cookie'] = sessionCookie(session, state);
	return answer;
}

/** Returns the `Set-Cookie` header of a session. A switch selects the name of the cookie. */
export function sessionCookie({ id }: Session, { switches }: ServiceState): string {
	return `${switches.cookieName}=${id}; Path=/; Secure; HttpOnly`;
}

/** Answers the credential check of the vendor's own n8n node. The code is in the body. */
export function checkCredential(headers: Headers, query: Query, state: ServiceState): Answer {
	const account = query.first('ap') ?? state.account;
	const isKnown = keyHolder(headers, state) !== undefined;
	if (headers.authorization === undefined) return jsonAnswer({ code: 400 }, query);
	if (!isKnown) return jsonAnswer({ code: 403 }, query);
	return jsonAnswer({ code: account === state.account ? 200 : 404 }, query);
}

function describeSession(
	{ id: sid }: Session,
	identity: Identity,
	query: Query,
	{ account, identities, switches }: ServiceState,
): Answer {
	const { email, groups, apiKey } = identity;
	if (query.first('json') !== '1' || switches.loginAnswer === 'plainText') return textAnswer(sid);
	const key: { [name: string]: JsonValue } = query.has('apikey') ? { apikey: apiKey } : {};
	if (switches.loginAnswer === 'accountsArray') {
		return jsonAnswer({ sid, status: 'SUCCESS', email, accounts: [account], ...key }, query);
	}
	const idKey = switches.dialect === 'ragic' ? 'ragicId' : 'svcId';
	const userId = Object.values(identities).indexOf(identity);
	const accounts = { account, [idKey]: userId, external: false, groups };
	return jsonAnswer({ sid, email, accounts, ...key }, query);
}
