/**
 * JSON as the service means it: keys in the order of the text, numbers with all their digits.
 *
 * `JSON.parse` re-sorts integer-like keys, which is what record ids, row ids and field ids are, and
 * rounds long numbers. Objects are Maps here; a number that JavaScript cannot hold is its text.
 */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export type JsonObject = Map<string, JsonValue>;

/** The text is no JSON, or not a whole one. `position` counts characters from 0. */
export class JsonSyntaxError extends Error {
	constructor(
		what: string,
		readonly position: number,
	) {
		super(`${what} at character ${position}`);
		this.name = 'JsonSyntaxError';
	}
}

/** Deeper nesting than any record has; keeps a hostile answer from exhausting the stack. */
const deepestNesting = 500;

const wordValues = new Map<string, JsonValue>([
	['true', true],
	['false', false],
	['null', null],
]);
const otherToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const whitespace = /[ \t\n\r]*/y;

/** What is made of the tokens of a text: keys and texts come with their quotes. */
export interface TokenReading {
	key(token: string): string;
	scalar(token: string): JsonValue;
}

/** Keys and texts decoded, numbers as numbers where that keeps their value. */
const decoded: TokenReading = {
	key: decodeString,
	scalar(token) {
		if (token.startsWith('"')) return decodeString(token);
		return wordValues.get(token) ?? (token === 'null' ? null : numberOrText(token));
	},
};

/**
 * Reads a JSON text (RFC 8259) into an ordered value.
 *
 * @param reading what is made of keys and scalars
 *
 * @returns objects as Maps in the order of the text; of a repeated key the last value counts; numbers
 *   that would lose digits as strings
 * @throws JsonSyntaxError when the text is not exactly one JSON value
 */
export function parseOrderedJson(text: string, reading: TokenReading = decoded): JsonValue {
	let position = 0;
	let depth = 0;
	const keys = new Map<string, string>();

	function match(pattern: RegExp): string | undefined {
		pattern.lastIndex = position;
		const found = pattern.exec(text)?.[0];
		if (found !== undefined) position += found.length;
		return found;
	}

	function skipWhitespace(): void {
		const code = text.charCodeAt(position);
		if (code > 32 || code !== code) return;
		match(whitespace);
	}

	function fail(what: string): never {
		throw new JsonSyntaxError(position >= text.length ? 'The text ends too early' : what, position);
	}

	/** The text of a string token, quotes included; what is between them is not checked yet. */
	function stringToken(): string {
		if (text[position] !== '"') fail('Expected a string');
		let end = position;
		do {
			end = text.indexOf('"', end + 1);
			if (end === -1) {
				position = text.length;
				fail('A string does not end');
			}
		} while (isEscaped(end));
		return text.slice(position, end + 1);
	}

	function isEscaped(quote: number): boolean {
		let backslashes = 0;
		while (text[quote - 1 - backslashes] === '\\') backslashes++;
		return backslashes % 2 === 1;
	}

	/** What `read` makes of a string token; it throws when the token is malformed. */
	function readToken<T>(token: string, read: (token: string) => T): T {
		try {
			const value = read(token);
			position += token.length;
			return value;
		} catch {
			return fail('A string is malformed');
		}
	}

	/** Keys repeat in every record: one string for all of them saves time and memory. */
	function readKey(): string {
		const token = stringToken();
		const known = keys.get(token);
		if (known !== undefined) {
			position += token.length;
			return known;
		}
		const key = readToken(token, reading.key);
		keys.set(token, key);
		return key;
	}

	function enter(): void {
		position++;
		if (++depth > deepestNesting) fail('The text is nested too deeply');
		skipWhitespace();
	}

	/** Steps over a comma (true) or over the closing character (false). */
	function another(closing: string): boolean {
		skipWhitespace();
		const character = text[position];
		if (character !== ',' && character !== closing) fail(`Expected "," or "${closing}"`);
		position++;
		if (character === closing) depth--;
		skipWhitespace();
		return character === ',';
	}

	function readObject(): JsonObject {
		const object: JsonObject = new Map();
		enter();
		if (text[position] === '}') {
			position++;
			depth--;
			return object;
		}
		do {
			const key = readKey();
			skipWhitespace();
			if (text[position] !== ':') fail('Expected ":"');
			position++;
			skipWhitespace();
			object.set(key, readValue());
		} while (another('}'));
		return object;
	}

	function readArray(): JsonValue[] {
		const array: JsonValue[] = [];
		enter();
		if (text[position] === ']') {
			position++;
			depth--;
			return array;
		}
		do array.push(readValue());
		while (another(']'));
		return array;
	}

	function readValue(): JsonValue {
		const character = text[position];
		if (character === '{') return readObject();
		if (character === '[') return readArray();
		if (character === '"') return readToken(stringToken(), reading.scalar);
		const token = match(otherToken);
		return token === undefined ? fail('Expected a value') : reading.scalar(token);
	}

	skipWhitespace();
	const value = readValue();
	skipWhitespace();
	if (position < text.length) fail('Expected the end of the text');
	return value;
}

/** A number token as a number when that keeps its value, else as its own text. */
function numberOrText(token: string): number | string {
	const value = Number(token);
	if (token.length <= 15 && !/[eE]/.test(token)) return value;
	return Number.isFinite(value) && sameDecimal(token, String(value)) ? value : copyOf(token);
}

function sameDecimal(left: string, right: string): boolean {
	return decimalForm(left) === decimalForm(right);
}

/** Sign, digits without leading and trailing zeros, and power of ten: equal for equal decimals. */
function decimalForm(token: string): string {
	const [mantissa = '', exponent = '0'] = token.toLowerCase().replace(/^-/, '').split('e');
	const [whole = '', fraction = ''] = mantissa.split('.');
	const digits = `${whole}${fraction}`.replace(/^0+/, '');
	const significant = digits.replace(/0+$/, '');
	if (significant === '') return '0';
	const power = Number(exponent) - fraction.length + digits.length - significant.length;
	return `${token.startsWith('-') ? '-' : ''}${significant}e${power}`;
}

/** A slice would keep the text of the whole page in memory. */
function copyOf(token: string): string {
	return decodeString(`"${token}"`);
}

/**
 * The text of a string token, as a string of its own rather than a slice.
 *
 * @throws SyntaxError when the token is malformed
 */
export function decodeString(token: string): string {
	return String(JSON.parse(token));
}

/** Whether the value is a JSON object. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
	return value instanceof Map;
}
