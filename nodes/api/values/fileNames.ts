import { EntryError, InputError } from './inputError';
import { isBlank, percentDecoded, shortened } from './text';

/** Maximum length of a file name on common file systems, in bytes of UTF-8. */
const maxNameBytes = 255;
/** Maximum length of a shortened name, in characters. A name of this length never exceeds `maxNameBytes`. */
const maxNameCharacters = 60;
/** Path separators, control characters, unpaired surrogates, line separators, and overrides of the text direction. */
const unsafe = /[/\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** File extensions that are not top-level domains, so no e-mail address ends with them. */
const fileExtensions: ReadonlySet<string> = new Set(
	`7z avi bmp csv doc docx dwg dxf eml gif gz heic htm html ics jpeg jpg json log mkv mp3 mp4 msg
	odp ods odt pdf png ppt pptx rar rtf svg tar tif tiff txt vcf wav webp xls xlsx xml`.split(/\s+/),
);
/** Host name of an e-mail address. */
const host = /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/i;

/**
 * Returns the file name in a `Content-Disposition` header (RFC 6266), or undefined. The encoded name (RFC 8187, in UTF-8 or
 * ISO-8859-1) takes precedence over the plain one.
 */
export function dispositionName(header: string | undefined): string | undefined {
	if (header === undefined) return undefined;
	const parameters = parametersOf(header);
	const encodedName = extendedText(parameters.get('filename*') ?? '');
	if (encodedName) return encodedName;
	const plain = parameters.get('filename');
	if (plain === undefined || plain === '') return undefined;
	const text = decodedAsUtf8(plain);
	// Some services percent-encode the plain name, too.
	return (/%[0-9a-f]{2}/i.test(text) && percentDecoded(text)) || text;
}

/** Returns the parameters of a header by their names in lower case. The first one of a name counts. */
function parametersOf(header: string): ReadonlyMap<string, string> {
	const parameters = new Map<string, string>();
	// A quoted value may contain semicolons, so it is skipped as a whole.
	const parameter = /;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g;
	for (const [, name = '', quoted, plain = ''] of header.matchAll(parameter)) {
		const key = name.toLowerCase();
		const value = quoted?.replace(/\\(.)/g, '$1') ?? plain.trim();
		if (!parameters.has(key)) parameters.set(key, value);
	}
	return parameters;
}

/** Returns the text of an encoded value, such as `UTF-8''%e2%82%ac`; undefined for another charset, or if it is malformed. */
function extendedText(value: string): string | undefined {
	const [, charset = '', encoded = ''] = /^(utf-8|iso-8859-1)'[^']*'(\S+)$/i.exec(value) ?? [];
	if (charset.toLowerCase() === 'utf-8') return percentDecoded(encoded);
	return encoded.replace(/%([0-9a-f]{2})/gi, unescaped) || undefined;
}

/** Returns the character of a percent-encoded byte in ISO-8859-1. */
function unescaped(_: string, digits: string): string {
	return String.fromCharCode(parseInt(digits, 16));
}

/**
 * Returns the file name in a stored file value (specification, "Value formats"): the text after the first `@`, or the whole
 * value if it has none.
 */
export function storedFileName(value: string): string {
	return value.slice(value.indexOf('@') + 1);
}

/**
 * Returns a name with `_` in place of `unsafe` characters, short enough for common file systems, with its extension. Returns
 * `otherwise` if only dots, underscores and spaces remain.
 */
export function safeFileName(name: string, otherwise: string): string {
	const cleaned = name.replace(unsafe, '_').trim();
	const safe = /^[._ ]*$/.test(cleaned) ? otherwise : cleaned;
	if (Buffer.byteLength(safe) <= maxNameBytes) return safe;
	const extension = /\.[^.]{1,11}$/.exec(safe)?.[0] ?? '';
	return [...safe].slice(0, maxNameCharacters - extension.length).join('') + extension;
}

/** Returns the extension of a name in lower case without the dot, or an empty text. */
export function extensionOf(name: string): string {
	return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/**
 * Returns whether a value is certainly a stored file (specification, "Value formats"): its name ends with one of
 * `fileExtensions`, and it does not begin with an e-mail address. Any other file value could be an e-mail address.
 */
export function isSurelyFile(value: unknown): boolean {
	if (typeof value !== 'string' || !/^[\w-]+@/.test(value)) return false;
	const name = storedFileName(value);
	const [first = '', ...rest] = name.split(/[\s,;]+/);
	const beginsWithAddress = rest.length > 0 && host.test(first);
	return fileExtensions.has(extensionOf(name)) && !beginsWithAddress;
}

/**
 * Returns the file values of one value or an array, without the empty values that the service may add. Throws InputError if no
 * value remains, or if a value is not a file value.
 */
export function fileValuesOf(input: unknown): string[] {
	const values = (Array.isArray(input) ? input : [input]).filter((element) => !isBlank(element));
	if (values.length > 0) return values.map(fileValueOf);
	throw new InputError('The file value is empty', 'The field of the record may contain no file.');
}

function fileValueOf(value: unknown): string {
	if (typeof value === 'string' && isFileValue(value)) return value;
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
	throw new EntryError(
		shortened(text, 80),
		'is not the value of a file field',
		'A file value has the form prefix@name. An expression may return an array of file values.',
	);
}

/**
 * Returns whether a text may be a file value: `prefix@name`, or a file name without `@`, as the images in rich text have. JSON
 * texts, such as a list of values, are not file values.
 */
export function isFileValue(value: string): boolean {
	return /^[^@["{]*@/.test(value) || isPlainFileName(value);
}

/** Returns whether a text is a file name without a prefix, such as `_clipboard1700000000000.png`. */
function isPlainFileName(value: string): boolean {
	return /^[^\s@/\\:"[\]{}<>|?*]+\.[a-z0-9]{1,10}$/i.test(value);
}

/** Decodes a header value if it is UTF-8. Header values arrive as Latin-1, but many servers write UTF-8. */
function decodedAsUtf8(text: string): string {
	if (/[^\0-\u00ff]/.test(text)) return text;
	try {
		return strictUtf8.decode(Buffer.from(text, 'latin1'));
	} catch {
		return text;
	}
}
