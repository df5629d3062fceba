import { scalarText } from '../json/objects';
import type { JsonObject } from '../json/orderedJson';
import type { WhereCondition } from '../read/query';
import { withRows } from '../read/record';
import { kindOf } from '../schema/valueKinds';
import { isMasked } from '../values/text';

/** A condition with the type and name of its field, if known. */
export interface LocalCondition extends WhereCondition {
	type?: string;
	name?: string;
}

/** Maximum length of a text to which a regular expression is applied, in characters. The sender determines the length of a text. */
export const maxRegexCharacters = 10_000;

const isBound = ({ operator }: WhereCondition) => ['gte', 'gt', 'lte', 'lt'].includes(operator);

/**
 * Returns whether a record (keyed by field ID) matches the conditions by the rules of the service (specification, "Filter rules").
 * A value of each field must match all its bounds, and a value must match one of its other conditions.
 */
export function matchesConditions(
	content: JsonObject,
	conditions: readonly LocalCondition[],
): boolean {
	const fieldIds = new Set(conditions.map(({ fieldId }) => fieldId));
	return [...fieldIds].every((fieldId) => {
		const ofField = conditions.filter((condition) => condition.fieldId === fieldId);
		const texts = textsOfField(content, fieldId);
		const bounds = ofField.filter(isBound);
		const alternatives = ofField.filter((condition) => !isBound(condition));
		const isWithin = texts.some((text) => bounds.every((bound) => isMet(text, bound)));
		const isOneOf = texts.some((text) => alternatives.some((condition) => isMet(text, condition)));
		return isWithin && (alternatives.length === 0 || isOneOf);
	});
}

/** Returns the names (or IDs) of the fields whose value is too long for a `regex` condition. Such a value counts as matching. */
export function fieldsTooLongForRegex(
	content: JsonObject,
	conditions: readonly LocalCondition[],
): string[] {
	const isTooLong = ({ operator, fieldId }: LocalCondition) =>
		operator === 'regex' &&
		textsOfField(content, fieldId).some((text) => text.length > maxRegexCharacters);
	const names = conditions.filter(isTooLong).map(({ name, fieldId }) => name ?? fieldId);
	return [...new Set(names)];
}

/** Returns the values of a field; for a field of a subtable, those of all rows. */
function textsOfField(content: JsonObject, fieldId: string): string[] {
	// The first element of several files may be empty.
	const values = [...withRows(content)].flatMap((record) => [record.get(fieldId)].flat());
	const texts = values.map((value) => scalarText(value) ?? '').filter((text) => text !== '');
	return texts.length === 0 ? [''] : texts;
}

function isMet(text: string, condition: LocalCondition): boolean {
	const { operator, value } = condition;
	if (text === '' || value === '') return text === value;
	// A masked value cannot be compared. It counts as matching, so that no event is lost.
	if (isMasked(text)) return true;
	if (operator === 'like') return text.includes(value);
	if (operator === 'regex') {
		return text.length > maxRegexCharacters || new RegExp(value).test(text);
	}
	const order = kindOf(condition).compare(text, value);
	if (operator === 'eq') return order === 0;
	return order === 0 ? operator.endsWith('e') : order > 0 === operator.startsWith('g');
}
