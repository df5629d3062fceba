import { orderedJsonIn } from '../json/orderedJson';
import { extensionOf } from '../values/fileNames';
import { isReadable } from '../values/text';

/** Details of a file from an answer and the stored value, beside its content. */
interface Declared {
	/** Extension of the stored value, in lower case without the dot. */
	extension: string;
	/** File name in the answer's header. */
	name?: string;
	/** Media type of the answer, in lower case without parameters. */
	type: string;
	/** Whether the request was redirected. */
	isRedirected?: boolean | undefined;
}

/** Number of bytes that identify the format of a file. */
export const headLength = 1_024;

const extensions = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/** Extensions of files that are never a text: the service cannot mean a text with such a name. */
const binaryExtensions = extensions(
	`7z ai avi bmp docm docx dwg exe gif gz heic jar jfif jpe jpeg jpg m4a m4v mdb mkv mov mp3 mp4 msg odp ods odt
	ogg pdf png pps ppsx ppt pptx psd rar skp tar tif tiff vsd vsdx wav webm webp wma wmv xlsb xlsm zip`,
);
/** Extensions of Office files that other programs often write as text, HTML or XML. */
const officeExtensions = extensions('doc dot rtf wps wri xls xlsx xlt xlw');
const jsonExtensions = extensions(
	'geojson gltf har ipynb json json5 jsonc jsonl jsonld map ndjson topojson webmanifest',
);
const pageExtensions = extensions(
	'asp aspx cfm eml hta htm html jsp jspx mht mhtml php shtml svg vue xht xhtml xml xsl xslt',
);
/** Media types with which services and proxies send errors. Each other type is that of a file. */
const textTypes: ReadonlySet<string> = new Set([
	...['', 'text/html', 'text/plain', 'text/xml', 'application/json', 'application/xml'],
	...['application/xhtml+xml', 'application/problem+json', 'application/octet-stream'],
]);

/** Maximum length of a short text, in characters. Error messages are rarely longer. */
const maxMessageLength = 500;

