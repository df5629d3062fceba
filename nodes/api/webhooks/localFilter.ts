import { scalarText } from '../json/objects';
import type { JsonObject } from '../json/orderedJson';
import type { WhereCondition } from '../read/query';
import { withRows } from '../read/record';
import { kindOf } from '../schema/valueKinds';
import { isMasked } from '../values/text';

/** A condition with the type of its field, where that is known. */
export interface LocalCondition extends WhereCondition {
	type?: string;
}

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

/** Returns what a field holds; one of a subtable, in all rows. */
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
	if (operator === 'regex') return new RegExp(value).test(text);
	const order = kindOf(condition).compare(text, value);
	if (operator === 'eq') return order === 0;
	return order === 0 ? operator.endsWith('e') : order > 0 === operator.startsWith('g');
}
