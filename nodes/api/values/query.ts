import { InputError } from './inputError';
import { holdsHalfCharacter } from './text';

/** One parameter of a query string; a flag has no value. */
export type QueryParameter = readonly [name: string, value?: string | number | boolean];

/**
 * The query string of an API request, without the question mark: the `api` flag first, then the
 * parameters in their order. A name may repeat. (Specification, "What the service does".)
 *
 * @throws InputError when a text cannot be written in UTF-8
 */
export function apiQuery(parameters: readonly QueryParameter[]): string {
	return ['api', ...parameters.map(queryPart)].join('&');
}

function queryPart([name, value]: QueryParameter): string {
	return value === undefined
		? encodeText(name)
		: `${encodeText(name)}=${encodeText(String(value))}`;
}

/** Percent-encodes a text as one component of an address. */
export function encodeText(text: string): string {
	return encodeURIComponent(requireWholeCharacters(text));
}

/** A text that can be written in UTF-8; what is sent would otherwise be another one. */
export function requireWholeCharacters(text: string): string {
	if (!holdsHalfCharacter(text)) return text;
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
