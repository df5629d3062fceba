import { InputError } from './inputError';

/** The key of a record under which the rows of a subtable stand, in what is read and in what is written. */
export function subtableKey(subtableId: string): string {
	return `_subtable_${subtableId}`;
}

/** The key of the comments, which are read as rows but are no subtable. */
export const commentsKey = subtableKey('61');

/** Whether rows stand under a key, be it those of comments. */
export function isSubtableKey(key: string): boolean {
	return key.startsWith(subtableKey(''));
}

/** The id of the subtable whose rows stand under a key; undefined for other keys, and for comments. */
export function subtableOf(key: string): string | undefined {
	return key === commentsKey ? undefined : /^_subtable_(\d+)$/.exec(key)?.[1];
}

/** Whether a key among the rows of a subtable is the ID of a row. A key such as `_count` is not. */
export function isRowKey(key: string): boolean {
	return !key.startsWith('_');
}

/** The name of a form's part that writes a field of a row. */
export function rowFieldName(fieldId: string, rowId: string): string {
	return `${fieldId}_${rowId}`;
}

/** The key under which the ids of a subtable's rows stand that are to be deleted; in a form, without the underscore. */
export function deletionKey(subtableId: string): string {
	return `_DELSUB_${subtableId}`;
}

/** The id of the subtable of which a key names rows to delete; undefined for other keys. */
export function deletionOf(key: string): string | undefined {
	return /^_?DELSUB_(\d+)$/.exec(key)?.[1];
}

/** Throws InputError for a key of rows, or of rows to delete, that does not hold the id of a subtable. */
export function requireSubtableId(key: string): void {
	if (!/^_(?:subtable|DELSUB)_(?!\d+$)/.test(key)) return;
	throw new InputError(
		`'${key}' does not hold the ID of a subtable`,
		'Pick the subtable from the list, or give its ID, e.g. 2000001.',
	);
}

/** Returns the subtable ID that a text is, or that a key of rows holds; undefined for any other text. */
export function subtableIdIn(text: string): string | undefined {
	return /^(?:_subtable_)?(\d+)$/.exec(text.trim())?.[1];
}
