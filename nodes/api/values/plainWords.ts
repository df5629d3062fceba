/** HTML entities by name that the service uses in its messages. */
const namedEntities: ReadonlyMap<string, string> = new Map([
	['amp', '&'],
	['apos', "'"],
	['gt', '>'],
	['lt', '<'],
	['nbsp', ' '],
	['quot', '"'],
]);

const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi;
const noBreakSpace = /\u00a0/g;

/**
 * Returns a message of the service as plain text. HTML entities are decoded once, so an encoded `&amp;lt;` stays `&lt;`.
 * Unknown entities stay as they are. A message of white space only, such as `&nbsp;`, is empty.
 */
export function plainWords(message: string): string {
	const decoded = message.replace(entity, (written, decimal = '', hex = '', name = '') => {
		if (name !== '') return namedEntities.get(name) ?? written;
		return characterOf(decimal === '' ? parseInt(hex, 16) : Number(decimal)) ?? written;
	});
	const words = decoded.replace(noBreakSpace, ' ');
	return words.trim() === '' ? '' : words;
}

/** Returns the character with a code point; undefined for a control character and a code that is no character. */
function characterOf(code: number): string | undefined {
	const isControl = code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d;
	const isSurrogate = code >= 0xd800 && code <= 0xdfff;
	if (isControl || isSurrogate || code > 0x10ffff) return undefined;
	return String.fromCodePoint(code);
}
