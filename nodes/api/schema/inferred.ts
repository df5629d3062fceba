import { fromServiceDate } from '../values/dates';
import { scalarText } from '../json/objects';
import { isJsonObject, type JsonValue } from '../json/orderedJson';
import { withRows, type SheetRecord } from '../read/record';
import { isMasked } from '../values/text';

/** What the values of a field show of its type, as far as dates are concerned. */
export type InferredType = 'date' | 'dateTime' | 'text';

/** The types of fields by the values that records and their rows hold; without those that are empty in all of them. */
export function inferredTypes(records: readonly SheetRecord[]): Map<string, InferredType> {
	const types = new Map<string, InferredType>();
	for (const fields of records.flatMap(({ content }) => [...withRows(content)])) {
		for (const [key, value] of fields) {
			const type = typeOf(value);
			const known = types.get(key);
			if (type !== undefined) types.set(key, known === undefined ? type : both(known, type));
		}
	}
	return types;
}

function typeOf(value: JsonValue): InferredType | undefined {
	if (value === '' || value === null || isJsonObject(value)) return undefined;
	if (Array.isArray(value) && value.length === 0) return undefined;
	const iso = typeof value === 'string' ? fromServiceDate(value) : undefined;
	if (iso === undefined) return 'text';
	return iso.includes('T') ? 'dateTime' : 'date';
}

function both(one: InferredType, other: InferredType): InferredType {
	if (one === other) return one;
	return one === 'text' || other === 'text' ? 'text' : 'dateTime';
}

/** The texts that records or their rows hold in fields, each once, in the order of people; masked ones are no choice. */
export function choicesIn(
	records: readonly SheetRecord[],
	fieldIds: readonly string[],
): Map<string, string[]> {
	const choices = new Map<string, string[]>();
	const holders = records.flatMap(({ content }) => [...withRows(content)]);
	for (const fieldId of fieldIds) {
		const texts = holders.flatMap((fields) => textsIn(fields.get(fieldId)));
		const different = [...new Set(texts)].filter((text) => text !== '' && !isMasked(text));
		different.sort((left, right) => left.localeCompare(right, 'en', { numeric: true }));
		if (different.length > 0) choices.set(fieldId, different);
	}
	return choices;
}

function textsIn(value: JsonValue | undefined): string[] {
	if (Array.isArray(value)) return value.flatMap(textsIn);
	if (value === undefined || isJsonObject(value)) return [];
	return [scalarText(value) ?? ''];
}
