import { dispositionName, extensionOf } from '../values/fileNames';
import { isReadable } from '../values/text';

/** Facts about a file that are known before the download. */
export interface ExpectedFile {
	/** Extension in lower case without the dot, or an empty text if unknown. */
	extension: string;
	/**
	 * Whether the service generates the file. A generated file has the format of its extension. A mail merge has no known
	 * extension, because its format depends on its template; it is never a text.
	 */
	isGenerated: boolean;
}

type Headers = Readonly<Record<string, string>>;

/** Number of bytes that identify the format of a file. */
export const headLength = 512;

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
/** Extensions of further binary files. A file with any other extension may be a text. */
const binaryExtensions: ReadonlySet<string> = new Set(
	'7z avi bmp doc gz heic m4a mov mp3 mp4 msg ppt rar tif tiff wav webm webp xls xlsm'.split(' '),
);
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

/** Treats all image formats alike, because a stored image may have the extension of another image format. */
const formatGroup = ({ mimeType }: Format) => mimeType.replace(/^image\/.*/, 'image');

/** Returns whether an answer with status 200 is not the file: its content has another kind than its name says. */
export function isAnswerInstead(
	first: Uint8Array,
	headers: Headers,
	expected: ExpectedFile,
): boolean {
	const { extension, isGenerated } = expected;
	// The byte order mark is not part of the content.
	const text = headOf(first).replace(/^(?:\u00ef\u00bb\u00bf)?\s*/, '');
	const format = formats.find(({ start }) => text.startsWith(start));
	const expectedFormat = formats.find(({ extensions }) => extensions.test(extension));
	if (format) return isBlankImage(text) || isUnexpected(format, expectedFormat, expected);
	if (isGenerated && markupExtensions.test(extension)) return !text.startsWith('<');
	if (isGenerated && expectedFormat) return true;
	const isBinary = isGenerated || expectedFormat || binaryExtensions.has(extension);
	return isBinary ? isTextAnswer(first, headers) : isErrorText(text, extension, headers);
}

/**
 * Returns whether a file in a known format is not the expected one. A generated file must have the format of its extension, if it
 * has one. A stored image may have another image format. A stored file whose extension is not in `formats` may have any format.
 */
function isUnexpected(
	format: Format,
	expectedFormat: Format | undefined,
	{ extension, isGenerated }: ExpectedFile,
): boolean {
	if (isGenerated) return extension !== '' && format !== expectedFormat;
	return expectedFormat !== undefined && formatGroup(format) !== formatGroup(expectedFormat);
}

/** Returns whether the answer is a text by its content or by its media type, so it cannot be a binary file. */
function isTextAnswer(first: Uint8Array, headers: Headers): boolean {
	// Decode as a stream, because the last character may be incomplete.
	const isText = isReadable(new TextDecoder().decode(first, { stream: true }));
	return isText || answerTypes.includes(contentType(headers));
}

/** Returns whether a text is a web page or a JSON answer instead of the text file with this extension. */
function isErrorText(text: string, extension: string, headers: Headers): boolean {
	// An answer with a file name is the file.
	if (/filename/i.test(headers['content-disposition'] ?? '')) return false;
	const type = contentType(headers);
	const isPage = type === 'text/html' || /^<(?:!doctype\s+html|html|head|body)\b/i.test(text);
	// A web page may be the stored file itself.
	if (isPage) return !markupExtensions.test(extension);
	const isData = type === 'application/json' && extension !== 'json';
	return isData || /^\{[^]*"status"\s*:\s*"(?:ERROR|INVALID)"/i.test(text);
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
	const declaredType = contentType(headers);
	if (declaredType !== '' && declaredType !== unknownType) return declaredType;
	return format ? archiveType(expected) : (typeByName ?? unknownType);
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

function headOf(first: Uint8Array): string {
	return Buffer.from(first.subarray(0, headLength)).toString('latin1');
}
