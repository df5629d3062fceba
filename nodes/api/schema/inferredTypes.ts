import { fromServiceDate } from '../values/dates';
import { isJsonObject, type JsonValue } from '../json/orderedJson';
import { withRows, type SheetRecord } from '../read/record';

/** What the values of a field show of its type, as far as dates are concerned. */
export type LearntType = 'date' | 'dateTime' | 'text';

/** The types of fields by the values that records and their rows hold; without those that are empty in all of them. */
export function fieldTypesOf(records: readonly SheetRecord[]): Map<string, LearntType> {
	const types = new Map<string, LearntType>();
	for (const fields of records.flatMap(({ content }) => [...withRows(content)])) {
		for (const [key, value] of fields) {
			const type = typeOf(value);
			const known = types.get(key);
			if (type !== undefined) types.set(key, known === undefined ? type : both(known, type));
		}
	}
	return types;
}

function typeOf(value: JsonValue): LearntType | undefined {
	if (value === '' || value === null || isJsonObject(value)) return undefined;
	if (Array.isArray(value) && value.length === 0) return undefined;
	const iso = typeof value === 'string' ? fromServiceDate(value) : undefined;
	if (iso === undefined) return 'text';
	return iso.includes('T') ? 'dateTime' : 'date';
}

function both(one: LearntType, other: LearntType): LearntType {
	if (one === other) return one;
	return one === 'text' || other === 'text' ? 'text' : 'dateTime';
}