/** Codes with which the service rejects the identity of a request (specification, "Errors"). */
const identityCodes = /"(?:errorC|errC|c)ode"\s*:\s*"?(?:105|106|301|302|304)\b/;
const errorObject =
	/^\{[^]*"(?:status|state)"\s*:\s*"(?:ERROR|INVALID|FAILED)"|^\{\s*"(?:error|errorCode|errCode|errMsg)"\s*:|^\{(?=[^]*"code"\s*:\s*"?\d)(?=[^]*"(?:msg|message)"\s*:)/i;
const errorWords =
	/not (?:be )?found|does ?n[o']t exist|no(?: such| longer| access| permission| right)|error|exception|denied|forbidden|unauthori[sz]ed|invalid|expired|cannot|can't|could not|unable|failed|unavailable|maintenance|time[- ]?out|log ?in|sign ?in|找不到|不存在|錯誤|错误|權限|权限|無法|无法|nicht gefunden|fehler|introuvable|no (?:se )?encontr/i;
const loginPage =
	/<form[^<>]*(?:login|signin|auth)|<title>[^<]*(?:log ?-?in|sign ?-?in|登入|登录|anmelden|session)/i;
const errorTitle =
	/<(?:title|h1)[^<>]*>[^<]*(?:error|not found|denied|forbidden|unauthori[sz]ed|expired|unavailable|bad gateway|time-?out|exception|HTTP Status|\b[45]\d\d\b|找不到|錯誤|错误|fehler)/i;
/** A page whose first words are those of an error. */
const errorBody =
	/<body[^<>]*>\s*(?:<[^<>]+>\s*)*(?:the )?(?:(?:requested )?(?:file|page|document|record)[^<]{0,60}(?:not|no longer|n't)|access denied|error\b|please log ?in|you (?:are not|have no|do not))/i;

/** Pages that an Office program wrote, and vector images. The service writes neither. */
const fileMarkup =
	/urn:schemas-microsoft-com:office|<\?mso-application|^(?:<\?xml[^>]*>\s*)?<svg\b/i;

/** Returns whether the answer names a file with the extension of the stored value, or with no extension. */
export function namesFile({ extension, name }: Declared): boolean {
	if (name === undefined) return false;
	const named = extensionOf(name);
	return named === '' || named === extension || extension === '';
}

/**
 * Returns whether the answer to a request for a stored file is certainly not the file: an error or login page of the service, an
 * error object, or a text in the form of an error that a file with this name cannot be. Offices store many files whose content is
 * not what their name says. So an answer with another content is the file, and so is an answer whose media type fits the name,
 * or which names the file.
 *
 * @param first the first bytes of the answer, which are not those of a known binary format
 */
export function isErrorInstead(first: Uint8Array, declared: Declared): boolean {
	if (namesFile(declared)) return false;
	// Decode as a stream, because the last character may be incomplete.
	const text = new TextDecoder().decode(first, { stream: true }).trim();
	if (text === '') return isEmptyAnswer(declared);
	const isError = isErrorObject(text, first.length < headLength);
	if (isError && identityCodes.test(text)) return true;
	// A file with the name of a page contains markup, not a JSON object.
	const isObjectAsPage = isError && declared.type === 'text/html';
	const isFitting = fitsName(declared) && !declared.isRedirected && !isObjectAsPage;
	if (isFitting || fileMarkup.test(text) || !isReadable(text)) return false;
	return isError || isErrorText(text, declared);
}

/** Returns whether a text is an error as one JSON object. Lines of JSON, as in log files, do not count. */
function isErrorObject(text: string, isWhole: boolean): boolean {
	return errorObject.test(text) && (!isWhole || orderedJsonIn(text) !== undefined);
}

/** Returns whether a text is a page or a message, and not a file with this name. */
function isErrorText(text: string, declared: Declared): boolean {
	const { extension } = declared;
	const isBinary = binaryExtensions.has(extension);
	if (isPage(text, declared)) return isBinary || isErrorPage(text);
	if (isBinary) return isShort(text) || errorWords.test(text);
	return officeExtensions.has(extension) && isShort(text) && errorWords.test(text);
}

/** Returns whether an empty answer has no sign of a file: neither a name, nor a media type with which files are sent. */
function isEmptyAnswer(declared: Declared): boolean {
	const { type } = declared;
	return type === '' || (!fitsName(declared) && type !== 'application/octet-stream');
}

/**
 * Returns whether a file with this name can have the media type of an answer. Errors are not sent as `application/octet-stream`,
 * but a file with a binary or office extension cannot be a text. Without a media type, a page or JSON may be a file with such a
 * name.
 */
function fitsName({ extension, type }: Declared): boolean {
	if (!textTypes.has(type)) return true;
	return fittingExtensions.get(type)?.(extension) ?? false;
}

const isPageExtension = (extension: string) => pageExtensions.has(extension);
const isXmlExtension = (extension: string) =>
	isPageExtension(extension) || /(?:ml|rss|gpx|xsd|atom)$/.test(extension);
const isJsonExtension = (extension: string) => jsonExtensions.has(extension);
const isTextExtension = (extension: string) =>
	!binaryExtensions.has(extension) && !officeExtensions.has(extension);

/** Media type of a text, or no media type → whether a file with an extension has it. */
const fittingExtensions: ReadonlyMap<string, (extension: string) => boolean> = new Map([
	['text/html', isPageExtension],
	['application/xhtml+xml', isPageExtension],
	['text/xml', isXmlExtension],
	['application/xml', isXmlExtension],
	['application/json', isJsonExtension],
	['text/plain', (extension) => isTextExtension(extension) && extension !== ''],
	['application/octet-stream', isTextExtension],
	['', (extension) => isPageExtension(extension) || isJsonExtension(extension)],
]);

function isPage(text: string, { type }: Declared): boolean {
	return type === 'text/html' || /^<(?:!doctype\s+html|html|head|body)\b/i.test(text);
}

/** Returns whether a page has a field for a password, as login pages have. */
export function hasPasswordField(text: string): boolean {
	return /type\s*=\s*["']?password/i.test(text);
}

/** Returns whether a page is that of a login or of an error. */
export function isErrorPage(text: string): boolean {
	if (hasPasswordField(text) || loginPage.test(text) || errorTitle.test(text)) return true;
	// The first words of a table are data.
	return !/<table\b/i.test(text) && errorBody.test(text);
}

/** Returns whether a text is short and has at most three lines, as messages have. */
function isShort(text: string): boolean {
	return text.length <= maxMessageLength && text.split('\n').length <= 3;
}
