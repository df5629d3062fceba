import { scalarText } from '../json/objects';
import type { JsonObject } from '../json/orderedJson';
import type { WhereCondition } from '../read/query';
import { withRows } from '../read/record';
import { kindOf } from '../schema/valueKinds';
import { isMasked } from '../values/text';

/** A condition with the type and the name of its field, as far as they are known. */
export interface LocalCondition extends WhereCondition {
	type?: string;
	name?: string;
}

/** Maximum length of a text, in characters, to which a regular expression is applied: the sender decides how long a text is. */
export const maxRegexCharacters = 10_000;

const isBound = ({ operator }: WhereCondition) => ['gte', 'gt', 'lte', 'lt'].includes(operator);

/** Returns whether a record by field ids matches conditions as the service's filters would find it (specification, "Filter rules"). */
export function matchesConditions(
	content: JsonObject,
	conditions: readonly LocalCondition[],
): boolean {
	const fieldIds = new Set(conditions.map(({ fieldId }) => fieldId));
	return [...fieldIds].every((fieldId) => {
		const own = conditions.filter((condition) => condition.fieldId === fieldId);
		const texts = textsIn(content, fieldId);
		const bounds = own.filter(isBound);
		const others = own.filter((condition) => !isBound(condition));
		const isWithin = texts.some((text) => bounds.every((bound) => holds(text, bound)));
		const isOneOf = texts.some((text) => others.some((other) => holds(text, other)));
		return isWithin && (others.length === 0 || isOneOf);
	});
}

/** Returns the names, or else the IDs, of the fields whose value is too long for a `regex` condition. Such a value counts as matching. */
export function fieldsTooLongForRegex(
	content: JsonObject,
	conditions: readonly LocalCondition[],
): string[] {
	const isTooLong = ({ operator, fieldId }: LocalCondition) =>
		operator === 'regex' &&
		textsIn(content, fieldId).some((text) => text.length > maxRegexCharacters);
	const names = conditions.filter(isTooLong).map(({ name, fieldId }) => name ?? fieldId);
	return [...new Set(names)];
}

/** Returns the values of a field; for a field of a subtable, those of all rows. */
function textsIn(content: JsonObject, fieldId: string): string[] {
	// Of several files the first element may be empty.
	const values = [...withRows(content)].flatMap((holder) => [holder.get(fieldId)].flat());
	const texts = values.map((value) => scalarText(value) ?? '').filter((text) => text !== '');
	return texts.length === 0 ? [''] : texts;
}

function holds(text: string, condition: LocalCondition): boolean {
	const { operator, value } = condition;
	if (text === '' || value === '') return text === value;
	// What it hides cannot be compared: an event more than wanted is better than one lost.
	if (isMasked(text)) return true;
	if (operator === 'like') return text.includes(value);
	if (operator === 'regex') {
		return text.length > maxRegexCharacters || new RegExp(value).test(text);
	}
	const order = kindOf(condition).compare(text, value);
	if (operator === 'eq') return order === 0;
	return order === 0 ? operator.endsWith('e') : order > 0 === operator.startsWith('g');
}
