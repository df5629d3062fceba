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
import { schemaOf } from './sheet';
import { isDateLike, type TimeZone } from '../../api/values/dates';
import { isFieldId } from '../../api/schema/fields';
import { kindOf } from '../../api/schema/valueKinds';
import { InputError } from '../../api/values/inputError';
import {
	nodeOperators,
	parseWhereLine,
	whereOperators,
	type WhereCondition,
} from '../../api/read/query';
import { adviceFor, isLengthText, unusableText, unusableValue } from '../../api/values/singleValue';
import { textOf, verbatimText } from '../../api/values/text';

const filterEntries = entriesParameter({
	displayName: 'Filters',
	name: 'filters',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Condition',
	description: 'Conditions that the records must match',
	...builderHint(
		"Each condition is { field, operator, value }; field is a field's name or ID. Conditions on different fields are combined with AND: for OR, use two nodes and merge their items. To find one of several values, give several conditions with operator eq on the same field; to exclude several values, several with ne.",
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
	const text = parameter({ ...property, type: 'string', default: '' }, (value, label) => {
		const what = unusableText(value);
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

const filterOperators = [...whereOperators, ...nodeOperators, 'empty'] as const;

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
		const schema = schemaOf(item);
		const label = async () => `The condition on '${await schema.nameFor(key)}' in 'Filters'`;
		if (filterOperator === 'empty' || filterOperator === 'notEmpty') {
			const { fieldId } = await schema.field(key);
			conditions.push({ fieldId, operator: filterOperator === 'empty' ? 'eq' : 'ne', value: '' });
			continue;
		}
		const trimmed = typeof value === 'string' ? value.trim() : (value ?? '');
		if (trimmed === '') throw emptyValue(await label());
		// Other values are sent unchanged, so only dates and booleans need the kind of the field.
		const isOfKind = isDateLike(value) || typeof value === 'boolean';
		const { field: known, kind } = isOfKind
			? await schema.fieldWithKind(key)
			: { field: await schema.field(key), kind: kindOf({}) };
		const text = kind.filterText(value, timeZone);
		if (text === undefined) {
			const what = unusableValue(value) ?? 'a date that the service cannot store';
			throw unusableCondition(await label(), what);
		}
		conditions.push({ fieldId: known.fieldId, operator: filterOperator, value: text });
	}
	return conditions;
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
		`${adviceFor(what)} Compare with one text, number or date. For several values, add a condition for each.`,
	);
}

/** Returns the error for a condition without a value, which would find all records whose field is empty. */
function emptyValue(condition: string): InputError {
	return new InputError(
		`${condition} has no value, so nothing was sent`,
		"Enter a value, or check its expression. To find records whose field is empty, choose the operator 'Is Empty' in 'Filters'.",
	);
}
