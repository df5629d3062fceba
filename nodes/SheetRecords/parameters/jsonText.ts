import { isObject } from '../../api/json/objects';
import { readJson } from '../../api/json/jsonReader';
import { atOnce, JsonSyntaxError, membersByKey } from '../../api/json/jsonReading';
import { decoding, type JsonValue } from '../../api/json/orderedJson';
import { plain } from '../../api/read/record';
import { InputError } from '../../api/values/inputError';
import { unusableText } from '../../api/values/singleValue';
import { isBlank } from '../../api/values/text';
import { expressionAdvice } from '../../shared/parameters/settings';

/** A JSON text in Markdown code, as language models return it, with words before and after it. */
const fencedText = /^(?![{["])[\s\S]*?(`+|~{3,})[\w-]*\s*([{[][\s\S]*)\1/;

/**
 * Returns a JSON object that was entered as text or returned by an expression. A text may have a byte order mark or be in
 * Markdown code. Long numbers in a text become texts, to keep all their digits. Throws InputError if the value is not a
 * JSON object, or if an object of the text has a key twice.
 */
export function parseJsonObject(value: unknown, displayName: string): Record<string, unknown> {
	if (isBlank(typeof value === 'string' ? value.trim() : value) && !Array.isArray(value)) {
		throw notAnObject(displayName, ', but it is empty');
	}
	if (unusableText(value) === 'a date') {
		throw notAnObject(displayName, ', but the expression returned a date');
	}
	const parsed = typeof value === 'string' ? parseJson(value, displayName) : value;
	// Copy the object, because a parameter without an expression is the same object for all items.
	if (isObject(parsed)) return { ...parsed };
	if (Array.isArray(parsed)) throw listOfRecords(displayName, parsed.length);
	throw notAnObject(displayName, '');
}

/** Returns the error for a value that is no JSON object. `found` is a clause about the value, or an empty text. */
function notAnObject(displayName: string, found: string): InputError {
	return new InputError(
		`'${displayName}' must be a JSON object${found}`,
		`A JSON object begins with { and ends with }, e.g. { "Customer": "Acme" }. ${expressionAdvice}`,
	);
}

function parseJson(text: string, displayName: string): unknown {
	// JSON has fewer kinds of white space than pasted texts. A byte order mark is white space here, too.
	const trimmed = text.trim();
	const json = fencedText.exec(trimmed)?.[2] ?? trimmed;
	try {
		return plain(distinctMembers(json, displayName));
	} catch (thrown) {
		throw thrown instanceof InputError ? thrown : notJson(displayName, thrown);
	}
}

/** Returns the value of a JSON text. Throws InputError for a key that an object has twice, because one of its values would be lost. */
function distinctMembers(text: string, displayName: string): JsonValue {
	const reading = decoding();
	return atOnce(
		readJson(text, {
			...reading,
			object(members) {
				const seen = new Set<string>();
				const repeated = members.keys.find((key) => seen.size === seen.add(key).size);
				if (repeated === undefined) return membersByKey(members);
				const message = `'${displayName}' has the key '${repeated}' twice in one object`;
				throw new InputError(message, 'Keep one of both, because only one value can be written.');
			},
		}),
	);
}

function listOfRecords(displayName: string, count: number): InputError {
	return new InputError(
		`'${displayName}' is a list of ${count} record${count === 1 ? '' : 's'}, but it must be one JSON object`,
		"Use n8n's Split Out node before this node, so that there is one item for each record.",
	);
}

function notJson(displayName: string, thrown: unknown): InputError {
	const where = thrown instanceof JsonSyntaxError ? `: ${thrown.message}` : '';
	return new InputError(
		`'${displayName}' is not valid JSON${where}`,
		'Check commas, quotes and brackets. Names and texts need double quotes. Insert values with {{ JSON.stringify($json.x) }}, without quotes around it.',
	);
}
