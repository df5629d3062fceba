/** Whether a value is an object whose keys may be read: no array, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a key. Where there is none, it is the one that `make` yields, which is kept. */
export function entryOf<Key, Value>(
	entries: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
	key: Key,
	make: () => Value,
): Value {
	const value = entries.get(key) ?? make();
	entries.set(key, value);
	return value;
}
