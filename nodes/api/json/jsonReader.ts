import { JsonSyntaxError } from './jsonReading';
import type { JsonLimits, JsonMembers, JsonReading, Steps } from './jsonReading';

/** Maximum nesting depth. Records are never nested this deeply; a hostile answer could exhaust the stack. */
const maxDepth = 500;

/** Limits for answers of the service, higher than any page of records needs. */
const answerLimits: JsonLimits = { parts: 5_000_000, keys: Infinity };

const scalarPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** Maximum length of a number in characters. Regular expressions run out of memory on millions of digits. */
const maxNumberLength = 1_000_000;
/** Number of characters to read before yielding to the event loop: some milliseconds of work. */
export const charactersPerStep = 200_000;
/** Number of list elements between two calls of `onElements`. */
export const elementsPerPart = 1_000;
/** Maximum number of distinct keys, and of distinct short texts, that are shared. No sheet has this many fields. */
export const maxSharedTexts = 2_000;

const [tab, lineFeed, carriageReturn, space] = [9, 10, 13, 32];
const [quote, comma, colon, backslash] = [34, 44, 58, 92];
const [openingBracket, closingBracket, openingBrace, closingBrace] = [91, 93, 123, 125];

/** The keys of an object, decoded and as tokens. */
interface KeyList {
	keys: string[];
	tokens: string[];
}

const emptyKeyList: KeyList = { keys: [], tokens: [] };

/** An object or a list that is being read. */
interface Container<T> {
	/** Character code of the bracket that ends it. */
	closing: number;
	values: T[];
	/** Keys of the previous object at the same depth. */
	expected: KeyList;
	/** Keys of `values`, set when one differs from `expected`. Until then, they are the first keys of `expected`. */
	differing?: KeyList;
	/** Key of the member that is being read, and the position of its token. */
	key: string;
	keyStart: number;
	keyEnd: number;
}

/**
 * Reads exactly one JSON value (RFC 8259) and returns what the callbacks of `reading` build from it.
 * Throws JsonSyntaxError for any other text, and for JSON that exceeds the limits.
 */
export function* readJson<T>(
	text: string,
	reading: JsonReading<T>,
	limits: JsonLimits = answerLimits,
): Steps<T> {
	return yield* new JsonReader(text, reading, limits).read();
}

class JsonReader<T> {
	private position = 0;
	private partCount = 0;
	/** Number of flat members minus that of others. Below zero, none is looked for any more: the records of a page are alike. */
	private flatBalance = 0;
	/** Objects and lists around the current position, the outermost first. */
	private readonly containers: Array<Container<T>> = [];
	/** Whether the string token that was skipped last has no escapes and no control characters. */
	private isPlain = true;
	/** Key token → key. Keys repeat in every record: sharing one string saves time and memory. */
	private readonly keysByToken = new Map<string, string>();
	/** Keys of the object that was read last, for each depth. The next object usually has the same keys. */
	private readonly latestKeys: KeyList[] = [];

	constructor(
		private readonly text: string,
		private readonly reading: JsonReading<T>,
		private readonly limits: JsonLimits,
	) {}

	*read(): Steps<T> {
		let nextPause = charactersPerStep;
		for (;;) {
			const code = this.nextCode();
			if (code === openingBrace || code === openingBracket) {
				if (this.enters(code)) continue;
			} else {
				const value = code === quote ? this.readText() : this.readScalar();
				const container = this.containers.at(-1);
				if (!container) return this.requireEnd(value);
				this.add(container, value);
			}
			const outermost = this.closeContainers();
			if (outermost) return this.requireEnd(outermost.value);
			this.readComma();
			if (this.position < nextPause) continue;
			nextPause = this.position + charactersPerStep;
			yield;
		}
	}

