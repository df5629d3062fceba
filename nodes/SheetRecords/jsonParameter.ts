import { plain } from '../api/read/record';
import { isObject } from '../api/json/objects';
import { parseOrderedJson, JsonSyntaxError } from '../api/json/orderedJson';
import { InputError } from '../api/values/inputError';

/**
 * The JSON object of a parameter that a user typed, or that an expression yielded as an object or a text. Long numbers keep
 * their digits, as texts. Throws InputError that names the parameter.
 */
export function parseJsonObject(value: unknown, displayName: string): Record<string, unknown> {
	const parsed = typeof value === 'string' ? parsedText(value, displayName) : value;
	// A parameter that is an object already is the same for all items: none may change it for the others.
	if (isObject(parsed)) return { ...parsed };
	throw new InputError(
		`'${displayName}' must be a JSON object`,
		'It begins with { and ends with }, e.g. { "Customer": "Acme" }.',
	);
}

function parsedText(text: string, displayName: string): unknown {
	try {
		return plain(parseOrderedJson(text));
	} catch (thrown) {
		throw notJson(displayName, thrown instanceof JsonSyntaxError ? `: ${thrown.message}` : '');
	}
}

function notJson(displayName: string, where: string): InputError {
	return new InputError(
		`'${displayName}' is not valid JSON${where}`,
		'Check commas, quotes and brackets. Names and texts need double quotes.',
	);
}
