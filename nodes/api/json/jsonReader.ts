/** The text is no JSON, or not a whole one. */
export class JsonSyntaxError extends Error {
	constructor(what: string, position: number) {
		super(`${what} at character ${position}`);
		this.name = 'JsonSyntaxError';
	}
}

/** Deeper nesting than any record has; keeps a hostile answer from exhausting the stack. */
const deepestNesting = 500;
/** Limits of a JSON text. */
export interface Limits {
	/** Maximum number of objects and lists: each takes a hundred times the memory of its text. */
	parts: number;
	/** Maximum number of keys of one object. */
	keys: number;
}

/** More than any page has. */
const ofPages: Limits = { parts: 5_000_000, keys: Infinity };

const otherToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** Matching millions of digits would exhaust the memory that regular expressions have. */
const longestNumber = 1_000_000;
/** After so many characters others may have their turn: some milliseconds. */
const stepLength = 200_000;
/** Number of list elements after which a reading is told so. */
export const elementsPerPart = 1_000;
/** The fields of any sheet, and more; keys beyond, and short texts, are made anew each time. */
export const mostKnown = 2_000;

const [tab, lineFeed, carriageReturn, space] = [9, 10, 13, 32];
const [quote, comma, colon, backslash] = [34, 44, 58, 92];
const [openingBracket, closingBracket, openingBrace, closingBrace] = [91, 93, 123, 125];

/** What is made of a text, from the inside out. */
export interface JsonReading<T> {
	/** The token has its quotes. */
	key(token: string): string;
	/** The token stands in `json` from the quote at `start` to before `end`; a plain one has no escapes. */
	text(json: string, start: number, end: number, isPlain: boolean): T;
	/** A number, `true`, `false` or `null`. */
	scalar(token: string): T;
	array(elements: T[]): T;
	/** Called after every 1,000 elements of a list, so that a long list need not be put together in one step. */
	elements?(): void;
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

/** Work in small parts, between each of which others may have their turn. */
export type Steps<T> = Generator<void, T, void>;

/** Does all steps one after the other, and returns what comes of them. */
export function atOnce<T>(steps: Steps<T>): T {
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
	}
}

/** An object or a list that is being read. */
interface Open<T> {
	closing: number;
	values: T[];
	/** Of an object, the keys of the one before it, and its own, once one of them is another. */
	expected: KeyList;
	own?: KeyList;
	/** Of the member that is being read, with the places where it is written. */
	key: string;
	start: number;
	end: number;
}

/** Reads exactly one JSON value (RFC 8259) into whatever a reading makes of it. Throws JsonSyntaxError for anything else. */
export function* readJson<T>(text: string, reading: JsonReading<T>, limits = ofPages): Steps<T> {
	const { take } = reading;
	let position = 0;
	let parts = 0;
	/** The objects and lists around the place that is being read, the outermost first. */
	const open: Array<Open<T>> = [];
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
			const escapedEnd = stringEndFrom(text, end);
			if (escapedEnd > 0) return escapedEnd;
			position = text.length;
			fail('A string does not end');
		}
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

	/** Steps into an object or a list. */
	function enter(closing: number): Open<T> {
		position++;
		if (open.length >= deepestNesting) fail('The text is nested too deeply');
		if (++parts > limits.parts) fail('The text has too many objects and lists');
		const expected = latestKeys[open.length] ?? noKeys;
		const entered = { closing, values: [], expected, key: '', start: 0, end: 0 };
		open.push(entered);
		return entered;
	}

	/** Steps over the key of a member, and the colon behind it. */
	function readName(object: Open<T>): void {
		next();
		object.start = position;
		object.key = expectedKey(object.expected, object.values.length) ?? readKey();
		object.end = position;
		if (next() !== colon) fail('Expected ":"');
		position++;
	}

	/** Adds a value to an object, under its latest key, or to a list. */
	function add(around: Open<T>, value: T): void {
		const { closing, expected, values, key, start, end } = around;
		if (closing === closingBrace) {
			if (!around.own && key !== expected.keys[values.length]) {
				around.own = firstOf(expected, values.length);
			}
			around.own?.keys.push(key);
			around.own?.tokens.push(text.slice(start, end));
		}
		const length = values.push(value);
		if (closing === closingBrace && length > limits.keys) fail('An object has too many keys');
		if (closing === closingBracket && length % elementsPerPart === 0) reading.elements?.();
	}

	function membersOf({ expected, values, own }: Open<T>): JsonMembers<T> {
		if (values.length === 0) return { keys: noKeys.keys, values };
		const isShorter = values.length < expected.keys.length;
		const list = own ?? (isShorter ? firstOf(expected, values.length) : expected);
		latestKeys[open.length] = list;
		return { keys: list.keys, values };
	}

	function readOther(): T {
		otherToken.lastIndex = 0;
		const token = otherToken.exec(text.slice(position, position + longestNumber + 1))?.[0];
		if (token === undefined) return fail('Expected a value');
		if (token.length > longestNumber) return fail('A number is too long');
		position += token.length;
		return reading.scalar(token);
	}

	function whole(value: T): T {
		next();
		if (position < text.length) fail('Expected the end of the text');
		return value;
	}

	for (let pauseAt = stepLength; ;) {
		const code = next();
		let around: Open<T>;
		if (code === openingBrace || code === openingBracket) {
			around = enter(code === openingBrace ? closingBrace : closingBracket);
			if (next() !== around.closing) {
				if (code === openingBrace) readName(around);
				continue;
			}
		} else {
			const value = code === quote ? readText() : readOther();
			const outer = open.at(-1);
			if (!outer) return whole(value);
			add(outer, value);
			around = outer;
		}
		while (next() === around.closing) {
			const { closing, values }: Open<T> = around;
			position++;
			open.pop();
			const outer = open.at(-1);
			const members = closing === closingBrace ? membersOf(around) : undefined;
			if (members && outer?.closing === closingBrace && open.length === 1) {
				if (take?.(outer.key, members)) {
					around = outer;
					continue;
				}
			}
			const value = members ? reading.object(members) : reading.array(values);
			if (!outer) return whole(value);
			add(outer, value);
			around = outer;
		}
		const { closing } = around;
		if (next() !== comma) fail(`Expected "," or "${String.fromCharCode(closing)}"`);
		position++;
		if (closing === closingBrace) readName(around);
		if (position < pauseAt) continue;
		pauseAt = position + stepLength;
		yield;
	}
}

function firstOf({ keys, tokens }: KeyList, count: number): KeyList {
	return { keys: keys.slice(0, count), tokens: tokens.slice(0, count) };
}

/** Returns where a string token ends whose rest, with escapes, begins at `from`; -1 when it does not end. */
export function stringEndFrom(text: string, from: number): number {
	for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
		let backslashes = 0;
		while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes++;
		if (backslashes % 2 === 0) return end + 1;
	}
	return -1;
}

/** Returns the text of a string token, as a string of its own rather than a slice. Throws SyntaxError. */
export function decodeString(token: string): string {
	return String(JSON.parse(token));
}
