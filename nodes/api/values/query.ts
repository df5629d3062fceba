import { InputError } from './inputError';

/** A parameter of a query string. A flag has no value. */
export type QueryParameter = readonly [name: string, value?: string | number | boolean];

/** Returns a query string: the `api` flag, then the parameters (specification, "What the service does"). Throws InputError if a text cannot be encoded. */
export function apiQuery(parameters: readonly QueryParameter[]): string {
	const parts = parameters.map((pair) =>
		pair.filter((part) => part !== undefined).map((part) => encodeText(String(part))),
	);
	return ['api', ...parts.map((part) => part.join('='))].join('&');
}

/** Percent-encodes a text as one component of a URL. Throws InputError if it cannot be encoded in UTF-8. */
export function encodeText(text: string): string {
	return encodeURIComponent(requireWholeCharacters(text));
}

/** Returns the text. Throws InputError if it contains an unpaired surrogate, which would be sent as another character. */
export function requireWholeCharacters(text: string): string {
	if (!/\p{Surrogate}/u.test(text)) return text;
	throw new InputError(
		`The text ${JSON.stringify(text.slice(0, 60))} contains an incomplete character (half of a surrogate pair) and cannot be sent`,
		'It was probably cut in the middle of an emoji. Check where the text was shortened.',
	);
}

/** Splits values into batches of at most `maxLength` characters, in order. A longer value gets a batch for itself. */
export function batchesByLength<Value>(
	values: Iterable<Value>,
	lengthOf: (value: Value) => number,
	maxLength: number,
): Value[][] {
	const batches: Value[][] = [];
	let room = 0;
	for (const value of values) {
		const length = lengthOf(value);
		if (length > room) {
			batches.push([]);
			room = maxLength;
		}
		batches.at(-1)?.push(value);
		room -= length;
	}
	return batches;
}

/** API version that this package supports (specification, "Versioning"). */
export const apiVersion = '2025-01-01';
