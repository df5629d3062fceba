import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from './orderedJson';

/** A digest of all that was sent, in whatever order it came. */
export function digest(content: JsonObject): string {
	return textDigest(JSON.stringify(sorted(content)));
}

/** The SHA-256 digest of a text, in base64. */
export function textDigest(text: string): string {
	return createHash('sha256').update(text).digest('base64');
}

/** The same text for the same content, in whatever order its keys came. */
function sorted(value: JsonValue): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isJsonObject(value)) return value;
	return [...value]
		.sort(([left], [right]) => (left < right ? -1 : 1))
		.map(([key, element]) => [key, sorted(element)]);
}
