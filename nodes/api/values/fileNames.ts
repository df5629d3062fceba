import { InputError } from './inputError';
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

/** Returns the file name in a `Content-Disposition` header (RFC 6266, RFC 2047), or undefined. The encoded name takes precedence over the plain one. */
export function dispositionName(header: string | undefined): string | undefined {
	if (header === undefined) return undefined;
	const encoded = /;\s*filename\*\s*=\s*"?utf-8'[^']*'([^;\s"]+)/i.exec(header)?.[1];
	const encodedName = percentDecoded(encoded ?? '');
	if (encodedName) return encodedName;
	const plain = plainNameIn(header);
	if (plain === undefined || plain === '') return undefined;
	const text = withDecodedWords(decodedAsUtf8(plain));
	// Some services percent-encode the plain name, too.
	return (/%[0-9a-f]{2}/i.test(text) && percentDecoded(text)) || text;
}

/** Returns the plain file name in the header, quoted or not. */
function plainNameIn(header: string): string | undefined {
	const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1];
	if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1');
	return /;\s*filename\s*=\s*([^;"]+)/i.exec(header)?.[1]?.trim();
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
	// Reject JSON texts, such as a list of values, which also contain an `@`.
	if (typeof value === 'string' && /^[^@["]*@/.test(value)) return value;
	const quotedValue =
		typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? String(value));
	throw new InputError(
		`${shortened(quotedValue, 80)} is not the value of a file field`,
		'A file value has the form prefix@name. An expression may return an array of file values.',
	);
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

/** Returns the character of an escape `=XX` in an encoded word. */
function unescaped(_: string, digits: string): string {
	return String.fromCharCode(parseInt(digits, 16));
}

/** Returns a text with its encoded words decoded (RFC 2047). */
function withDecodedWords(text: string): string {
	const word = /=\?([\w-]+)\?([bq])\?([^?\s]*)\?=(?:\s+(?==\?))?/gi;
	return text.replace(word, (whole, charset: string, form: string, content: string) => {
		const bytes = /b/i.test(form)
			? Buffer.from(content, 'base64')
			: Buffer.from(content.replace(/_/g, ' ').replace(/=([0-9a-f]{2})/gi, unescaped), 'latin1');
		try {
			return new TextDecoder(charset).decode(bytes);
		} catch {
			return whole;
		}
	});
}
