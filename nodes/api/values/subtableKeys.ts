import { InputError } from './inputError';

const keyStart = '_subtable_';

/** Returns the key of a subtable's rows in a record, in reads and writes. */
export function subtableKey(subtableId: string): string {
	return `${keyStart}${subtableId}`;
}

/** Key of a record's comments. They are returned as rows, but are not a subtable. */
export const commentsKey = subtableKey('61');

/** Returns whether a key contains rows of a subtable or comments. */
export function isSubtableKey(key: string): boolean {
	return key.startsWith(keyStart);
}

/** Returns the subtable ID in a key, or undefined for comments and other keys. */
export function subtableOf(key: string): string | undefined {
	return key === commentsKey ? undefined : /^_subtable_(\d+)$/.exec(key)?.[1];
}

/** Returns whether a key in an object of rows is that of a row, not an added key such as `_count`. Does not check the row ID. */
export function isRowKey(key: string): boolean {
	return !key.startsWith('_');
}

/** Returns the form name of a field of a row. */
export function rowFieldName(fieldId: string, rowId: string): string {
	return `${fieldId}_${rowId}`;
}

/** Returns the JSON key of the list of row IDs to delete in a subtable. The key of a form lacks the leading underscore. */
export function deletionKey(subtableId: string): string {
	return `_DELSUB_${subtableId}`;
}

/** Returns the subtable ID in a key of rows to delete, or undefined for other keys. */
export function deletionOf(key: string): string | undefined {
	return /^_?DELSUB_(\d+)$/.exec(key)?.[1];
}

/** Throws InputError if a key of rows, or of rows to delete, contains no subtable ID. */
export function requireSubtableId(key: string): void {
	if (!/^_(?:subtable|DELSUB)_(?!\d+$)/.test(key)) return;
	throw new InputError(
		`'${key}' does not hold the ID of a subtable`,
		'Pick the subtable from the list, or give its ID, e.g. 2000001.',
	);
}

/** Returns the subtable ID in a text that is an ID or a key of rows; undefined for any other text. */
export function subtableIdIn(text: string): string | undefined {
	return /^(?:_subtable_)?(\d+)$/.exec(text.trim())?.[1];
}
