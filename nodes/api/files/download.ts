import { beginningOf, isByteStream, readAnswer, valueOrRefusal, wordsOf } from '../http/answer';
import type { ByteStream, RawAnswer } from '../http/answer';
import type { Client, ServiceRequest } from '../http/client';
import type { CachePart } from '../http/runCache';
import { ServiceError, fallbackTo } from '../http/serviceError';
import { withDeadline } from '../http/deadline';
import { sheetListRequest } from '../schema/sheets';
import { dispositionName, extensionOf, storedFileName } from '../values/fileNames';
import { apiQuery, encodeText } from '../values/query';
import { accountPath } from '../values/sheetAddress';
import { headLength, isAnswerInstead, mimeTypeOf, type ExpectedFile } from './fileContent';

export interface ArrivingFile {
	stream: ByteStream;
	mimeType: string;
	/** The name in the answer's header, as it stands there. */
	name?: string;
}

export interface FileRequest extends ServiceRequest {
	expected: ExpectedFile;
}

/** A body that stands still for so long will not come any more. */
const idleMilliseconds = 120_000;

/** Of an answer in place of a file, no more bytes are read. */
const mostAnswerBytes = 1_000_000;

/** Fetches a file as a stream, which `store` takes to its end, again for each attempt. Throws ServiceError for what is no whole file. */
export async function downloadFile<T>(
	client: Client,
	{ expected, ...request }: FileRequest,
	store: (file: ArrivingFile) => Promise<T>,
): Promise<T> {
	return await client.read({ ...request, encoding: 'stream' }, async (answer) => {
		const { status, headers, body: stream } = answer;
		if (!isByteStream(stream)) throw noFile(status, '');
		let latest = performance.now();
		// A failure between two listeners would end the whole process; the next one to read hears of it.
		stream.on('error', () => {});
		const received = async (signal: AbortSignal) => {
			signal.addEventListener('abort', () => stream.destroy(brokenOff()));
			const first = await firstBytes(stream);
			// No other status sends a file; 204, say, means that there is none.
			if (status !== 200 || isAnswerInstead(first, headers, expected)) {
				throw await refusalIn(answer, stream);
			}
			const file = stream.map((chunk: unknown) => {
				latest = performance.now();
				return chunk;
			});
			const mimeType = mimeTypeOf(first, headers, expected);
			const name = dispositionName(headers['content-disposition']);
			return await store({ stream: file, mimeType, name });
		};
		// n8n may wrap the body in a stream that reports an early end only with the next chunk.
		const deadline = { at: () => latest + idleMilliseconds, error: silent };
		return await withDeadline(deadline, received, client.host).finally(() => stream.destroy());
	});
}

/** Returns the beginning of a stream, which stays in it: `headLength` bytes, or as many as there are. */
async function firstBytes(stream: ByteStream): Promise<Uint8Array> {
	return await new Promise((resolve, reject) => {
		const onReadable = () => {
			// Yields nothing until there are so many bytes, or the last ones have come.
			const chunk: unknown = stream.read(headLength);
			if (!(chunk instanceof Uint8Array)) return;
			// What is put back is readable again at once.
			stream.off('readable', onReadable);
			stream.unshift(chunk);
			resolve(chunk);
		};
		stream.on('readable', onReadable);
		stream.once('end', () => resolve(new Uint8Array()));
		stream.once('close', () => reject(stream.errored ?? brokenOff()));
	});
}

/** Returns the refusal that came in place of the file, in the service's words. */
async function refusalIn(answer: RawAnswer, stream: ByteStream): Promise<ServiceError> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of stream) {
		if (!(chunk instanceof Uint8Array) || length > mostAnswerBytes) break;
		chunks.push(chunk);
		length += chunk.length;
	}
	const text = Buffer.concat(chunks).toString('utf8');
	const judged = valueOrRefusal({ ...answer, text });
	if (!(judged instanceof ServiceError) || judged.kind === 'malformed') {
		return noFile(answer.status, text);
	}
	// A page may well report a missing file: that is not a missing record.
	if (judged.kind !== 'webPage' || answer.status !== 404) return judged;
	const message = 'The service has no such file, or it answered with a web page instead';
	return judged.with({ kind: 'notFound', message });
}

function noFile(status: number, text: string): ServiceError {
	return new ServiceError({
		kind: 'notFound',
		message: `The service sent ${text === '' ? 'an empty answer' : 'something else'} instead of the file`,
		description: beginningOf(text) || 'The file may not exist any more.',
		status,
		quoted: [wordsOf(text)],
	});
}

function brokenOff(): ServiceError {
	return incomplete('The connection to the service broke off before the file was complete');
}

function silent(): ServiceError {
	const seconds = idleMilliseconds / 1000;
	return incomplete(`The service sent nothing for ${seconds} seconds before the file was complete`);
}

function incomplete(message: string): ServiceError {
	return new ServiceError({ kind: 'connectionLost', message, description: 'Try again later.' });
}

/** Fetches a stored file by the value of its field (specification, endpoint 5), with the session of a read where files need one. */
export async function downloadStoredFile<T>(
	client: Client,
	fileValue: string,
	store: (file: ArrivingFile) => Promise<T>,
): Promise<T> {
	const { account, credentialType } = client.connection;
	const hasKey = credentialType === 'sheetRecordsApi';
	const request = {
		path: '/sims/file.jsp',
		query: `a=${encodeText(account)}&f=${encodeText(fileValue)}`,
		expected: { extension: extensionOf(storedFileName(fileValue)), isDocument: false },
	};
	const known = client.cache.part(cookies);
	const download = async (cookie?: string) =>
		await downloadFile(client, { ...request, cookie }, store);
	return await download(known.get(account)).catch(async (error: unknown) => {
		const mayNeedSession = error instanceof ServiceError && sessionKinds.includes(error.kind);
		const cookie = hasKey && mayNeedSession ? await sessionCookie(client) : '';
		if (cookie === '') throw error;
		known.set(account, cookie);
		return await download(cookie);
	});
}

/** Sessions that reads with a key have opened: the next file does not ask for another one. */
const cookies: CachePart<string> = { name: 'cookies' };

/** How a key is refused where a session may not be. */
const sessionKinds = ['authentication', 'noAccess', 'sessionExpired', 'webPage'];

/** The cookies that the service sets on a read with the key: of the menu or, should that be refused, of the list of sheets. */
async function sessionCookie(client: Client): Promise<string> {
	const menu = { path: accountPath(client.connection.account), query: apiQuery([]) };
	const cookieOf = async (request: ServiceRequest) =>
		await client.read(request, cookiesOf).catch(fallbackTo(''));
	return (await cookieOf(menu)) || (await cookieOf(sheetListRequest));
}

function cookiesOf(answer: RawAnswer): string {
	readAnswer(answer);
	return (answer.headers['set-cookie'] ?? '')
		.split(/,(?=[^;,=\s]+=)/)
		.map((cookie) => cookie.split(';')[0]?.trim() ?? '')
		.filter((pair) => pair.includes('='))
		.join('; ');
}
