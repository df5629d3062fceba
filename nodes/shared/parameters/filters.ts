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
import { isDateLike, type Clock } from '../../api/values/dates';
import { isFieldId } from '../../api/schema/fields';
import { kindOf } from '../../api/schema/valueKinds';
import { InputError } from '../../api/values/inputError';
import { parseWhereLine, whereOperators, type WhereCondition } from '../../api/read/query';
import { textOf, verbatimText } from '../../api/values/text';

const filterEntries = entriesParameter({
	displayName: 'Filters',
	name: 'filters',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Condition',
	description: 'Conditions that the records must match',
	...builderHint(
		"Each condition is { field, operator, value }; field is a field's name or ID. Conditions on different fields are combined with AND: for OR, use two nodes and merge their items. To exclude values or find non-empty fields, filter the items afterwards. To find one of several values, give several conditions with operator eq on the same field.",
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
					eqeq: ['Linked Record ID Is', 'For fields that link to records of another sheet'],
					regex: 'Matches Regex',
				},
				default: 'eq',
			}),
			choosableValue({
				displayName: 'Value',
				name: 'value',
				displayOptions: { hide: { operator: ['empty'] } },
				description:
					"Value to compare with. Dates can be ISO 8601 or date values of an expression. A date with a time is sent in the workflow's time zone, which should be that of the account.",
			}),
		],
	},
});

/** The option of conditions in the service's own form, which apply beside those of the builder. */
export const rawConditions = mapped(
	searchText({
		displayName: 'Raw Conditions',
		name: 'where',
		typeOptions: { rows: 3 },
		// Of mass operations, whose records may be chosen otherwise.
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

/** What narrows the search: an expression that finds nothing would widen it to all records. */
export function searchText(property: Omit<INodeProperties, 'type' | 'default'>) {
	const text = parameter({ ...property, type: 'string', default: '' }, (value, label) => {
		if (typeof value === 'string' || textOf(value) !== '') return verbatimText(value);
		const advice =
			'Check its expression. To search without it, let the expression return an empty text.';
		throw new InputError(`'${label}' has no value`, advice);
	});
	return optional(text);
}

const severalNotice = notice(
	'filtersNotice',
	"Conditions on different fields are combined with AND. Conditions on the same field are combined with OR, except that 'greater' and 'less' form a range. To exclude values or find non-empty fields, add n8n's Filter node after this one.",
	{ show: { '/filters.conditions[1]': [{ _cnd: { exists: true } }] } },
);

/** The conditions of an item, by the workflow's time zone whatever that of the output. */
export const conditionsParameter = deferred(
	[...filterEntries.properties, ...severalNotice.properties],
	async (item: SheetContext) => await readConditions(item, item.clock()),
);

/** Returns the conditions of an item. Throws InputError for one without a field or a value, which would find other records. */
export async function readConditions(item: SheetContext, clock: Clock): Promise<WhereCondition[]> {
	const conditions: WhereCondition[] = [];
	for (const { field, operator, value } of readFilters(item)) {
		const key = entryField(field, 'Filters');
		const compared = choiceOf(operator, 'Operator', [...whereOperators, 'empty']);
		const schema = schemaOf(item);
		const label = async () => `The condition on '${await schema.nameFor(key)}' in 'Filters'`;
		if (compared === 'empty') {
			const { fieldId } = await schema.field(key);
			conditions.push({ fieldId, operator: 'eq', value: '' });
			continue;
		}
		const given = typeof value === 'string' ? value.trim() : (value ?? '');
		if (given === '') throw emptyValue(await label());
		// Only dates and booleans are written by the kind of the field.
		const isOfKind = isDateLike(value) || typeof value === 'boolean';
		const { field: known, kind } = isOfKind
			? await schema.fieldWithKind(key)
			: { field: await schema.field(key), kind: kindOf({}) };
		const text = kind.filterText(value, clock);
		if (text === undefined) {
			throw new InputError(
				`${await label()} compares with a list or an object`,
				'Compare with one text, number or date. For several values, add a condition for each.',
			);
		}
		conditions.push({ fieldId: known.fieldId, operator: compared, value: text });
	}
	return conditions;
}

/** Returns the entries of the builder. */
export function readFilters(item: ParameterSource): ReturnType<typeof filterEntries.parse> {
	return filterEntries.parse(item).map((entry) => ({ ...entry, value: locatorValue(entry.value) }));
}

function rawCondition(line: string): WhereCondition {
	const condition = parseWhereLine(line);
	if (condition && isFieldId(condition.fieldId)) {
		if (condition.value.trim() !== '') return condition;
		throw emptyValue(`'${line}' in 'Raw Conditions'`);
	}
	throw new InputError(
		`'${line}' in 'Raw Conditions' is not a condition`,
		`Enter field ID, operator and value, comma-separated, e.g. 1000004,eq,Open. The operators are ${whereOperators.join(', ')}.`,
	);
}

/** An empty value would find all records whose field is empty. */
function emptyValue(condition: string): InputError {
	return new InputError(
		`${condition} has no value, so nothing was sent`,
		"Enter a value, or check its expression. To find records whose field is empty, choose the operator 'Is Empty' in 'Filters'.",
	);
}
