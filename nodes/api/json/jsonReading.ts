/** Thrown when a text is not one complete JSON value, or exceeds the limits. */
export class JsonSyntaxError extends Error {
	constructor(problem: string, position: number) {
		super(`${problem} at character ${position}`);
		this.name = 'JsonSyntaxError';
	}
}

/** Limits for the content of a text. */
export interface JsonLimits {
	/** Maximum number of objects and lists. In memory each takes up to a hundred times the size of its text. */
	parts: number;
	/** Maximum number of keys of one object. They are put together in one uninterrupted step. */
	keys: number;
}

/** Callbacks that build the result from the inside out. */
export interface JsonReading<T> {
	/**
	 * Returns the key for a string token, which includes its quotes. Throws if the token is malformed. `isPlain` is true if the
	 * token has no escapes and no control characters, so that it does not have to be decoded.
	 */
	key(token: string, isPlain: boolean): string;
	/** Returns the value of the string token `json.slice(start, end)`. Quotes, errors and `isPlain` are as for `key`. */
	text(json: string, start: number, end: number, isPlain: boolean): T;
	/** Returns the value of a number, `true`, `false` or `null`. */
	scalar(token: string): T;
	array(elements: T[]): T;
	/** Called after every 1,000 elements of the innermost open list, so that a long list can be processed in several steps. */
	onElements?(): void;
	object(members: JsonMembers<T>): T;
	/** Receives each object that is a direct member of the outermost object. Returns true to keep it out of the result. */
	take?(key: string, members: JsonMembers<T>): boolean;
	/**
	 * Returns the object at a position of the text if it can be read at once. Asked for members of the outermost object or list. Any
	 * other object is read value by value.
	 */
	flatObject?(json: string, from: number): FlatObject<T> | undefined;
}

/** An object that was read at once. */
export interface FlatObject<T> {
	members: JsonMembers<T>;
	/** Position after the object. */
	end: number;
	/** Number of lists in it. */
	lists: number;
}

/** The members of an object in the order of the text. `keys` may contain a key repeatedly. Its last value counts. */
export interface JsonMembers<T> {
	keys: readonly string[];
	/** Values in the order of `keys`. */
	values: readonly T[];
}

/** Returns the members as a Map. A repeated key keeps its first position and its last value. */
export function membersByKey<T>({ keys, values }: JsonMembers<T>): Map<string, T> {
	const members = new Map<string, T>();
	for (const [index, value] of values.entries()) members.set(keys[index] ?? '', value);
	return members;
}

/** Work in small steps. The caller may yield to the event loop between two steps. */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps without a break and returns their result. */
export function atOnce<T>(steps: Steps<T>): T {
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
	}
}
