import type { INodeProperties } from 'n8n-workflow';
import type { ParameterSource, SheetContext } from './parameter';
import {
	builderHint,
	choiceProperty,
	deferred,
	entriesParameter,
	mapped,
	notice,
	optional,
	parameter,
} from './parameter';
import { choiceOf } from './settings';
import { choosableValue, entryField, locatorValue, pickList } from '../editor/pickList';
import { fieldsOfSheet } from './sheet';
import { orderedJsonIn } from '../../api/json/orderedJson';
import { fullServiceDate, isDateLike, toServiceDate, type TimeZone } from '../../api/values/dates';
import { numberForm } from '../../api/values/normalForm';
import { checkboxWords, switchIn } from '../../api/sheet/kinds/checkbox';
import { inexactNumber, isInexact } from '../../api/sheet/kinds/valueChecks';
import type { ValueKind } from '../../api/sheet/kinds/valueKind';
import { kindOf } from '../../api/sheet/kinds/valueKinds';
import { isFieldId, nameOf } from '../../api/sheet/fields';
import type { SheetFields } from '../../api/sheet/sheetFields';
import { InputError, ValueError, inParameter } from '../../api/values/inputError';
import {
	conflictingListOf,
	nodeOperators,
	parseWhereLine,
	whereOperators,
	type WhereCondition,
} from '../../api/read/query';
import { adviceFor, isLengthText, unusableValue } from '../../api/values/singleValue';
import { textOf, verbatimText } from '../../api/values/text';

const filterEntries = entriesParameter({
	displayName: 'Filters',
	name: 'filters',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Condition',
	description: 'Conditions that the records must match',
	...builderHint(
		"Each condition is { field, operator, value }; field is a field's name or ID. Conditions on different fields are combined with AND: for OR, use two nodes and merge their items. To find one of several values, use operator in with a list of values; to exclude several values, several with ne.",
	),
	entry: {
		displayName: 'Condition',
		name: 'conditions',
		values: [
			pickList('field', 'Field Name or ID', 'getFilterFields'),
			choiceProperty({
				displayName: 'Operator',
				name: 'operator',
				choices: {
					like: 'Contains',
					empty: 'Is Empty',
					eq: 'Is Equal To',
					gt: 'Is Greater Than',
					gte: 'Is Greater Than or Equal To',
					lt: 'Is Less Than',
					lte: 'Is Less Than or Equal To',
					notEmpty: ['Is Not Empty', 'Compared by the node itself, record by record'],
					ne: ['Is Not Equal To', 'Compared by the node itself, record by record'],
					in: ['Is One Of', 'A list from an expression, or one value per line'],
					eqeq: ['Linked Record ID Is', 'For fields that link to records of another sheet'],
					regex: 'Matches Regex',
				},
				default: 'eq',
			}),
			choosableValue({
				displayName: 'Value',
				name: 'value',
				displayOptions: { hide: { operator: ['empty', 'notEmpty'] } },
				description:
					"Value to compare with. Dates can be ISO 8601 or date values of an expression. A date with a time is sent in the workflow's time zone, which should be that of the account.",
			}),
		],
	},
});

/**
 * Option for conditions in the service's format, besides those of 'Filters'. Parsing throws InputError for a line without a field
 * ID or without a value, and for `nodeOperators`. Other operators are sent unchecked.
 */
export const rawConditions = mapped(
	searchText({
		displayName: 'Raw Conditions',
		name: 'where',
		typeOptions: { rows: 3 },
		// Mass operations may select records in other ways.
		displayOptions: { hide: { '/selection': ['inputItems', 'recordIds'] } },
		placeholder: 'e.g. 1000004,gte,2026/01/31',
		description:
			'More conditions, one per line: field ID, operator (eq, regex, gte, lte, gt, lt, like, eqeq) and value, comma-separated',
	}),
	(where) => {
		const lines = where?.split(/\r?\n/).filter((line) => line.trim() !== '');
		return lines?.map(rawCondition);
	},
);

