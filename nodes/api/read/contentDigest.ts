import { digest } from '../json/canonicalJson';
import type { JsonObject } from '../json/orderedJson';

/** Keys that change whenever a record is saved, modified or not. */
const savedKeys: ReadonlySet<string> = new Set([
	'_update_date',
	'_update_user',
	'_dataTimestamp',
	'_index_calDates_',
	'_index_',
	'changedFields',
	'109',
]);

/** A digest of what a person can change of a record; its first characters are one as well. */
export function contentDigest(content: JsonObject): string {
	return digest(new Map([...content].filter(([key]) => !savedKeys.has(key))));
}
