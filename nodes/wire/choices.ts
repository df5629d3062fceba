import { isJsonObject, type JsonObject, type JsonValue } from './orderedJson';
import type { SheetRecord } from './record';
import { scalarText } from './text';

/** The texts that records or their rows hold in fields, each once, in the order of people; masked ones are no choice. */
export function choicesIn(
	records: readonly SheetRecord[],
	fieldIds: readonly string[],
): Map<string, string[]> {
	const choices = new Map<string, string[]>();
	for (const fieldId of fieldIds) {
		const texts = records.flatMap(({ content }) => valuesIn(content, fieldId)).flatMap(textsIn);
		const different = [...new Set(texts)].filter((text) => text !== '' && !/^\*+$/.test(text));
		different.sort((left, right) => left.localeCompare(right, 'en', { numeric: true }));
		if (different.length > 0) choices.set(fieldId, different);
	}
	return choices;
}

/** What the record holds in the field, or its rows. */
function valuesIn(content: JsonObject, fieldId: string): Array<JsonValue | undefined> {
	const subtables = [...content.values()].filter(isJsonObject);
	const rows = subtables.flatMap((subtable) => [...subtable.values()]).filter(isJsonObject);
	return [content, ...rows].map((fields) => fields.get(fieldId));
}

function textsIn(value: JsonValue | undefined): string[] {
	if (Array.isArray(value)) return value.flatMap(textsIn);
	if (value === undefined || isJsonObject(value)) return [];
	return [scalarText(value) ?? ''];
}