export const sharedViewId = searchText({
	displayName: 'Shared View ID',
	name: 'sharedViewId',
	placeholder: 'e.g. 77',
	description:
		'ID of a shared view of the sheet. Its filter applies in addition to the other conditions.',
});

/**
 * An option for a text that narrows a search. An empty text narrows nothing. Parsing throws InputError for an expression that
 * returns no value, because the search would find all records by mistake.
 */
export function searchText(property: Omit<INodeProperties, 'type' | 'default'>) {
	const text = parameter({ ...property, type: 'string', default: '' }, (given, label, timeZone) => {
		const date = typeof given === 'object' ? toServiceDate(given, timeZone) : undefined;
		const value = date ?? given;
		const what = unusableValue(value);
		const isText = typeof value === 'string' || textOf(value) !== '';
		if (isText && what === undefined) return verbatimText(value);
		const returned = what === undefined ? '' : ` to search for: the expression returned ${what}`;
		const advice =
			'Check its expression. To search without it, let the expression return an empty text.';
		throw new InputError(`'${label}' has no value${returned}`, advice);
	});
	return optional(text);
}

const severalNotice = notice(
	'filtersNotice',
	"Conditions on different fields are combined with AND. Conditions on the same field are combined with OR, except that 'greater' and 'less' form a range, and that all 'Is Not Equal To' and 'Is Not Empty' must match.",
	{ show: { '/filters.conditions[1]': [{ _cnd: { exists: true } }] } },
);

const filterOperators = [...whereOperators, ...nodeOperators, 'empty', 'in'] as const;

/** The conditions of an item. Their dates follow the workflow's time zone, not that of the output. */
export const conditionsParameter = deferred(
	[...filterEntries.properties, ...severalNotice.properties],
	async (item: SheetContext) => await parseConditions(item, item.timeZone()),
);

/**
 * Returns the conditions of an item. 'Is Empty' and 'Is Not Empty' become `eq` and `ne` with an empty value. Throws InputError
 * for a condition without a field or value, because it would find other records, for an unknown field, and for a value that
 * cannot be compared, such as a list or NaN. Throws ServiceError if the fields cannot be loaded.
 */
export async function parseConditions(
	item: SheetContext,
	timeZone: TimeZone,
): Promise<WhereCondition[]> {
	const conditions: WhereCondition[] = [];
	for (const { field, operator, value } of parseFilters(item)) {
		const key = entryField(field, 'Filters');
		const filterOperator = choiceOf(operator, 'Operator', filterOperators);
		const sheetFields = fieldsOfSheet(item);
		if (filterOperator === 'empty' || filterOperator === 'notEmpty') {
			const compared = async () => await sheetFields.comparedField(key);
			const { fieldId } = await inParameter('Filters', compared);
			conditions.push({ fieldId, operator: filterOperator === 'empty' ? 'eq' : 'ne', value: '' });
			continue;
		}
		const condition = { key, operator: filterOperator, timeZone, sheetFields };
		if (filterOperator !== 'in') {
			conditions.push(...(await conditionsOf(condition, value)));
			continue;
		}
		const listed = await listedConditions(condition, value);
		const [{ fieldId }] = listed;
		if (conditions.some((other) => other.fieldId === fieldId && other.isOneOf)) {
			throw conflictingList(await sheetFields.nameFor(key));
		}
		conditions.push(...listed);
	}
	await requireSingleLists(fieldsOfSheet(item), conditions);
	return conditions;
}

/** Throws InputError if a field has a list of values and another condition that is combined with it by OR. */
async function requireSingleLists(
	sheetFields: SheetFields,
	where: readonly WhereCondition[],
): Promise<void> {
	const fieldId = conflictingListOf(where);
	if (fieldId !== undefined) throw conflictingList(await sheetFields.nameFor(fieldId));
}

function conflictingList(name: string): InputError {
	return new InputError(
		`The field '${name}' has 'Is One Of' and another condition that would be combined with OR`,
		"Add the value to the list of 'Is One Of', or remove one of the conditions.",
	);
}

/** A condition of 'Filters' without its value. */
interface ConditionEntry {
	/** Name or ID of the field. */
	key: string;
	operator: string;
	timeZone: TimeZone;
	sheetFields: SheetFields;
}

