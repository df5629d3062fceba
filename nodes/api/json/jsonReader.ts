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
/** More objects and lists than any page has. Each takes a hundred times the memory of its text. */
const mostParts = 5_000_000;

const otherToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** Matching millions of digits would exhaust the memory that regular expressions have. */
const longestNumber = 1_000_000;
/** The fields of any sheet, and more; keys beyond, and short texts, are made anew each time. */
export const mostKnown = 2_000;

const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const quote = 34;
const comma = 44;
const colon = 58;
const openingBracket = 91;
const backslash = 92;
const closingBracket = 93;
const openingBrace = 123;
const closingBrace = 125;

/** What is made of a text, from the inside out. */
export interface JsonReading<T> {
	/** The token has its quotes. */
	key(token: string): string;
	/** The token stands in `json` from the quote at `start` to before `end`; a plain one has no escapes. */
	text(json: string, start: number, end: number, isPlain: boolean): T;
	/** A number, `true`, `false` or `null`. */
	scalar(token: string): T;
	array(elements: T[]): T;
	object(members: JsonMembers<T>): T;
	/** Takes an object that is a member of the outermost one as soon as it is read, or answers false. */
	take?(key: string, members: JsonMembers<T>): boolean;
}

/** The keys of an object, and how they are written. */
interface KeyList {
	keys: string[];
	tokens: string[];
}

const noKeys: KeyList = { keys: [], tokens: [] };

/** The members of an object in the order of the text; of a repeated key the last value counts. */
export interface JsonMembers<T> {
	keys: readonly string[];
	/** By the places of their keys. */
	values: readonly T[];
}

/** Each key once: where it came first, with the value that came last. */
export function membersByKey<T>({ keys, values }: JsonMembers<T>): Map<string, T> {
	const members = new Map<string, T>();
	for (const [index, value] of values.entries()) members.set(keys[index] ?? '', value);
	return members;
}

/** Reads exactly one JSON value (RFC 8259) into whatever a reading makes of it. Throws JsonSyntaxError for anything else. */
export function readJson<T>(text: string, reading: JsonReading<T>, partsAllowed = mostParts): T {
	const { take } = reading;
	let position = 0;
	let depth = 0;
	let parts = 0;
	/** Whether the string token that was passed last has no escapes. */
	let isPlain = true;
	const keys = new Map<string, string>();
	/** Of the object that was read last, at each depth: the next one most often has the same. */
	const latestKeys: KeyList[] = [];

	/** The character behind whitespace; not a number behind the end of the text. */
	function next(): number {
		let code = text.charCodeAt(position);
		while (code === space || code === lineFeed || code === carriageReturn || code === tab) {
			code = text.charCodeAt(++position);
		}
		return code;
	}

	function fail(what: string): never {
		throw new JsonSyntaxError(position >= text.length ? 'The text ends too early' : what, position);
	}

	/** Where the string token ends. With escapes, what is between its quotes is not checked yet. */
	function stringEnd(): number {
		if (next() !== quote) fail('Expected a string');
		isPlain = true;
		for (let end = position + 1; ; end++) {
			const code = text.charCodeAt(end);
			if (code === quote) return end + 1;
			// Not a number behind the end of the text.
			if (code >= space && code !== backslash) continue;
			isPlain = false;
			return escapedEnd(end);
		}
	}

	/** Where a string ends that has an escape, or what must be escaped, at `from`. */
	function escapedEnd(from: number): number {
		for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
			let backslashes = 0;
			while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes++;
			if (backslashes % 2 === 0) return end + 1;
		}
		position = text.length;
		return fail('A string does not end');
	}

	/** The key that stood at this place in the object before, if it stands here, too. */
	function expectedKey({ keys: names, tokens }: KeyList, place: number): string | undefined {
		const token = tokens[place];
		if (token === undefined || !text.startsWith(token, position)) return undefined;
		position += token.length;
		return names[place];
	}

	/** Keys repeat in every record: one string for all of them saves time and memory. */
	function readKey(): string {
		const end = stringEnd();
		const token = text.slice(position, end);
		let key = keys.get(token);
		if (key === undefined) {
			try {
				key = reading.key(token);
			} catch {
				return fail('A string is malformed');
			}
			// Ids of records do not repeat; all fields have come with the first of them.
			if (keys.size < mostKnown) keys.set(token, key);
		}
		position = end;
		return key;
	}

	function readText(): T {
		const end = stringEnd();
		try {
			const value = reading.text(text, position, end, isPlain);
			position = end;
			return value;
		} catch {
			return fail('A string is malformed');
		}
	}

	function enter(): void {
		position++;
		if (++depth > deepestNesting) fail('The text is nested too deeply');
		if (++parts > partsAllowed) fail('The text has too many objects and lists');
	}

	function leave(): void {
		position++;
		depth--;
	}

	/** Steps over a comma (true) or over the closing character (false). */
	function another(closing: number): boolean {
		const code = next();
		if (code === closing) {
			leave();
			return false;
		}
		if (code !== comma) fail(`Expected "," or "${String.fromCharCode(closing)}"`);
		position++;
		return true;
	}

	function readMembers(): JsonMembers<T> {
		enter();
		const level = depth;
		const expected = latestKeys[level] ?? noKeys;
		/** Once a key is another one than expected. */
		let own: KeyList | undefined;
		const values: T[] = [];
		if (next() === closingBrace) {
			leave();
			return { keys: noKeys.keys, values };
		}
		do {
			next();
			const start = position;
			const key = expectedKey(expected, values.length) ?? readKey();
			const end = position;
			if (next() !== colon) fail('Expected ":"');
			position++;
			const isOffered = take !== undefined && depth === 1 && next() === openingBrace;
			const members = isOffered ? readMembers() : undefined;
			if (members && take?.(key, members)) continue;
			if (!own && key !== expected.keys[values.length]) own = firstOf(expected, values.length);
			own?.keys.push(key);
			own?.tokens.push(text.slice(start, end));
			values.push(members ? reading.object(members) : readValue());
		} while (another(closingBrace));
		if (!own && values.length < expected.keys.length) own = firstOf(expected, values.length);
		if (own) latestKeys[level] = own;
		return { keys: (own ?? expected).keys, values };
	}

	function readArray(): T {
		const elements: T[] = [];
		enter();
		if (next() === closingBracket) {
			leave();
			return reading.array(elements);
		}
		do elements.push(readValue());
		while (another(closingBracket));
		return reading.array(elements);
	}

	function readOther(): T {
		otherToken.lastIndex = 0;
		const token = otherToken.exec(text.slice(position, position + longestNumber + 1))?.[0];
		if (token === undefined) return fail('Expected a value');
		if (token.length > longestNumber) return fail('A number is too long');
		position += token.length;
		return reading.scalar(token);
	}

	function readValue(): T {
		const code = next();
		if (code === quote) return readText();
		if (code === openingBrace) return reading.object(readMembers());
		if (code === openingBracket) return readArray();
		return readOther();
	}

	const value = readValue();
	next();
	if (position < text.length) fail('Expected the end of the text');
	return value;
}

function firstOf({ keys, tokens }: KeyList, count: number): KeyList {
	return { keys: keys.slice(0, count), tokens: tokens.slice(0, count) };
}

/** Returns the text of a string token, as a string of its own rather than a slice. Throws SyntaxError. */
export function decodeString(token: string): string {
	return String(JSON.parse(token));
}
