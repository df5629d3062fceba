import { getOrInsert } from '../json/objects';
import { isJsonObject, type JsonObject } from '../json/orderedJson';
import { isNodeCondition, type WhereCondition } from '../read/query';
import { rowsOf, withRows } from '../read/record';
import { objectState } from '../http/processState';
import { scalarTextOf } from '../sheet/kinds/valueChecks';
import type { ValueKind } from '../sheet/kinds/valueKind';
import { kindNamed, kindOf } from '../sheet/kinds/valueKinds';
import { isMasked } from '../values/text';
import { TextPattern } from '../values/textPattern';

/** A condition with the type and name of its field, if known. */
export interface LocalCondition extends WhereCondition {
	type?: string;
	/** Kind by which values are compared, if it is not the kind of `type`. */
	kind?: ValueKind;
	name?: string;
	/** Set if records have names as keys: the key of the field, and the subtable that it belongs to. */
	place?: { key: string; subtableId?: string };
}

/** Maximum length in characters of a text to which a regular expression is applied. The sender determines the text. */
export const maxRegexCharacters = 10_000;

/** Maximum number of steps for the regular expressions of one record. They take about 50 ms. */
export const maxRegexSteps = 300_000;

/** Condition with a regular expression → the parsed expression. */
const patterns = objectState<LocalCondition, TextPattern>('patterns');

/** Steps for the regular expressions of a record. */
interface RegexBudget {
	steps: number;
	/** Names (or IDs) of the fields for which a condition took too many steps. */
	slowFields: Set<string>;
}

/** Whether a record matches conditions. */
export interface LocalMatch {
	isMatch: boolean;
	/** Names (or IDs) of the fields for which a `regex` condition takes too many steps. Such a condition counts as met. */
	slowFields: string[];
	/** Number of steps that the regular expressions took. */
	steps: number;
}

const isBound = ({ operator }: WhereCondition) => ['gte', 'gt', 'lte', 'lt'].includes(operator);

/** Returns whether a record matches the conditions (see `matchConditions`). */
export function matchesConditions(
	content: JsonObject,
	conditions: readonly LocalCondition[],
): boolean {
	return matchConditions(content, conditions).isMatch;
}

/**
 * Returns whether a record matches the conditions by the rules of the service (specification, "Filter rules"). The conditions on
 * each field must match: one of its values is within all bounds, none equals the value of an `ne` condition, and if there are
 * other conditions, one of its values meets at least one of them. The conditions must not have the operator `eqeq`, which only
 * the service can evaluate, or a regular expression that `TextPattern` rejects.
 */
export function matchConditions(
	content: JsonObject,
	conditions: readonly LocalCondition[],
	maxSteps = maxRegexSteps,
): LocalMatch {
	const fieldIds = new Set(conditions.map(({ fieldId }) => fieldId));
	const budget: RegexBudget = { steps: maxSteps, slowFields: new Set() };
	const isMatch = [...fieldIds].every((fieldId) => {
		const ofField = conditions.filter((condition) => condition.fieldId === fieldId);
		return matchesField(content, ofField, budget);
	});
	const steps = maxSteps - Math.max(0, budget.steps);
	return { isMatch, slowFields: [...budget.slowFields], steps };
}

/** Returns whether a record matches the conditions on one field. */
function matchesField(
	content: JsonObject,
	conditions: readonly LocalCondition[],
	budget: RegexBudget,
): boolean {
	const [first] = conditions;
	const texts = first ? textsOfField(content, first) : [''];
	const exclusions = conditions.filter(isNodeCondition);
	const bounds = conditions.filter(isBound);
	const alternatives = conditions.filter(
		(condition) => !isNodeCondition(condition) && !isBound(condition),
	);
	const isExcluded = exclusions.some((exclusion) => texts.some((text) => isEqual(text, exclusion)));
	const isWithin = texts.some((text) => bounds.every((bound) => isMet(text, bound, budget)));
	const isOneOf = texts.some((text) =>
		alternatives.some((condition) => isMet(text, condition, budget)),
	);
	return !isExcluded && isWithin && (alternatives.length === 0 || isOneOf);
}