/**
 * Returns the condition with one value. For a boolean or a word such as `on`, returns one condition for each word of this meaning that the
 * checkbox holds, such as `Yes` and `true`, because the service may compare letter by letter. Throws as `parseConditions`.
 */
async function conditionsOf(entry: ConditionEntry, value: unknown): Promise<WhereCondition[]> {
	return await entry.sheetFields.withNewest(async () => await checkedConditions(entry, value));
}

/** Returns the conditions by the known kind of the field. Throws as `conditionsOf`. */
async function checkedConditions(
	{ key, operator, timeZone, sheetFields }: ConditionEntry,
	value: unknown,
): Promise<WhereCondition[]> {
	const place = async () => `condition on '${await sheetFields.nameFor(key)}' in 'Filters'`;
	const label = async () => `The ${await place()}`;
	const trimmed = typeof value === 'string' ? value.trim() : (value ?? '');
	if (trimmed === '') throw emptyValue(await label());
	if (!isRange(operator)) await requireExact(value, place);
	const { field, kind } = await inParameter('Filters', async () => {
		const field = await sheetFields.comparedField(key);
		return needsKind(operator, value)
			? await sheetFields.fieldWithKind(key, value)
			: { field, kind: kindOf(field) };
	});
	const { fieldId } = field;
	const words = kind.is('checkbox')
		? await wordsOf(operator, value, { key, kind, sheetFields })
		: undefined;
	if (words) return words.map((word) => ({ fieldId, operator, value: word }));
	const isPart = ['like', 'regex'].includes(operator);
	const text = kind.filterText(value, timeZone, { isPart });
	if (text === undefined) {
		const what = unusableValue(value) ?? 'a date that the service cannot store';
		throw unusableCondition(await label(), what);
	}
	// A name may cost requests, so ask for it only if the value may be rejected.
	if (isComparison(operator) && kind.isRestricted) {
		const name = field.name === field.fieldId ? await sheetFields.nameFor(key) : nameOf(field);
		kind.requireComparable(value, text, { label: name, list: 'Filters' });
	}
	return [{ fieldId, operator, value: withoutSeparators(text, operator, kind) }];
}

/** Throws InputError for a number whose last digits may have been lost. `place` names its condition. */
async function requireExact(value: unknown, place: () => Promise<string>): Promise<void> {
	if (isInexact(value)) throw inexactNumber(`of the ${await place()}`);
}

/** Returns a number without separators of thousands if its order is compared. For equality, the service compares texts. */
function withoutSeparators(text: string, operator: string, kind: ValueKind): string {
	const isNumber = kind.typedAs === 'number' && numberForm(text) !== undefined;
	return isNumber && isRange(operator) ? text.replaceAll(',', '') : text;
}

/**
 * Returns the words of a checkbox that a boolean, or a word such as `on`, is compared with. The service may compare texts, so these
 * are the words of this meaning that records contain. Undefined for any other value.
 */
async function wordsOf(
	operator: string,
	value: unknown,
	{ key, kind, sheetFields }: { key: string; kind: ValueKind; sheetFields: SheetFields },
): Promise<string[] | undefined> {
	const meaning = checkboxMeaning(operator, value);
	if (meaning === undefined) return undefined;
	const { fieldId } = await sheetFields.field(key);
	const { choices } = await sheetFields.load({ choicesOf: [fieldId] });
	const words = kind.filterWords(meaning, choices.get(fieldId));
	return ['eq', 'ne'].includes(operator) ? words : words.slice(0, 1);
}

/** Returns the conditions for the values of 'Is One Of', without duplicates. Throws InputError for an empty list or entry. */
async function listedConditions(
	entry: ConditionEntry,
	value: unknown,
): Promise<[WhereCondition, ...WhereCondition[]]> {
	const values = [typeof value === 'string' ? valuesIn(value) : value].flat();
	const conditions = new Map<string, WhereCondition>();
	for (const element of values) {
		for (const condition of await conditionsOf({ ...entry, operator: 'eq' }, element)) {
			conditions.set(condition.value, { ...condition, isOneOf: true });
		}
	}
	const [first, ...others] = conditions.values();
	if (first) return [first, ...others];
	throw emptyValue(`The condition on '${await entry.sheetFields.nameFor(entry.key)}' in 'Filters'`);
}

