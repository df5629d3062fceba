import { readAnswer, type RawAnswer } from '../http/answer';
import { extensionOf, storedFileName } from '../values/fileNames';
import { apiQuery, encodeText } from '../values/query';
import { ServiceError, fallbackTo } from '../http/serviceError';
import { accountPath } from '../values/sheetAddress';
import { sheetListRequest } from '../schema/sheets';
import type { Client, ServiceRequest } from '../http/client';
import type { CachePart } from '../http/runCache';
import { downloadFile, type ArrivingFile } from './download';

/** Fetches a stored file by the value of its field (specification, endpoint 5), with the session of a read where files need one. */
export async function downloadStoredFile<T>(
	client: Client,
	fileValue: string,
	store: (file: ArrivingFile) => Promise<T>,
): Promise<T> {
	const { account } = client.connection;
	const request = {
		path: '/sims/file.jsp',
		query: `a=${encodeText(account)}&f=${encodeText(fileValue)}`,
		expected: { extension: extensionOf(storedFileName(fileValue)), isDocument: false },
	};
	const known = client.cache.part(cookies).get(account);
	const download = async (cookie?: string) =>
		await downloadFile(client, { ...request, cookie }, store);
	return await download(known).catch(async (error: unknown) => {
		const cookie = mayNeedSession(client, error) ? await sessionCookie(client) : '';
		if (cookie === '') throw error;
		client.cache.part(cookies).set(account, cookie);
		return await download(cookie);
	});
}

/** Sessions that reads with a key have opened: the next file does not ask for another one. */
const cookies: CachePart<string> = { name: 'cookies' };

/** A key was refused in a way in which a session may not be. */
function mayNeedSession({ connection }: Client, error: unknown): boolean {
	return (
		connection.credentialType === 'sheetRecordsApi' &&
		error instanceof ServiceError &&
		['authentication', 'noAccess', 'sessionExpired', 'webPage'].includes(error.kind)
	);
}

/** The cookies that the service sets on a read with the key: of the menu or, should that be refused, of the list of sheets. */
async function sessionCookie(client: Client): Promise<string> {
	const menu = { path: accountPath(client.connection.account), query: apiQuery([]) };
	const cookieOf = async (request: ServiceRequest) =>
		await client.read(request, cookiesOf).catch(fallbackTo(''));
	return (await cookieOf(menu)) || (await cookieOf(sheetListRequest));
}

/** @throws ServiceError for a refusal */
function cookiesOf(answer: RawAnswer): string {
	readAnswer(answer);
	return (answer.headers['set-cookie'] ?? '')
		.split(/,(?=[^;,=\s]+=)/)
		.map((cookie) => cookie.split(';')[0]?.trim() ?? '')
		.filter((pair) => pair.includes('='))
		.join('; ');
}