/** Returns the names (or IDs) of the fields whose value is too long for a `regex` condition. Such a value counts as matching. */
export function fieldsTooLongForRegex(
	content: JsonObject,
	conditions: readonly LocalCondition[],
): string[] {
	const found = conditions.filter(
		(condition) =>
			condition.operator === 'regex' &&
			textsOfField(content, condition).some((text) => text.length > maxRegexCharacters),
	);
	return [...new Set(found.map(nameOf))];
}

function nameOf({ name, fieldId }: LocalCondition): string {
	return name ?? fieldId;
}

/** Returns the values of a condition's field; for a field of a subtable, in all rows. An empty field has one empty value. */
function textsOfField(content: JsonObject, { fieldId, place }: LocalCondition): string[] {
	const key = place?.key ?? fieldId;
	// The first element of several files may be empty.
	const values = [...objectsWithField(content, place)].flatMap((object) =>
		[object.get(key)].flat(),
	);
	const texts = values.map((value) => scalarTextOf(value) ?? '').filter((text) => text !== '');
	return texts.length === 0 ? [''] : texts;
}

/**
 * Returns the objects that may have a field: with a place, the record or the rows of its subtable; otherwise the record and all
 * rows, because a field ID belongs to only one of them.
 */
function objectsWithField(
	content: JsonObject,
	place: LocalCondition['place'],
): Iterable<JsonObject> {
	if (!place) return withRows(content);
	if (place.subtableId === undefined) return [content];
	return [...(rowsOf(content, place.subtableId)?.values() ?? [])].filter(isJsonObject);
}

function kindOfCondition({ kind, type }: LocalCondition): ValueKind {
	return kind ?? kindOf({ type });
}

/** Returns the kind for bounds. A field that only seems to hold texts may hold numbers in several spellings, such as 5 and 5.00. */
function kindOfOrder(condition: LocalCondition): ValueKind {
	const kind = kindOfCondition(condition);
	return condition.type === undefined && kind.is('text') ? kindNamed('unknown') : kind;
}

/** Returns whether a value certainly equals that of a condition with `ne`. A masked value never does, because it is unknown. */
function isEqual(text: string, condition: LocalCondition): boolean {
	const { value } = condition;
	if (text === '' || value === '') return text === value;
	return !isMask(text, condition) && kindOfCondition(condition).isFoundBy(text, value);
}

/** Returns whether a text hides the value: stars, which may show a part of it, in a masked field, or only stars if the type is unknown. */
function isMask(text: string, { type }: LocalCondition): boolean {
	if (type === undefined) return isMasked(text);
	return kindOf({ type }).is('masked') && text.includes('*');
}

/** Returns whether a text matches a regular expression; undefined if it is too long, or takes more steps than are left. */
function fitsPattern(
	text: string,
	condition: LocalCondition,
	budget: RegexBudget,
): boolean | undefined {
	if (text.length > maxRegexCharacters) return undefined;
	const pattern = getOrInsert(patterns, condition, () => new TextPattern(condition.value));
	const isFound = pattern.test(text, budget);
	if (isFound === undefined) budget.slowFields.add(nameOf(condition));
	return isFound;
}

function isMet(text: string, condition: LocalCondition, budget: RegexBudget): boolean {
	const { operator, value } = condition;
	if (text === '' || value === '') return text === value;
	// A masked value cannot be compared. It counts as matching, so that no event is lost.
	if (isMask(text, condition)) return true;
	if (operator === 'like') return text.includes(value);
	if (operator === 'regex') return fitsPattern(text, condition, budget) !== false;
	if (operator === 'eq') return kindOfCondition(condition).isFoundBy(text, value);
	const order = kindOfOrder(condition).compare(text, value);
	return order === 0 ? operator.endsWith('e') : order > 0 === operator.startsWith('g');
}
