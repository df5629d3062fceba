import { InputError } from './inputError';

/** One parameter of a query string; a flag has no value. */
export type QueryParameter = readonly [name: string, value?: string | number | boolean];

/** Returns a query string: the `api` flag, then the parameters (specification, "What the service does"). Throws InputError as `encodeText`. */
export function apiQuery(parameters: readonly QueryParameter[]): string {
	const parts = parameters.map((pair) =>
		pair.filter((part) => part !== undefined).map((part) => encodeText(String(part))),
	);
	return ['api', ...parts.map((part) => part.join('='))].join('&');
}

/** Percent-encodes a text as one component of an address. Throws InputError when it cannot be written in UTF-8. */
export function encodeText(text: string): string {
	return encodeURIComponent(requireWholeCharacters(text));
}

/** Returns the text. Throws InputError when half of a surrogate pair stands alone in it: another text would be sent. */
export function requireWholeCharacters(text: string): string {
	if (!/\p{Surrogate}/u.test(text)) return text;
	throw new InputError(
		`The text ${JSON.stringify(text.slice(0, 60))} holds half of a character and cannot be sent`,
	);
}

/** Returns the values in their order, in batches of which each is at most so long, unless one value alone is longer. */
export function batchesByLength<Value>(
	values: Iterable<Value>,
	lengthOf: (value: Value) => number,
	longest: number,
): Value[][] {
	const batches: Value[][] = [];
	let room = 0;
	for (const value of values) {
		const length = lengthOf(value);
		if (length > room) {
			batches.push([]);
			room = longest;
		}
		batches.at(-1)?.push(value);
		room -= length;
	}
	return batches;
}

/** The version of the API that this package is written for (specification, "Versioning"). */
export const apiVersion = '2025-01-01';
