import { isReadable } from '../values/text';

/** What is known of a file before it comes. */
export interface ExpectedFile {
	/** In lower case, without the dot; empty when not known. */
	extension: string;
	/** A document made by the service has this form; a stored file may be misnamed by its owner. */
	isDocument: boolean;
}

type Headers = Readonly<Record<string, string>>;

/** So many bytes at the beginning tell what a file is; an answer in place of a file is often shorter. */
export const headLength = 512;
/** A one-pixel image, which the service may send for a file that it does not have. */
const blankImageLength = 100;

/** Formats by their first bytes, as Latin-1 text. */
const formats: ReadonlyArray<{ start: string; mimeType: string; extensions: readonly string[] }> = [
	{ start: '%PDF', mimeType: 'application/pdf', extensions: ['pdf'] },
	{ start: '\u0089PNG', mimeType: 'image/png', extensions: ['png'] },
	{ start: '\u00ff\u00d8\u00ff', mimeType: 'image/jpeg', extensions: ['jpg', 'jpeg'] },
	{ start: 'GIF8', mimeType: 'image/gif', extensions: ['gif'] },
	{
		start: 'PK',
		mimeType: 'application/zip',
		extensions: ['zip', 'xlsx', 'docx', 'pptx', 'odt', 'ods'],
	},
];
/** Other formats of bytes: none of them is a text. */
const binaryExtensions = new Set(
	'7z avi bmp doc gz heic m4a mov mp3 mp4 msg ppt rar tif tiff wav webm webp xls xlsm'.split(' '),
);
const markupExtensions = new Set(['htm', 'html', 'mhtml', 'svg', 'xht', 'xhtml', 'xml']);

const officeType = 'application/vnd.openxmlformats-officedocument';
const openType = 'application/vnd.oasis.opendocument';
const mimeTypes = new Map<string, string>([
	['docx', `${officeType}.wordprocessingml.document`],
	['html', 'text/html'],
	['ods', `${openType}.spreadsheet`],
	['odt', `${openType}.text`],
	['pptx', `${officeType}.presentationml.presentation`],
	['xhtml', 'application/xhtml+xml'],
	['xlsx', `${officeType}.spreadsheetml.sheet`],
]);

/**
 * Returns whether an answer came in place of the file, with status 200: JSON, a web page, a text, or a blank image. `first`
 * are `headLength` bytes, fewer only when there are no more.
 */
export function isAnswerInstead(
	first: Uint8Array,
	headers: Headers,
	{ extension, isDocument }: ExpectedFile,
): boolean {
	const text = headOf(first).replace(/^(?:\u00ef\u00bb\u00bf)?\s*/, '');
	const format = formats.find(({ extensions }) => extensions.includes(extension));
	if (format && text.startsWith(format.start)) return false;
	const type = contentType(headers);
	if (isDocument) return format !== undefined || !mayBeDocument(extension, text, type);
	const isBlankImage = first.length <= blankImageLength && /^(?:GIF8|\u0089PNG)/.test(text);
	const isAnswer = isBlankImage || isPage(text, type) || isRefusal(text);
	if (format || binaryExtensions.has(extension)) return isAnswer || isShortText(first);
	// A service that names the file sends it. Any other file may hold whatever its owner wrote.
	if (/filename/i.test(headers['content-disposition'] ?? '')) return false;
	if (type === 'application/json') return isRefusal(text) || extension !== 'json';
	return isAnswer && !(markupExtensions.has(extension) && isPage(text, type));
}

/** Returns the MIME type of a file by its first bytes, the service's word and its name. */
export function mimeTypeOf(first: Uint8Array, headers: Headers, extension: string): string {
	const head = headOf(first);
	const stated = contentType(headers);
	const isSpecific = stated !== '' && stated !== 'application/octet-stream';
	const byName = mimeTypes.get(extension);
	const format = formats.find(({ start }) => head.startsWith(start));
	if (format?.extensions.includes(extension)) return byName ?? format.mimeType;
	// Many formats are archives inside; only the service may know which one it is.
	if (format && !(format.start === 'PK' && isSpecific)) return format.mimeType;
	return isSpecific ? stated : (byName ?? 'application/octet-stream');
}

/** Whether a document without a known beginning may be one; the template of a mail merge decides on its form. */
function mayBeDocument(extension: string, text: string, type: string): boolean {
	if (markupExtensions.has(extension)) return text.startsWith('<');
	const isAnswer = ['application/json', 'text/html', 'text/plain'].includes(type);
	return text !== '' && !isAnswer && !/^(?:[<[]|\{(?!\\rtf))/.test(text);
}

function isPage(text: string, type: string): boolean {
	return type === 'text/html' || /^<(?:!doctype\s+html|html|head|body)\b/i.test(text);
}

function isRefusal(text: string): boolean {
	return (
		text.startsWith('{') &&
		/"status"\s*:\s*"(?:ERROR|INVALID)"/i.test(text) &&
		/"(?:code|errorCode|msg)"\s*:/.test(text)
	);
}

/** Nothing, or a few words for people, such as "File not found." */
function isShortText(first: Uint8Array): boolean {
	return first.length < headLength && isReadable(Buffer.from(first).toString('utf8'));
}

function contentType(headers: Headers): string {
	return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function headOf(first: Uint8Array): string {
	return Buffer.from(first.subarray(0, headLength)).toString('latin1');
}
