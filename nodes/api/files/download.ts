import {
	quotingSentence,
	isByteStream,
	readAnswer,
	valueOrRefusal,
	beginningOf,
} from '../http/answer';
import type { ByteStream, RawAnswer } from '../http/answer';
import type { Client, ServiceRequest } from '../http/client';
import { CachePart } from '../http/runCache';
import { ServiceError, fallbackTo } from '../http/serviceError';
import { withDeadline } from '../http/deadline';
import { orderedJsonIn } from '../json/orderedJson';
import { sheetListRequest } from '../account/sheets';
import { dispositionName, extensionOf, storedFileName } from '../values/fileNames';
import { plainWords } from '../values/plainWords';
import { apiQuery, encodeText } from '../values/query';
import { isReadable } from '../values/text';
import { accountPath } from '../values/sheetAddress';
import { isAnswerInstead, mimeTypeOf, type ExpectedFile } from './fileContent';
import { headLength } from './storedContent';

/** A file that is being downloaded. */
export interface ArrivingFile {
	stream: ByteStream;
	mimeType: string;
	/** File name in the answer's header, unchanged. */
	name?: string;
}

/** A request whose answer is a file. */
export interface FileRequest extends ServiceRequest {
	expected: ExpectedFile;
}

/** Maximum time between two chunks of a file, in ms. */
const maxIdleMilliseconds = 120_000;

/** Maximum number of bytes to read of an answer that is not the file. */
const maxAnswerBytes = 1_000_000;

/**
 * Streams a file to `store`, once per attempt, and destroys the stream afterward. Throws ServiceError if the answer is not a
 * complete file. Errors of `store` become ServiceErrors, too (see `failureOf`), and their kind decides whether the download is
 * repeated.
 */
export async function downloadFile<T>(
	client: Client,
	{ expected, ...request }: FileRequest,
	store: (file: ArrivingFile) => Promise<T>,
): Promise<T> {
	return await client.read({ ...request, encoding: 'stream' }, async (answer) => {
		const { status, headers, body: stream, isRedirected } = answer;
		if (!isByteStream(stream)) throw noFile(status, '');
		let latest = performance.now();
		// An error without a listener would end the process. The next read of the stream reports it.
		stream.on('error', () => {});
		const received = async (signal: AbortSignal) => {
			signal.addEventListener('abort', () => stream.destroy(brokenDownload()));
			const first = await firstBytes(stream);
			// Only status 200 sends a file. For example, 204 means that there is no file.
			if (status !== 200 || isAnswerInstead(first, headers, { ...expected, isRedirected })) {
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
		// If the connection ends early, n8n's stream may report it only with the next chunk, which never comes. The deadline then
		// ends the download.
		const deadline = { at: () => latest + maxIdleMilliseconds, error: silentDownload };
		return await withDeadline(deadline, received, client.host).finally(() => stream.destroy());
	});
}

/** Returns the first bytes of a stream without consuming them: `headLength` bytes, or fewer if the stream is shorter. */
async function firstBytes(stream: ByteStream): Promise<Uint8Array> {
	return await new Promise((resolve, reject) => {
		const onReadable = () => {
			// Returns null until enough bytes have arrived or the stream has ended.
			const chunk: unknown = stream.read(headLength);
			if (!(chunk instanceof Uint8Array)) return;
			// Remove the listener first: `unshift` makes the stream readable again immediately.
			stream.off('readable', onReadable);
			stream.unshift(chunk);
			resolve(chunk);
		};
		stream.on('readable', onReadable);
		stream.once('end', () => resolve(new Uint8Array()));
		stream.once('close', () => reject(stream.errored ?? brokenDownload()));
	});
}

/** Returns the error that the service sent instead of the file. */
async function refusalIn(answer: RawAnswer, stream: ByteStream): Promise<ServiceError> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of stream) {
		if (!(chunk instanceof Uint8Array) || length > maxAnswerBytes) break;
		chunks.push(chunk);
		length += chunk.length;
	}
	const text = Buffer.concat(chunks).toString('utf8');
	const refusal = valueOrRefusal({ ...answer, text });
	if (!(refusal instanceof ServiceError) || refusal.kind === 'malformed') {
		return noFile(answer.status, text);
	}
	const isText = orderedJsonIn(text) === undefined && isReadable(text);
	const words = isText ? beginningOf(visibleText(text)) : '';
	if (words !== '') return pageError(refusal, answer.status, words);
	return refusal;
}

/** Returns the error for a web page or a plain text, with its first words in `serviceMessage`. The error keeps the kind of the refusal. */
function pageError(refusal: ServiceError, status: number, words: string): ServiceError {
	const isMissing = refusal.kind === 'webPage' && status === 404;
	const message = isMissing
		? 'The service has no such file, or it answered with a web page instead'
		: `${refusal.message}: ${words}`;
	const quoted = [...(refusal.details.quoted ?? []), words];
	const kind = isMissing ? 'notFound' : refusal.kind;
	return refusal.with({ kind, message, serviceMessage: words, quoted });
}

