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

/** First bytes, as Latin-1 text, by which a format is known. */
const signatures: ReadonlyArray<[signature: string, mimeType: string, extensions: string[]]> = [
	['%PDF', 'application/pdf', ['pdf']],
	['\u0089PNG', 'image/png', ['png']],
	['\u00ff\u00d8\u00ff', 'image/jpeg', ['jpg', 'jpeg']],
	['GIF8', 'image/gif', ['gif']],
	['PK', 'application/zip', ['zip', 'xlsx', 'docx', 'pptx', 'odt', 'ods']],
];

const mimeTypes = new Map<string, string>([
	['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
	['html', 'text/html'],
	['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
	['odt', 'application/vnd.oasis.opendocument.text'],
	['pdf', 'application/pdf'],
	['png', 'image/png'],
	['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
	['xhtml', 'application/xhtml+xml'],
	['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
]);

const markupExtensions = new Set(['htm', 'html', 'mhtml', 'svg', 'xht', 'xhtml', 'xml']);
/** Formats of bytes, beside those with a known beginning: none of them begins like a web page. */
const binaryExtensions = new Set([
	...['7z', 'avi', 'bmp', 'doc', 'docm', 'dwg', 'exe', 'gz', 'heic', 'ico', 'jar', 'm4a', 'mov'],
	...['mp3', 'mp4', 'msg', 'odp', 'pages', 'ppt', 'psd', 'rar', 'tar', 'tif', 'tiff', 'wav'],
	...['webm', 'webp', 'xls', 'xlsb', 'xlsm'],
]);
const textExtensions = new Set([
	...['', 'conf', 'css', 'csv', 'eml', 'geojson', 'ics', 'ini', 'js', 'json', 'log', 'md'],
	...['rtf', 'sql', 'srt', 'text', 'ts', 'tsv', 'txt', 'vcf', 'yaml', 'yml'],
]);

/**
 * Whether what came is an answer of the service in place of the file: JSON, a web page, a text, or a
 * blank image. A service that fails does so with status 200, too.
 *
 * @param first at least `headLength` bytes, fewer only when there are no more
 */
export function isAnswerInstead(
	first: Uint8Array,
	headers: Headers,
	{ extension, isDocument }: ExpectedFile,
): boolean {
	return isDocument
		? !isDocumentOf(extension, first, headers)
		: isInPlaceOfStoredFile(extension, first, headers);
}

/** The MIME type of a file, by its first bytes, its name and what the service says, in this order. */
export function mimeTypeOf(first: Uint8Array, headers: Headers, extension: string): string {
	const head = headOf(first);
	const said = contentType(headers);
	const isSpecific = said !== '' && said !== 'application/octet-stream';
	const byName = mimeTypes.get(extension);
	const known = signatures.find(([signature]) => head.startsWith(signature));
	if (known) {
		const [, type, extensions] = known;
		if (extensions.includes(extension)) return byName ?? type;
		// Many formats are archives inside; only the service may know which one it is.
		return type === 'application/zip' && isSpecific ? said : type;
	}
	if (isSpecific) return said;
	return byName ?? 'application/octet-stream';
}

/** A document made by the service is what it should be, or it is none. */
function isDocumentOf(extension: string, first: Uint8Array, headers: Headers): boolean {
	const text = headOf(first).replace(/^(?:\u00ef\u00bb\u00bf)?\s*/, '');
	const known = signatures.find(([, , extensions]) => extensions.includes(extension));
	if (known) return text.startsWith(known[0]);
	if (markupExtensions.has(extension)) return text.startsWith('<');
	// A template decides on the form: anything but an answer of the service.
	const type = contentType(headers);
	const isAnswer = ['application/json', 'text/html', 'text/plain'].includes(type);
	return text !== '' && !isAnswer && !/^(?:[<[]|\{(?!\\rtf))/.test(text);
}

/** A stored file may hold anything, so only what looks like an answer and unlike the file counts. */
function isInPlaceOfStoredFile(extension: string, first: Uint8Array, headers: Headers): boolean {
	const head = headOf(first);
	const type = contentType(headers);
	const known = signatures.find(([, , extensions]) => extensions.includes(extension));
	if (known && head.startsWith(known[0])) return false;
	// A service that names the file sends it, not an answer; but a name alone makes no picture of a text.
	const isNamed = /filename/i.test(headers['content-disposition'] ?? '');
	if (isMarkup(head, type)) {
		const mayBeMarkup = type !== 'text/html' && !known && !binaryExtensions.has(extension);
		return !markupExtensions.has(extension) && !(isNamed && mayBeMarkup);
	}
	const isOfNoType = type === '' || type === 'application/octet-stream';
	if (known && (first.length === 0 || (isOfNoType && isShortText(first)))) return true;
	if (isRefusalJson(head)) return !(isNamed && textExtensions.has(extension));
	if (type === 'application/json') return extension !== 'json' && !isNamed;
	if (isBlankImage(head, first.length)) return true;
	const isPlainAnswer = type === 'text/plain' && first.length > 0 && first.length < headLength;
	return (
		isPlainAnswer && !isNamed && !textExtensions.has(extension) && !markupExtensions.has(extension)
	);
}

/** A few words for people, such as "File not found." */
function isShortText(first: Uint8Array): boolean {
	return first.length < headLength && isReadable(Buffer.from(first).toString('utf8'));
}

function contentType(headers: Headers): string {
	return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function headOf(first: Uint8Array): string {
	return Buffer.from(first.subarray(0, headLength)).toString('latin1');
}

function isMarkup(head: string, type: string): boolean {
	return (
		type === 'text/html' ||
		/^(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype\s+html|html|head|body)\b/i.test(head)
	);
}

function isRefusalJson(head: string): boolean {
	return (
		/^(?:\u00ef\u00bb\u00bf)?\s*\{/.test(head) &&
		/"status"\s*:\s*"(?:ERROR|INVALID)"/i.test(head) &&
		/"(?:code|errorCode|msg)"\s*:/.test(head)
	);
}

function isBlankImage(head: string, length: number): boolean {
	return length <= blankImageLength && (head.startsWith('GIF8') || head.startsWith('\u0089PNG'));
}
