import { fromServiceDate } from './dates';
import { isJsonObject, type JsonObject, type JsonValue } from './orderedJson';
import type { SheetRecord } from './record';

/** What the values of a field show of its type, as far as dates are concerned. */
export type LearntType = 'date' | 'dateTime' | 'text';

/** The types of fields by the values that records and their rows hold; without those that are empty in all of them. */
export function fieldTypesOf(records: readonly SheetRecord[]): Map<string, LearntType> {
	const types = new Map<string, LearntType>();
	const learn = (fields: JsonObject) => {
		for (const [key, value] of fields) {
			if (isJsonObject(value)) {
				for (const row of value.values()) if (isJsonObject(row)) learn(row);
				continue;
			}
			const type = typeOf(value);
			const known = types.get(key);
			if (type !== undefined) types.set(key, known === undefined ? type : both(known, type));
		}
	};
	for (const { content } of records) learn(content);
	return types;
}

function typeOf(value: JsonValue): LearntType | undefined {
	if (value === '' || value === null || (Array.isArray(value) && value.length === 0))
		return undefined;
	const iso = typeof value === 'string' ? fromServiceDate(value) : undefined;
	if (iso === undefined) return 'text';
	return iso.includes('T') ? 'dateTime' : 'date';
}

function both(one: LearntType, other: LearntType): LearntType {
	if (one === other) return one;
	return one === 'text' || other === 'text' ? 'text' : 'dateTime';
}