/** Start of a part of a web page that a reader does not see → its end. Tags are written without angle brackets. */
const invisibleParts: ReadonlyMap<string, string> = new Map([
	['<!--', '-->'],
	['script', '/script'],
	['style', '/style'],
	['title', '/title'],
]);
const pageParts = /<!--|-->|<\/?[a-z][^<>]*>?|[^<-]+|[<-]/gi;

/** Returns the text of a web page that a reader sees, after its title. Takes time in proportion to the length of the page. */
function visibleText(page: string): string {
	const [, title = ''] = /<title[^<>]*>([^<]*)/i.exec(page) ?? [];
	let visible = `${title} `;
	let end: string | undefined;
	for (const [part] of page.matchAll(pageParts)) {
		const [, tag] = /^<(\/?[a-z]\w*)/i.exec(part) ?? [];
		const mark = tag?.toLowerCase() ?? part;
		if (end === undefined) {
			end = invisibleParts.get(mark);
			visible += tag === undefined && end === undefined ? part : ' ';
		} else if (mark === end) {
			end = undefined;
		}
	}
	return plainWords(visible).replace(/\s+/g, ' ').trim();
}

function noFile(status: number, text: string): ServiceError {
	return new ServiceError({
		kind: 'notFound',
		message: `The service sent ${text === '' ? 'an empty answer' : 'something else'} instead of the file`,
		description: quotingSentence(text) || 'The file may not exist any more.',
		status,
		quoted: [beginningOf(text)],
	});
}

function brokenDownload(): ServiceError {
	return incompleteDownload('The connection to the service broke off before the file was complete');
}

function silentDownload(): ServiceError {
	const seconds = maxIdleMilliseconds / 1000;
	return incompleteDownload(
		`The service sent nothing for ${seconds} seconds before the file was complete`,
	);
}

/** Returns an error of a kind after which the download is repeated. */
function incompleteDownload(message: string): ServiceError {
	return new ServiceError({ kind: 'connectionLost', message, description: 'Try again later.' });
}

/**
 * Downloads a stored file by its field value (specification, endpoint 5). If the file endpoint rejects the API key, the
 * download is tried again with the session cookie of a read. Throws ServiceError.
 */
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
		expected: { extension: extensionOf(storedFileName(fileValue)), isGenerated: false },
	};
	const known = client.cache.part(cookies);
	const download = async (cookie?: string) =>
		await downloadFile(client, { ...request, cookie }, store);
	return await download(known.get(account))
		.catch(async (error: unknown) => {
			const mayNeedSession = error instanceof ServiceError && sessionKinds.includes(error.kind);
			const cookie = hasKey && mayNeedSession ? await sessionCookie(client) : '';
			if (cookie === '') throw error;
			known.set(account, cookie);
			return await download(cookie);
		})
		.catch((error: unknown) => {
			throw error instanceof ServiceError ? namingFile(error, fileValue) : error;
		});
}

const missingAdvice = 'It may have been deleted or replaced.';
const pageAdvice = 'The file may not exist, or this user may not open it.';

/** Returns the advice for a value without a prefix: the name of a file, or an image in rich text. */
function nameAdvice(name: string): string {
	return `If this is only its name: a stored value has a prefix, such as kq2Ab@${name}. Use the value of the field, or choose the file by its record and field.`;
}

/** Returns an error of a download whose message names the file. Its description quotes the answer. */
function namingFile(error: ServiceError, fileValue: string): ServiceError {
	const name = storedFileName(fileValue);
	const { message, description = '', serviceMessage } = error.details;
	const quoting = serviceMessage === undefined ? '' : `The service says: ${serviceMessage}`;
	if (error.kind === 'webPage') {
		const words = serviceMessage === undefined ? '' : `: ${serviceMessage}`;
		const page = `The service returned an error page instead of the file '${name}'${words}`;
		return error.with({ message: page, description: pageAdvice, remedy: undefined });
	}
	if (error.kind === 'notFound') {
		const isAnswer = description.startsWith('It says');
		const ofName = fileValue.includes('@') ? '' : nameAdvice(name);
		const notes = [missingAdvice, ofName, isAnswer ? description : quoting];
		const missing = `The file '${name}' does not exist any more`;
		return error.with({
			message: missing,
			description: notes.filter(Boolean).join(' '),
			remedy: undefined,
		});
	}
	return error.with({ message: `The file '${name}' was not downloaded: ${message}` });
}

/** Account → session cookie that a read with the API key has set. It is reused for the next files. */
const cookies = new CachePart<string>();

/** Kinds of errors with which the file endpoint rejects an API key but may accept a session. */
const sessionKinds = ['authentication', 'noAccess', 'sessionExpired', 'webPage'];

/** Returns the cookies that a read of the menu sets, or else a read of the list of sheets; '' if neither does. Ignores errors. */
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
