import {
	sleep,
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type IHttpRequestOptions,
	type INodeCredentialTestResult,
} from 'n8n-workflow';
import { httpAnswer, readAnswer, type RawAnswer } from '../../api/http/answer';
import { connectionOf, withKey, withSession, type Connection } from '../../api/http/connection';
import { detectDialect, dialectOf } from '../../api/http/dialect';
import { codeSentence, noAccessCode } from '../../api/http/errorCodes';
import { failureOf, finalFailure } from '../../api/http/failure';
import { logIn } from '../../api/http/login';
import { guestRetryMilliseconds, loginTimeoutMilliseconds } from '../../api/http/policies';
import { followRedirects } from '../../api/http/redirect';
import { ServiceError } from '../../api/http/serviceError';
import { storedSession } from '../../api/http/session';
import type { JsonValue } from '../../api/json/orderedJson';
import { isMenu, sheetListRequest, sheetsOfList, sheetsOfMenu } from '../../api/account/sheets';
import { apiQuery } from '../../api/values/query';
import { accountPath } from '../../api/values/sheetAddress';
import { joinedSentences } from '../../api/values/text';
import { describe } from '../../shared/nodeError';

/**
 * Tests a credential when it is saved: logs in with e-mail and password (a stored session is not used) or uses the API key, and
 * fetches the sheets that the user may see. Succeeds if there is one. Never throws: returns any failure as the result.
 */
