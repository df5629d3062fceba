import { isEmptyValue, keyText, type MatchKey } from './matchKey';
import { whereParameter, type WhereCondition } from './where';

/** Servers and proxies on the way accept addresses of about 8,000 characters. */
const longestConditions = 7_000;

/** Keys in batches whose conditions fit into one address; each once, and none with an empty value. */
export function keyBatches(fieldIds: readonly string[], keys: readonly MatchKey[]): MatchKey[][] {
	const different = new Map(keys.map((key) => [keyText(key), key]));
	const batches: MatchKey[][] = [];
	let room = 0;
	for (const key of different.values()) {
		if (key.some(isEmptyValue)) continue;
		const length = keyConditions(fieldIds, [key]).map(whereParameter).join('&').length + 1;
		if (length > room) {
			batches.push([]);
			room = longestConditions;
		}
		batches.at(-1)?.push(key);
		room -= length;
	}
	return batches;
}

/**
 * The conditions that find the records of all the keys, and maybe more: the service combines several `eq` on one
 * field with OR, and different fields with AND (specification, filter rules 6 and 8).
 */
export function keyConditions(
	fieldIds: readonly string[],
	keys: readonly MatchKey[],
): WhereCondition[] {
	return fieldIds.flatMap((fieldId, index) => {
		const values = new Set(keys.map((key) => key[index] ?? ''));
		return [...values].map((value) => ({ fieldId, operator: 'eq', value }));
	});
}
