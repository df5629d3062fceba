import { isJsonObject, type JsonValue } from '../json/orderedJson';
import { withRows, type SheetRecord } from '../read/record';
import { isMasked } from '../values/text';
import { scalarText } from '../json/objects';

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
