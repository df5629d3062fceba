import type { JsonValue } from '../json/orderedJson';
import { chosenIn } from '../read/selectionText';
import { areSameChoices } from '../sheet/kinds/valueChecks';
import type { ValueKind } from '../sheet/kinds/valueKind';

/** A value to match on: a text, or several choices. */
export type MatchValue = string | readonly string[];

/**
 * Returns whether a stored value equals a match value. Several choices are equal only if both values have exactly the same ones, in
 * any order. If the kind of the field is unknown, a text may stand for the choices in it.
 */
export function isMatch(
	kind: ValueKind,
	stored: JsonValue | undefined,
	value: MatchValue,
): boolean {
	if (typeof value === 'string' && !Array.isArray(stored)) return kind.equals(stored, value);
	const given =
		typeof value === 'string' ? [[value], choicesInText(kind.is('unknown'), value)] : [[...value]];
	return given.some(
		(choices) =>
			choices !== undefined &&
			storedChoices(kind, stored).some((storedTexts) => areSameChoices(storedTexts, choices)),
	);
}

/** Returns the texts that a stored field may have if it matches a value: the value itself, and each of its choices. */
export function textsToFind(kind: ValueKind, value: MatchValue): string[] {
	if (typeof value !== 'string') return [...value];
	return [value, ...(choicesInText(kind.is('unknown'), value) ?? [])];
}

/** Returns whether a match value has no text. It would find all records whose field is empty. */
export function isEmptyMatchValue(value: MatchValue = ''): boolean {
	return [value].flat().every((text) => text.trim() === '');
}

/** Returns the lists of choices that a stored value may stand for. A list may contain empty texts, which are no choices. */
function storedChoices(kind: ValueKind, stored: JsonValue | undefined): JsonValue[][] {
	if (Array.isArray(stored)) return [stored.filter((choice) => choice !== '')];
	if (typeof stored !== 'string' || !kind.isList) return [];
	// Several choices may be returned as one text.
	return [[stored], choicesInText(true, stored) ?? []];
}

function choicesInText(isSplit: boolean, text: string): string[] | undefined {
	return isSplit ? chosenIn(text)?.map(String) : undefined;
}
