import { serviceOf, type Connection, type Dialect } from './connection';
import { processCache } from './processState';

/** Accounts whose answers have contained the record ID in Ragic's spelling. */
const ragicAccounts = processCache<true>('ragicAccounts');

/** Address of a server of Ragic. */
const ragicOrigin = /^https:\/\/(?:.+\.)?ragic\.com(?::\d+)?$/;

/** A key of JSON. Inside a JSON text, the quotation marks are escaped, so they do not match. */
const ragicIdKey = /"_?ragicId"\s*:/;

/**
 * Returns the spelling of the names that are sent to an account: the spelling that the credential sets, or the detected one.
 * Ragic's spelling is detected by the host, or by an answer that this process has received from the account.
 */
export function dialectOf(connection: Connection): Dialect {
	const { baseUrl, serviceDialect } = connection;
	if (serviceDialect !== 'automatic') return serviceDialect;
	const isRagic = ragicOrigin.test(baseUrl) || ragicAccounts.get(accountKey(connection)) === true;
	return isRagic ? 'ragic' : 'standard';
}

/** Remembers that an account uses Ragic's spelling, if the text of an answer shows that. */
export function detectDialect(connection: Connection, text: string): void {
	if (dialectOf(connection) === 'ragic' || !ragicIdKey.test(text)) return;
	ragicAccounts.set(accountKey(connection), true);
}

function accountKey(connection: Connection): string {
	return `${serviceOf(connection)}/${connection.account.toLowerCase()}`;
}
