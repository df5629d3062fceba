import type { INodeProperties, ResourceMapperTypeOptionsBase } from 'n8n-workflow';
import { isObject } from '../../api/json/objects';
import { chosenIn } from '../../api/read/selectionText';
import { idInKey, isSurelyFieldId } from '../../api/sheet/fields';
import { requireTextual } from '../../api/values/singleValue';
import { textOf } from '../../api/values/text';
import type { EnteredRow } from '../../api/write/parsedInput';
import { wordsAmong } from '../../api/sheet/kinds/checkbox';
import { requireDate } from '../../api/sheet/kinds/valueChecks';
import { fieldNamesOf } from '../../shared/parameters/options';
import {
	builderHint,
	choiceParameter,
	deferred,
	entriesParameter,
	optional,
	parameter,
	type Parameter,
} from '../../shared/parameters/parameter';
import { fieldsPickList, pickList } from '../../shared/editor/pickList';
import { requireText } from '../../shared/parameters/settings';
import { fieldsOfSheet } from '../../shared/parameters/sheet';
import type { ItemContext } from '../run/itemContext';
import { parseJsonObject } from './jsonText';
import { mapperProperties } from './mapper';

/** The values that the user entered for an item. */
export interface Input {
	values: Record<string, unknown>;
	/** Rows of the option 'Subtable Rows'. */
	rows?: EnteredRow[];
	/** Whether the values are those of the whole input item. */
	isAutoMapped: boolean;
}

const inputMode = choiceParameter({
	displayName: 'Input',
	name: 'inputMode',
	choices: {
		fields: ['Fields', 'Enter a value for each field of the sheet'],
		json: ['JSON', 'Enter all values as JSON'],
	},
	default: 'fields',
	description: 'How to enter the values to write',
	...builderHint(
		"'fields' requires the IDs of the sheet's fields, unless the mapping mode is autoMapInputData, which matches the fields of each item by name. If only field names are known, use 'json'.",
	),
});

const recordJsonProperty: INodeProperties = {
	displayName: 'Record (JSON)',
	name: 'recordJson',
	type: 'json',
	required: true,
	displayOptions: { show: { inputMode: ['json'] } },
	placeholder: 'e.g. { "Customer": "Acme", "_subtable_2000001": [{ "Article": "Chair" }] }',
	default: '{}',
	description:
		'Field names or IDs with their values. Subtable rows are an array in _subtable_ID: a row with _rowId is updated, a row without is created. Rows to delete are an array of row IDs in _DELSUB_ID.',
	...builderHint(
		'An object for each item, e.g. ={{ { "Customer": $json.name, "Amount": $json.total } }}. Use the exact field names of the sheet: an unknown name is rejected and nothing is written.',
	),
};

const rowJsonProperty = {
	displayName: 'Row (JSON)',
	name: 'rowJson',
	type: 'json',
	placeholder: 'e.g. { "Article": "Chair", "Quantity": 2 }',
	default: '{}',
	description: 'Field names or IDs with their values',
} as const;

const ignoredFields = fieldsPickList(
	'ignoreFields',
	'Ignore Field Names or IDs',
	'Fields to skip when fields are mapped automatically.',
);
export const ignoreFields = optional(parameter(ignoredFields, fieldNamesOf));

export const subtableRows = optional(
	entriesParameter({
		displayName: 'Subtable Rows',
		name: 'subtables',
		typeOptions: { multipleValues: true },
		displayOptions: { show: { '/inputMode': ['fields'] } },
		placeholder: 'Add Row',
		description: 'Rows to create or update in subtables of the record',
		entry: {
			displayName: 'Row',
			name: 'rows',
			values: [
				pickList('subtableId', 'Subtable Name or ID', 'getSubtables'),
				{
					...rowJsonProperty,
					description: `${rowJsonProperty.description}. A row with _rowId is updated, a row without is created.`,
				},
			],
		},
	}),
);

/**
 * Values of a record to write. The rows of the option 'Subtable Rows' come after those of the item. `matching` appears after the
 * input mode.
 */
export function recordInput(
	mode: ResourceMapperTypeOptionsBase['mode'],
	addAllFields: boolean,
	matching: readonly INodeProperties[] = [],
): Parameter<Promise<Input>, ItemContext> {
	const mapper = mapperProperties(mode, addAllFields, 'getRecordFields');
	const properties = [...inputMode.properties, ...matching, ...mapper];
	return deferred([...properties, recordJsonProperty], parseRecordInput);
}

export const rowInput: Parameter<Input, ItemContext> = {
	properties: [
		...inputMode.properties,
		...mapperProperties('add', true, 'getRowFields'),
		{ ...rowJsonProperty, required: true, displayOptions: { show: { inputMode: ['json'] } } },
	],
	parse: (item) => parseValues(item, rowJsonProperty),
};