/** Returns the values of a text: the elements of a JSON list, as language models and expressions within a text give it, or its lines. */
function valuesIn(text: string): unknown[] {
	const list = text.trim().startsWith('[') ? orderedJsonIn(text) : undefined;
	if (Array.isArray(list)) return list;
	return text
		.trim()
		.split(/\r?\n/)
		.map((line) => line.trim());
}

/** Returns whether an operator compares the order of values. */
function isRange(operator: string): boolean {
	return ['gt', 'gte', 'lt', 'lte'].includes(operator);
}

/** Returns whether an operator compares whole values: not parts of texts, not the IDs of linked records, and not an unknown one. */
function isComparison(operator: string): boolean {
	return ['eq', 'ne'].includes(operator) || isRange(operator);
}

/**
 * Returns whether the kind of the field must be loaded for a value, because it is a date or a boolean, may be a word of a checkbox, or
 * looks like a date or number that the service may not understand (`31.12.2025`, `2026/1/5`, `2026-1-5`, `5%`, `1,234`). A comparison
 * by size needs the kind, too, because a value of another kind may select any record: all dates may be less than 1672700000000. Other
 * texts are sent unchanged.
 */
function needsKind(operator: string, value: unknown): boolean {
	if (isDateLike(value) || typeof value === 'boolean') return true;
	if (!isComparison(operator)) return false;
	if (typeof value === 'number') return isRange(operator) || isSwitch(String(value));
	if (typeof value !== 'string') return false;
	const text = value.trim();
	if (isRange(operator)) return true;
	if (isNumberOrDate(text)) return text !== value || !isComparable(text, operator);
	return isSwitch(value) || looksLikeDateOrNumber(text);
}