	/** Begins the object or list at the current position. Returns false if it is empty, or was read at once. */
	private enters(code: number): boolean {
		const isObject = code === openingBrace;
		if (isObject && this.readsFlatObject()) return false;
		const container = this.enter(isObject ? closingBrace : closingBracket);
		if (this.nextCode() === container.closing) return false;
		if (isObject) this.readKeyAndColon(container);
		return true;
	}

	/** Closes all containers that end at the current position. Returns the result once the outermost one is closed. */
	private closeContainers(): { value: T } | undefined {
		for (;;) {
			const container = this.containers.at(-1);
			if (!container || this.nextCode() !== container.closing) return undefined;
			this.position++;
			this.containers.pop();
			const outer = this.containers.at(-1);
			const members = container.closing === closingBrace ? this.membersOf(container) : undefined;
			if (members && outer && this.isTaken(outer, members)) continue;
			const value = members ? this.reading.object(members) : this.reading.array(container.values);
			if (!outer) return { value };
			this.add(outer, value);
		}
	}

	/** Offers a direct member of the outermost object to `take`. Returns true if it was taken. */
	private isTaken(outer: Container<T>, members: JsonMembers<T>): boolean {
		const isMemberOfOutermost = this.containers.length === 1 && outer.closing === closingBrace;
		return isMemberOfOutermost && this.reading.take?.(outer.key, members) === true;
	}

	/** Reads the object that begins here at once if it is a flat member of the outermost object. Returns false if it is not. */
	private readsFlatObject(): boolean {
		const [outer] = this.containers;
		if (!outer || this.containers.length > 1 || this.flatBalance < 0) return false;
		const flat = this.reading.flatObject?.(this.text, this.position);
		this.flatBalance += flat ? 1 : -1;
		if (!flat) return false;
		this.countParts(1 + flat.lists);
		this.position = flat.end;
		const { members } = flat;
		if (!this.isTaken(outer, members)) this.add(outer, this.reading.object(members));
		return true;
	}

	private countParts(count: number): void {
		this.partCount += count;
		if (this.partCount > this.limits.parts) this.fail('The text has too many objects and lists');
	}

	/** Skips whitespace. Returns the next character code, or NaN at the end of the text. */
	private nextCode(): number {
		const { text } = this;
		let code = text.charCodeAt(this.position);
		while (code === space || code === lineFeed || code === carriageReturn || code === tab) {
			code = text.charCodeAt(++this.position);
		}
		return code;
	}

	private fail(problem: string): never {
		const isAtEnd = this.position >= this.text.length;
		throw new JsonSyntaxError(isAtEnd ? 'The text ends too early' : problem, this.position);
	}

	private enter(closing: number): Container<T> {
		this.position++;
		const depth = this.containers.length;
		if (depth >= maxDepth) this.fail('The text is nested too deeply');
		this.countParts(1);
		const expected = this.latestKeys[depth] ?? emptyKeyList;
		const container = { closing, values: [], expected, key: '', keyStart: 0, keyEnd: 0 };
		this.containers.push(container);
		return container;
	}

	private add(container: Container<T>, value: T): void {
		const { closing, expected, values, key, keyStart, keyEnd } = container;
		if (closing === closingBrace) {
			if (!container.differing && key !== expected.keys[values.length]) {
				container.differing = firstKeys(expected, values.length);
			}
			container.differing?.keys.push(key);
			container.differing?.tokens.push(this.text.slice(keyStart, keyEnd));
		}
		const length = values.push(value);
		if (closing === closingBracket) {
			if (length % elementsPerPart === 0) this.reading.onElements?.();
		} else if (length > this.limits.keys) {
			this.fail('An object has too many keys');
		}
	}

	private membersOf({ expected, values, differing }: Container<T>): JsonMembers<T> {
		if (values.length === 0) return { keys: emptyKeyList.keys, values };
		const isShorter = values.length < expected.keys.length;
		const list = differing ?? (isShorter ? firstKeys(expected, values.length) : expected);
		this.latestKeys[this.containers.length] = list;
		return { keys: list.keys, values };
	}

