/** What is known of a file before it comes. */
export interface ExpectedFile {
	/** In lower case, without the dot; empty when not known. */
	extension: string;
	/** A document made by the service has this form; a stored file may be misnamed by its owner. */
	isDocument: boolean;
}

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
	['pdf', 'application/pdf'],
	['png', 'image/png'],
	['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
	['xhtml', 'application/xhtml+xml'],
	['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
]);
const markupExtensions = ['htm', 'html', 'svg', 'xhtml', 'xml'];
const textExtensions = [
	'',
	'csv',
	'ics',
	'json',
	'log',
	'md',
	'text',
	'tsv',
	'txt',
	'vcf',
	'yaml',
	'yml',
];

/** Enough bytes to tell a file from an answer in its place. */
const headLength = 512;
/** A one-pixel image, which the service may send for a file that it does not have. */
const blankImageLength = 64;

/**
 * Whether what came is an answer of the service in place of the file: JSON, a web page, a text, or a
 * blank image. A service that fails does so with status 200, too.
 */
export function isAnswerInstead(
	first: Uint8Array,
	headers: Readonly<Record<string, string>>,
	{ extension, isDocument }: ExpectedFile,
): boolean {
	const head = headOf(first);
	const type = contentType(headers);
	const known = signatures.find(([, , extensions]) => extensions.includes(extension));
	if (known && head.startsWith(known[0])) return false;
	if (isDocument && known) return true;
	if (isMarkup(head, type)) return !markupExtensions.includes(extension);
	if (isDocument && /^\s*$/.test(head)) return true;
	if (isRefusalJson(head)) return true;
	if (type === 'application/json') return extension !== 'json';
	if (isBlankImage(head, headers)) return extension !== 'gif';
	const isText = type === 'text/plain' && !markupExtensions.includes(extension);
	return isText && !textExtensions.includes(extension);
}

/** The MIME type of a file, by its first bytes, its name and what the service says, in this order. */
export function mimeTypeOf(
	first: Uint8Array,
	headers: Readonly<Record<string, string>>,
	extension: string,
): string {
	const head = headOf(first);
	const known = signatures.find(([signature]) => head.startsWith(signature));
	const byName = mimeTypes.get(extension);
	if (known) return known[2].includes(extension) && byName ? byName : known[1];
	const said = contentType(headers);
	if (said !== '' && said !== 'application/octet-stream') return said;
	return byName ?? 'application/octet-stream';
}

function contentType(headers: Readonly<Record<string, string>>): string {
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
	return /^\s*\{/.test(head) && /"status"\s*:\s*"(?:ERROR|INVALID)"/i.test(head);
}

function isBlankImage(head: string, headers: Readonly<Record<string, string>>): boolean {
	const length = Number(headers['content-length'] ?? head.length);
	return head.startsWith('GIF8') && length <= blankImageLength && head.length <= blankImageLength;
}