/** Returns whether a text looks like a duration, a date or a number as people write it, not as the service does. */
function looksLikeDateOrNumber(text: string): boolean {
	return (
		isLengthText(text) ||
		/^\d{4}-\d{1,2}(?:-\d{1,2}(?:\D.*)?)?$/.test(text) ||
		/^[\p{Sc}+-]?\s*\p{Nd}[\p{Nd}.,'\s/]*[%\p{Sc}]?$/u.test(text)
	);
}

/**
 * Returns whether the service or, for `ne`, the node itself can compare a number or date for equality unchanged. A checkbox stores 1
 * and 0 as words.
 */
function isComparable(text: string, operator: string): boolean {
	const date = fullServiceDate(text);
	return date === undefined ? !isSwitch(text) : date === text || operator === 'ne';
}

function isNumberOrDate(text: string): boolean {
	return numberForm(text) !== undefined || fullServiceDate(text) !== undefined;
}

/** Returns the meaning of a boolean, or of a word such as `on`, for a checkbox; undefined for any other value or comparison. */
function checkboxMeaning(operator: string, value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	return isComparison(operator) && isSwitch(value) ? switchIn(value) : undefined;
}

/** Returns whether a value is true or false for a checkbox, but may be stored as another word, such as `on`, `TRUE` or 1. */
function isSwitch(value: unknown): boolean {
	const isWritten = value === checkboxWords.on || value === checkboxWords.off;
	return !isWritten && switchIn(value) !== undefined;
}

/** Checks dates and numbers in 'Raw Conditions' as those of 'Filters', and that no list has another condition with OR. */
export async function requireUsableConditions(
	sheetFields: SheetFields,
	built: readonly WhereCondition[],
	raw: readonly WhereCondition[],
): Promise<void> {
	await sheetFields.withNewest(async () => await requireUsableValues(sheetFields, raw));
	await requireSingleLists(sheetFields, [...built, ...raw]);
}

/** Throws InputError for a raw condition that the known kind of its field cannot have. */
async function requireUsableValues(
	sheetFields: SheetFields,
	raw: readonly WhereCondition[],
): Promise<void> {
	for (const { fieldId, operator, value } of raw) {
		const { field, kind } = await inParameter('Raw Conditions', async () => {
			const field = await sheetFields.comparedField(fieldId);
			return needsKind(operator, value)
				? await sheetFields.fieldWithKind(fieldId)
				: { field, kind: kindOf(field) };
		});
		if (!isComparison(operator) || !kind.isRestricted) continue;
		const label = field.name === fieldId ? await sheetFields.nameFor(fieldId) : nameOf(field);
		if (kind.holdsOnlyDates) requireServiceDate(value, label);
		else kind.requireComparable(value, value, { label, list: 'Raw Conditions' });
	}
}

/** Throws InputError if the value of a raw condition, which is sent unchanged, is not a date in the format of the service. */
function requireServiceDate(value: string, label: string): void {
	if (fullServiceDate(value.trim()) !== undefined) return;
	throw new ValueError(
		`'${value}' is not a valid date for '${label}' in 'Raw Conditions'`,
		"These are sent unchanged. Write 2026/01/31 or 2026/01/31 09:30:00, e.g. {{ $now.toFormat('yyyy/MM/dd HH:mm:ss') }}, or use 'Filters', which converts dates.",
	);
}

/** Returns the entries of 'Filters', with plain values instead of resource locators. */
export function parseFilters(item: ParameterSource): ReturnType<typeof filterEntries.parse> {
	return filterEntries.parse(item).map((entry) => ({ ...entry, value: locatorValue(entry.value) }));
}

function rawCondition(line: string): WhereCondition {
	const condition = parseWhereLine(line);
	if (nodeOperators.some((operator) => operator === condition?.operator)) {
		throw new InputError(
			`'${line}' in 'Raw Conditions' has an operator that the service does not know`,
			"Use 'Is Not Equal To' or 'Is Not Empty' in 'Filters': the node evaluates them itself.",
		);
	}
	if (condition && isFieldId(condition.fieldId)) {
		const what = unusableTextOfExpression(condition);
		if (what !== undefined) throw unusableCondition(`'${line}' in 'Raw Conditions'`, what);
		if (condition.value.trim() !== '') return condition;
		throw emptyValue(`'${line}' in 'Raw Conditions'`);
	}
	throw new InputError(
		`'${line}' in 'Raw Conditions' is not a condition`,
		`Enter field ID, operator and value, comma-separated, e.g. 1000004,eq,Open. The operators are ${whereOperators.join(', ')}.`,
	);
}

/** Texts into which an expression inside a text turns values that cannot be compared. */
const unusableTexts: ReadonlyMap<string, string> = new Map([
	['NaN', '"not a number"'],
	['Infinity', '"Infinity"'],
	['-Infinity', '"Infinity"'],
	['[object Object]', 'an object'],
	['Invalid DateTime', 'an invalid date'],
	['Invalid Date', 'an invalid date'],
]);

/**
 * Returns what an expression in a raw condition returned, if it is no value to compare with; undefined otherwise. `like` and
 * `regex` search for any text.
 */
function unusableTextOfExpression({ operator, value }: WhereCondition): string | undefined {
	if (operator === 'like' || operator === 'regex') return undefined;
	const text = value.trim();
	// A text may look like a length of time, so only comparisons by size refuse it.
	const isLength = !operator.startsWith('eq') && isLengthText(text);
	return isLength ? 'a length of time' : unusableTexts.get(text);
}

/** Returns the error for a condition whose value cannot be compared. `what` is a result of `unusableValue`. */
function unusableCondition(condition: string, what: string): InputError {
	return new InputError(
		`${condition} has no usable value: the expression returned ${what}`,
		`${adviceFor(what)} Compare with one text, number or date. For several values, use 'Is One Of' in 'Filters'.`,
	);
}

/** Returns the error for a condition without a value, which would find all records whose field is empty. */
function emptyValue(condition: string): InputError {
	return new InputError(
		`${condition} has no value, so nothing was sent`,
		"Enter a value, or check its expression. To find records whose field is empty, choose the operator 'Is Empty' in 'Filters'.",
	);
}