	private readComma(): void {
		const container = this.containers.at(-1);
		const closing = container?.closing ?? closingBracket;
		if (this.nextCode() !== comma) this.fail(`Expected "," or "${String.fromCharCode(closing)}"`);
		this.position++;
		if (container && closing === closingBrace) this.readKeyAndColon(container);
	}

	private readKeyAndColon(object: Container<T>): void {
		this.nextCode();
		object.keyStart = this.position;
		object.key = this.skipExpectedKey(object.expected, object.values.length) ?? this.readKey();
		object.keyEnd = this.position;
		if (this.nextCode() !== colon) this.fail('Expected ":"');
		this.position++;
	}

	/** Skips the key that the previous object had at this index. Returns undefined if the text has another key here. */
	private skipExpectedKey({ keys, tokens }: KeyList, index: number): string | undefined {
		const token = tokens[index];
		if (token === undefined || !this.text.startsWith(token, this.position)) return undefined;
		this.position += token.length;
		return keys[index];
	}

	private readKey(): string {
		const end = this.stringEnd();
		const token = this.text.slice(this.position, end);
		let key = this.keysByToken.get(token);
		if (key === undefined) {
			key = this.decodeKey(token);
			// Limit the size of the map: keys that come late, such as record IDs, usually do not repeat.
			if (this.keysByToken.size < maxSharedTexts) this.keysByToken.set(token, key);
		}
		this.position = end;
		return key;
	}

	private decodeKey(token: string): string {
		try {
			return this.reading.key(token, this.isPlain);
		} catch {
			return this.fail('A string is malformed');
		}
	}

	private readText(): T {
		const end = this.stringEnd();
		try {
			const value = this.reading.text(this.text, this.position, end, this.isPlain);
			this.position = end;
			return value;
		} catch {
			return this.fail('A string is malformed');
		}
	}

	/** Returns the position after the string token. Escapes between the quotes are not validated yet. */
	private stringEnd(): number {
		if (this.nextCode() !== quote) this.fail('Expected a string');
		const { text } = this;
		this.isPlain = true;
		for (let end = this.position + 1; ; end++) {
			const code = text.charCodeAt(end);
			if (code === quote) return end + 1;
			// At the end of the text the code is NaN, so the comparison fails and the loop ends.
			if (code >= space && code !== backslash) continue;
			this.isPlain = false;
			const endWithEscapes = stringEndFrom(text, end);
			if (endWithEscapes > 0) return endWithEscapes;
			this.position = text.length;
			this.fail('A string does not end');
		}
	}

	private readScalar(): T {
		scalarPattern.lastIndex = 0;
		const rest = this.text.slice(this.position, this.position + maxNumberLength + 1);
		if (!scalarPattern.test(rest)) return this.fail('Expected a value');
		const token = rest.slice(0, scalarPattern.lastIndex);
		if (token.length > maxNumberLength) return this.fail('A number is too long');
		this.position += token.length;
		return this.reading.scalar(token);
	}

	private requireEnd(value: T): T {
		this.nextCode();
		if (this.position < this.text.length) this.fail('Expected the end of the text');
		return value;
	}
}

/** Returns the first keys of a list. */
function firstKeys({ keys, tokens }: KeyList, count: number): KeyList {
	return { keys: keys.slice(0, count), tokens: tokens.slice(0, count) };
}

/** Returns the position after the closing quote of a string token, or -1 if it is missing. `from` is after the opening quote. */
export function stringEndFrom(text: string, from: number): number {
	for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
		let backslashes = 0;
		while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes++;
		if (backslashes % 2 === 0) return end + 1;
	}
	return -1;
}

/**
 * Returns the decoded text of a string token. The text is a copy: a slice would keep the whole JSON text in memory.
 * Throws SyntaxError if the token is malformed.
 */
export function decodeString(token: string): string {
	return String(JSON.parse(token));
}
