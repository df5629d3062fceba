/** Longest name, in bytes of UTF-8, that common file systems take. */
const mostBytes = 255;
/** Separators, control characters, halves of characters, line ends, and marks of direction. */
const unsafe = /[/\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The file name in a `Content-Disposition` header (RFC 6266): the encoded form wins over the plain one.
 * Undefined when the header names none.
 */
export function dispositionName(header: string | undefined): string | undefined {
	if (header === undefined) return undefined;
	const encoded = /;\s*filename\*\s*=\s*"?([\w!#$&+^`{}~-]+)'[^']*'([^;\s"]+)/i.exec(header);
	if (encoded) {
		const [, charset = '', text = ''] = encoded;
		const name = percentDecoded(text, /^iso-8859-1$/i.test(charset) ? 'latin1' : 'utf8');
		if (name) return name;
	}
	const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1];
	const plain =
		quoted?.replace(/\\(.)/g, '$1') ?? /;\s*filename\s*=\s*([^;"]+)/i.exec(header)?.[1]?.trim();
	if (plain === undefined || plain === '') return undefined;
	const text = readAsUtf8(plain);
	return (/%[0-9a-f]{2}/i.test(text) && percentDecoded(text, 'utf8')) || text;
}

/** The file name in a stored file value: all behind the first `@` (specification, "Value formats"). */
export function storedFileName(value: string): string {
	return value.slice(value.indexOf('@') + 1);
}

/**
 * A name that common file systems take, and that shows what it is: without path separators, characters
 * that control, or turn the direction of writing around, not longer than 255 bytes, its extension kept.
 *
 * @param otherwise the name when nothing is left of it
 */
export function safeFileName(name: string, otherwise: string): string {
	const cleaned = name.replace(unsafe, '_').trim();
	return shortened(/^[._ ]*$/.test(cleaned) ? otherwise : cleaned);
}

/** The extension of a name in lower case, without the dot; empty when it has none. */
export function extensionOf(name: string): string {
	return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

function shortened(name: string): string {
	if (Buffer.byteLength(name) <= mostBytes) return name;
	const dot = name.lastIndexOf('.');
	const extension = dot > 0 && name.length - dot <= 12 ? name.slice(dot) : '';
	let base = '';
	let bytes = Buffer.byteLength(extension);
	for (const character of name.slice(0, name.length - extension.length)) {
		bytes += Buffer.byteLength(character);
		if (bytes > mostBytes) break;
		base += character;
	}
	return base + extension;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Header values arrive as Latin-1; many servers write UTF-8 into them. */
function readAsUtf8(text: string): string {
	if (/[^\0-\u00ff]/.test(text)) return text;
	try {
		return strictUtf8.decode(Buffer.from(text, 'latin1'));
	} catch {
		return text;
	}
}

function percentDecoded(text: string, encoding: 'utf8' | 'latin1'): string | undefined {
	try {
		return encoding === 'utf8' ? decodeURIComponent(text) : unescapedLatin1(text);
	} catch {
		return undefined;
	}
}

function unescapedLatin1(text: string): string {
	return text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
		String.fromCharCode(parseInt(digits, 16)),
	);
}