async function parseRecordInput(item: ItemContext): Promise<Input> {
	const input = parseValues(item, recordJsonProperty);
	if (isJsonInput(item)) return input;
	const rows: EnteredRow[] = [];
	for (const entry of subtableRows.parse(item) ?? []) {
		requireTextual(entry.subtableId, 'Subtable Name or ID');
		const key = requireText(textOf(entry.subtableId), 'Subtable Name or ID');
		const subtableId = await fieldsOfSheet(item).subtableId(key);
		rows.push({ subtableId, row: parseJsonObject(entry.rowJson, rowJsonProperty.displayName) });
	}
	return { ...input, rows };
}

function isJsonInput(item: ItemContext): boolean {
	return inputMode.parse(item) === 'json';
}

/** Returns the values of the JSON parameter or of the mapper. With automatic mapping, those are the values of the input item. */
function parseValues(
	item: ItemContext,
	json: Pick<INodeProperties, 'name' | 'displayName'>,
): Input {
	if (isJsonInput(item)) {
		const values = parseJsonObject(item.value(json.name), json.displayName);
		return { values, isAutoMapped: false };
	}
	const isAutoMapped = item.text('fields.mappingMode') === 'autoMapInputData';
	return { values: isAutoMapped ? { ...item.record } : mappedValues(item), isAutoMapped };
}

/** The choice that leaves a checkbox unchanged. */
export const leaveUnchanged = '(leave unchanged)';

/** Returns the stored state of the mapper, with its fields by key. */
function mapperOf(item: ItemContext) {
	const mapper = item.value('fields');
	const { value, matchingColumns, schema } = isObject(mapper) ? mapper : {};
	const listed = Array.isArray(schema) ? schema.filter(isObject) : [];
	const fields = new Map(listed.map((field) => [field.id, field] as const));
	return { values: isObject(value) ? value : {}, matchingColumns, fields };
}

/**
 * Returns the values of the mapper by field ID (see `mappedValue`), without unchanged checkboxes. They are taken from the stored
 * state, because n8n would convert dates in its own time zone and reject empty texts. Throws InputError for a value of a date
 * field that is not a date.
 */
function mappedValues(item: ItemContext): Record<string, unknown> {
	const { values: entered, fields } = mapperOf(item);
	const values = new Map<string, unknown>();
	for (const [key, value] of Object.entries(entered)) {
		const { type, options } = fields.get(key) ?? {};
		const listed = Array.isArray(options) ? options.filter(isObject) : [];
		const choices = listed.map((choice) => String(choice.value));
		if (value === leaveUnchanged && choices.includes(value)) continue;
		if (type === 'dateTime') requireDate(value, `'${key}'`, 'known');
		// A text field with a list of options, even an empty one, is a multiple selection (see `optionsOf` of the mapper).
		const isMultipleSelection = type === 'string' && Array.isArray(options);
		const fieldKey = fieldKeyOf(key, fields);
		// Keep both keys if a field has two values: such input is rejected later.
		values.set(
			values.has(fieldKey) ? key : fieldKey,
			mappedValue(value, choices, isMultipleSelection),
		);
	}
	return Object.fromEntries(values);
}

/** Returns a checkbox as a word, and several choices of a multiple selection as a list. Returns any other value unchanged. */
function mappedValue(value: unknown, choices: string[], isMultipleSelection: boolean): unknown {
	if (typeof value === 'boolean') {
		const { on, off } = wordsAmong(choices);
		const word = value ? on : off;
		if (choices.includes(word)) return word;
	}
	return isMultipleSelection && typeof value === 'string'
		? (chosenIn(value, choices) ?? value)
		: value;
}

/**
 * Returns the IDs of the fields that the mapper matches on. A key that the mapper does not list, or that has no ID
 * (`_recordId`), is returned unchanged. Returns undefined if the input is JSON.
 */
export function mappedMatches(item: ItemContext): string[] | undefined {
	if (isJsonInput(item)) return undefined;
	const { matchingColumns: keys, fields } = mapperOf(item);
	return Array.isArray(keys) ? keys.map((key) => fieldKeyOf(String(key), fields)) : [];
}

/** Returns the field ID in a key that is in `fields`, such as `Name (1000004)`. Returns any other key unchanged. */
function fieldKeyOf(key: string, fields: ReadonlyMap<unknown, unknown>): string {
	const id = fields.has(key) ? idInKey(key) : undefined;
	return id !== undefined && isSurelyFieldId(id) ? id : key;
}