async function checkConnection(
	this: ICredentialTestFunctions,
	{ type, data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const isKey = type === 'sheetRecordsApi';
	const secrets: string[] = [];
	const identity = { ...data };
	// n8n provides no other helper for a credential test.
	const { request } = this.helpers;
	const send = async ({ url, qs, headers }: IHttpRequestOptions): Promise<RawAnswer> => {
		const answer: unknown = await request({
			method: 'GET',
			uri: url,
			qs,
			headers,
			resolveWithFullResponse: true,
			simple: false,
			followRedirect: false,
			timeout: loginTimeoutMilliseconds,
			rejectUnauthorized: data.allowUnauthorizedCerts !== true,
		});
		return httpAnswer(answer);
	};
	const authenticate = isKey ? withKey : withSession;
	const sendAuthenticated = followRedirects(
		async ({ url }) => await send(authenticate({ url }, identity)),
	);
	try {
		const connection = connectionOf(isKey ? type : 'sheetRecordsSessionApi', data);
		const { baseUrl, account } = connection;
		secrets.push(...connection.secrets);
		if (!isKey) {
			const sendLogin = async (url: string) => {
				const answer = await send({ url });
				detectDialect(connection, answer.text);
				return answer;
			};
			const sessionId = await logIn(data, sendLogin, true);
			secrets.push(sessionId);
			identity.sessionId = storedSession(data, sessionId);
		}
		await requireSheet(account, async ({ path, query }) => {
			return readAnswer(
				await sendAuthenticated({ url: `${baseUrl}${path}?${query}`, request: {} }),
			);
		});
		return { status: 'OK', message: `Connection successful! ${dialectText(connection)}` };
	} catch (thrown) {
		const { message, details } = finalFailure(credentialFailure(isKey, failureOf(thrown)), secrets);
		const description = describe(details.description, details.remedy, details.code);
		return { status: 'Error', message: joinedSentences([message, description]) };
	}
}

type FetchValue = (request: { path: string; query: string }) => Promise<JsonValue>;

/**
 * Throws ServiceError unless the service lists a sheet of the account: in the menu or, if the menu is empty or refused with code
 * 106, in the list for the vendor's own clients (see `sheetListRequest`). If that list fails, it counts as empty. If neither has
 * a sheet, throws the refusal of the menu, or an error that the user has no access to any sheet.
 */
async function requireSheet(account: string, fetchValue: FetchValue): Promise<void> {
	const fetchMenu = async () => {
		const menu = await fetchValue({ path: accountPath(account), query: apiQuery([]) });
		if (isMenu(menu, account)) return menu;
		const message = 'The answer is not the menu of the account';
		throw new ServiceError({ kind: 'malformed', message, remedy: 'checkAddress' });
	};
	const isListed = async () =>
		await fetchValue(sheetListRequest)
			.then((list) => sheetsOfList(list, account) !== undefined)
			.catch(() => false);
	/** Returns the failure if the user may not read the menu. Throws any other failure. */
	const noAccess = (error: unknown): ServiceError => {
		const failure = failureOf(error);
		if (failure.details.code === noAccessCode) return failure;
		throw failure;
	};
	const fetchMenuTwice = async () =>
		await fetchMenu().catch(async (error: unknown) => {
			noAccess(error);
			await sleep(guestRetryMilliseconds);
			return await fetchMenu();
		});
	const menu = await fetchMenuTwice().catch(noAccess);
	if (!(menu instanceof ServiceError) && sheetsOfMenu(menu, account).length > 0) return;
	if (await isListed()) return;
	if (menu instanceof ServiceError) throw menu;
	const message =
		'The service accepts the credential, but its user has no access to any sheet of this account';
	const description = 'In the service, give the user access to the sheets.';
	throw new ServiceError({ kind: 'noAccess', message, description });
}

/**
 * Returns a sentence that names the spelling of requests, and whether it is set or detected. It is detected by the host, by an
 * answer that this process received before the test, or by the answer to the login of the test.
 */
function dialectText(connection: Connection): string {
	const name = dialectOf(connection) === 'ragic' ? 'Ragic' : 'Standard';
	if (connection.serviceDialect !== 'automatic') return `Service Dialect is set to '${name}'.`;
	if (name === 'Ragic') return "Service Dialect: 'Ragic' was detected.";
	return "Service Dialect: 'Standard' is used until an answer shows Ragic's spelling.";
}

/**
 * Returns the failure with a better message. If the service refuses the key, the user or the account, the message is about that,
 * not about a sheet or record. If the service refuses the menu without a code, the message is about the menu. Returns any other
 * failure unchanged.
 */
function credentialFailure(isKey: boolean, failure: ServiceError): ServiceError {
	const { kind, details } = failure;
	const { code, serviceMessage } = details;
	const refusal = (message: string, description: string) =>
		failure.with({ message, description, remedy: undefined });
	if (code === noAccessCode) {
		const who = isKey ? 'The service does not accept this key, or its user' : 'The user';
		const remedy = isKey ? 'Copy the complete API key again, and check' : 'Check';
		const advice = `${codeSentence(code)} ${remedy} 'Account'.`;
		return refusal(`${who} has no access to this account`, advice);
	}
	if (details.remedy === 'checkIdentity') return identityFailure(isKey, failure);
	if (kind === 'notFound') {
		return refusal('The service does not know this account', "Check 'Base URL' and 'Account'.");
	}
	const isOfLogin = details.nextLoginAt !== undefined;
	if (isOfLogin || kind !== 'refused' || code !== undefined || !serviceMessage) return failure;
	const message = `The service refused the request for the account's menu: ${details.message}`;
	return refusal(message, "Check 'Base URL', 'Account' and the rights of the user.");
}

/** Returns the failure of a refused key, login or session with a message that names it. */
function identityFailure(isKey: boolean, failure: ServiceError): ServiceError {
	if (isKey) {
		const message = 'The service does not accept this key';
		const description =
			'Copy the complete API key again from your personal settings in the service.';
		return failure.with({ message, description, remedy: undefined });
	}
	if (failure.details.nextLoginAt !== undefined) {
		const message = 'The service does not accept the e-mail or the password';
		return failure.with({ message, remedy: 'checkLogin' });
	}
	const message = 'The service accepts the login, but not the session that it opens';
	const description = "Change 'Send Session In', or correct 'Cookie Name'.";
	return failure.with({ message, description, remedy: undefined });
}

export const credentialTest = { checkConnection };
