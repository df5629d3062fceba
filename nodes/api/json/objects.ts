/** Returns whether a value is an object, but not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns the value of a key. If the key is missing, inserts the result of `make`. Never sets an existing value, because that
 * would restart its age in a cache.
 */
export function getOrInsert<Key, Value>(
	entries: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
	key: Key,
	make: () => Value,
): Value {
	const known = entries.get(key);
	if (known !== undefined) return known;
	const value = make();
	entries.set(key, value);
	return value;
}

/** Returns the value of a key. If the key is missing, inserts the result of `load`, and removes it again if loading fails. */
export async function getOrLoad<Key, Value>(
	entries: Map<Key, Promise<Value>>,
	key: Key,
	load: () => Promise<Value>,
): Promise<Value> {
	const value = getOrInsert(entries, key, load);
	return await value.catch((error: unknown) => {
		if (entries.get(key) === value) entries.delete(key);
		throw error;
	});
}

/** Returns a text or a number as text; undefined for any other value. */
export function scalarText(value: unknown): string | undefined {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Returns a text without the given character at its end. A regular expression would be slow if the character repeats many times. */
export function withoutTrailing(text: string, character: string): string {
	let end = text.length;
	while (end > 0 && text[end - 1] === character) end--;
	return text.slice(0, end);
}

/** Returns the members of a stored object that are texts. Other values are dropped, because another version may have stored them. */
export function textMembers(stored: unknown): Record<string, string> {
	const isText = (entry: [string, unknown]): entry is [string, string] =>
		typeof entry[1] === 'string';
	return isObject(stored) ? Object.fromEntries(Object.entries(stored).filter(isText)) : {};
}
