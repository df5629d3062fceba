import { dispositionName, extensionOf } from '../values/fileNames';
import { isReadable } from '../values/text';
import {
	hasPasswordField,
	headLength,
	isErrorInstead,
	isErrorPage,
	namesFile,
} from './storedContent';

/** Facts about a file that are known before the download. */
export interface ExpectedFile {
	/** Extension in lower case without the dot, or an empty text if unknown. */
	extension: string;
	/**
	 * Whether the service generates the file. A generated file has the format of its extension. A mail merge has no known
	 * extension, because its format depends on its template; it is never a text.
	 */
	isGenerated: boolean;
	/** Whether the request was redirected. Then a login page is not the file, even if the file is a page. */
	isRedirected?: boolean | undefined;
}

type Headers = Readonly<Record<string, string>>;

const archiveStart = 'PK\u0003\u0004';

interface Format {
	mimeType: string;
	/** First bytes of a file, as Latin-1 text. */
	start: string;
	extensions: RegExp;
}

const formats: readonly Format[] = [
	{ mimeType: 'application/pdf', start: '%PDF', extensions: /^pdf$/ },
	{ mimeType: 'application/rtf', start: '{\\rtf', extensions: /^rtf$/ },
	{ mimeType: 'application/zip', start: archiveStart, extensions: /^(zip|docx|od[st]|pptx|xlsx)$/ },
	{ mimeType: 'image/gif', start: 'GIF8', extensions: /^gif$/ },
	{ mimeType: 'image/jpeg', start: '\u00ff\u00d8\u00ff', extensions: /^jpe?g$/ },
	{ mimeType: 'image/png', start: '\u0089PNG', extensions: /^png$/ },
];
const markupExtensions = /^(m?html?|svg|xht|xhtml|xml)$/;
/** Media types of error responses that services and proxies send instead of a file. */
const answerTypes: readonly string[] = ['application/json', 'text/html', 'text/plain'];

const unknownType = 'application/octet-stream';
const officeType = 'application/vnd.openxmlformats-officedocument';
const openType = 'application/vnd.oasis.opendocument';
const wordType = `${officeType}.wordprocessingml.document`;
const mimeTypes: ReadonlyMap<string, string> = new Map([
	['docx', wordType],
	['html', 'text/html'],
	['ods', `${openType}.spreadsheet`],
	['odt', `${openType}.text`],
	['pptx', `${officeType}.presentationml.presentation`],
	['xhtml', 'application/xhtml+xml'],
	['xlsx', `${officeType}.spreadsheetml.sheet`],
]);

/** Returns whether an answer with status 200 is certainly not the file. */
export function isAnswerInstead(
	first: Uint8Array,
	headers: Headers,
	expected: ExpectedFile,
): boolean {
	const text = headOf(first);
	const format = formats.find(({ start }) => text.startsWith(start));
	const { extension } = expected;
	const { isRedirected } = expected;
	if (expected.isGenerated) {
		return isWrongDocument(first, text, headers, { extension, format, isRedirected });
	}
	const name = dispositionName(headers['content-disposition']);
	const declared = { extension, name, type: contentType(headers), isRedirected };
	if (format) return isBlankImage(text) && !namesFile(declared);
	return isErrorInstead(first, declared);
}

/** Returns whether an answer is not the generated document: it has another format than its extension says. */
function isWrongDocument(
	first: Uint8Array,
	text: string,
	headers: Headers,
	{
		extension,
		format,
		isRedirected = false,
	}: Omit<ExpectedFile, 'isGenerated'> & { format?: Format },
): boolean {
	const expectedFormat = formats.find(({ extensions }) => extensions.test(extension));
	if (format) return isBlankImage(text) || (extension !== '' && format !== expectedFormat);
	if (markupExtensions.test(extension)) {
		// The page of a record may contain the word "error", so only the page of a redirect is searched for it.
		return !text.startsWith('<') || hasPasswordField(text) || (isRedirected && isErrorPage(text));
	}
	return expectedFormat !== undefined || isTextAnswer(first, headers);
}

/** Returns whether the answer is a text by its content or by its media type, so it cannot be a binary file. */
function isTextAnswer(first: Uint8Array, headers: Headers): boolean {
	// Decode as a stream, because the last character may be incomplete.
	const isText = isReadable(new TextDecoder().decode(first, { stream: true }));
	return isText || answerTypes.includes(contentType(headers));
}

/** Returns the MIME type of a file by its first bytes, otherwise by the answer's content type, otherwise by its name. */
export function mimeTypeOf(first: Uint8Array, headers: Headers, expected: ExpectedFile): string {
	const name = dispositionName(headers['content-disposition']) ?? '';
	const extension = expected.extension || extensionOf(name);
	const head = headOf(first);
	const format = formats.find(({ start }) => head.startsWith(start));
	const typeByName = mimeTypes.get(extension);
	if (format?.extensions.test(extension)) return typeByName ?? format.mimeType;
	if (format && format.start !== archiveStart) return format.mimeType;
	const declaredType = declaredTypeOf(headers, format !== undefined);
	if (declaredType !== '') return declaredType;
	return format ? archiveType(expected) : (typeByName ?? unknownType);
}

/** Returns the media type that an answer declares; an empty text if it is unknown, or that of a text although the content is an archive. */
function declaredTypeOf(headers: Headers, isArchive: boolean): string {
	const type = contentType(headers);
	const isUseless = type === unknownType || (isArchive && answerTypes.includes(type));
	return isUseless ? '' : type;
}

/** Returns the MIME type of an archive without a known extension. An archive from a mail merge is taken to be a Word document. */
function archiveType({ isGenerated }: ExpectedFile): string {
	return isGenerated ? wordType : 'application/zip';
}

/** Returns whether a file is an image of one pixel, which the service may send for a missing file. */
function isBlankImage(text: string): boolean {
	const [ofPng, ofGif] = ['\0\0\0\u0001'.repeat(2), '\u0001\0'.repeat(2)];
	return text.startsWith('GIF8')
		? text.startsWith(ofGif, 6)
		: text.startsWith('\u0089PNG') && text.startsWith(ofPng, 16);
}

function contentType(headers: Headers): string {
	return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Returns the beginning of a content as Latin-1 text, without a byte order mark and white space before it. */
function headOf(first: Uint8Array): string {
	const head = Buffer.from(first.subarray(0, headLength)).toString('latin1');
	return head.replace(/^(?:\u00ef\u00bb\u00bf)?\s*/, '');
}
