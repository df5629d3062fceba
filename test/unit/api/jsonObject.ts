import {
	isJsonObject,
	parseOrderedJson,
	type JsonObject,
} from '../../../nodes/api/json/orderedJson';
import { recordsOf, type SheetRecord } from '../../../nodes/api/read/record';

/** Parses a JSON object with its keys in the order of the text. */
export function jsonObject(text: string): JsonObject {
	const value = parseOrderedJson(text);
	if (!isJsonObject(value)) throw new Error('The text holds no object');
	return value;
}

/** Parses a record from the content that the service sends. */
export function recordOf(content: string, id = '1'): SheetRecord {
	const [record] = recordsOf(jsonObject(`{${JSON.stringify(id)}:${content}}`));
	if (!record) throw new Error('There is no record');
	return record;
}
