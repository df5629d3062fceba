/** The text of a value that a user gave, without white space around it; empty for objects and nothing. */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
