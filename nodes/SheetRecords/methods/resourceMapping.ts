import type { FieldType, ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { fallbackTo } from '../../api/http/serviceError';
import { isObject } from '../../api/json/objects';
import { findField, keyWithId, type Field } from '../../api/schema/fields';
import type { ObservedValues } from '../../api/schema/inference';
import { kindOf, type ValueKind } from '../../api/schema/valueKinds';
import { chosenSubtable, labelOf, ofChosenSheet } from '../../shared/editor/pickListMethods';
import type { ChosenSheet } from '../../shared/editor/pickListMethods';
import { leaveUnchanged } from '../parameters/input';

type MapperField = ResourceMapperFields['fields'][number];

/** A field with the kind of its values, which may be inferred. */
type KnownField = Field & { kind: ValueKind };

const chooseSheet: ResourceMapperFields = {
	fields: [],
	emptyFieldsNotice: 'Choose the sheet first. Then its fields appear here.',
};
const chooseSubtable = 'Choose the subtable first. Then its fields appear here.';
const noFields =
	'The service returns no field that can be written here. Set Input to JSON and use field IDs.';

/** Returns a method of the editor that lists what people write values into: fields of the chosen sheet, or of a subtable. */
function fieldsOf(subtableOf?: typeof chosenSubtable) {
	return async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		return await ofChosenSheet(this, chooseSheet, async (chosen) => {
			return await mapperFields(this, chosen, subtableOf);
		});
	};
}

async function mapperFields(
	context: ILoadOptionsFunctions,
	{ schema }: ChosenSheet,
	subtableOf?: typeof chosenSubtable,
): Promise<ResourceMapperFields> {
	// Opening the panel, or Refresh, shows a field that was made a moment ago.
	schema.forgetAll();
	const list = await schema.namedList();
	// No field belongs to a subtable without an ID.
	const subtableId = subtableOf && ((await subtableOf(context, schema)) ?? '');
	const listed = (list?.fields ?? []).filter((field) => field.subtableId === subtableId);
	const needsValues = (field: Field) =>
		field.type === undefined || (!field.choices && kindOf(field).isSelection);
	// Without what records hold the fields can be mapped as well.
	const none = fallbackTo(new Map<string, ObservedValues>());
	const observed = await schema.choices(listed.filter(needsValues)).catch(none);
	const known = listed.map((field): KnownField => {
		const values = observed.get(field.fieldId);
		const kind = field.type === undefined ? (values?.kind ?? kindOf(field)) : kindOf(field);
		const choices = field.choices ?? (kind.isSelection ? values?.choices : undefined);
		return { ...field, kind, choices };
	});
	const isTyped = listed.some(({ type }) => type !== undefined);
	const saved = savedFields(context.getCurrentNodeParameter('fields'), known);
	const operation = context.getCurrentNodeParameter('operation');
	const isUpsert = operation === 'upsert';
	const offered = known.filter(
		(field) => isWritten(field) || saved.has(field.fieldId) || (isUpsert && isMatchable(field)),
	);
	// A change leaves out what it does not change: only a new record or row needs its required fields.
	const isNew = operation === 'create' || operation === 'add';
	const fields = offered.map((one): MapperField & { isTyped: boolean } => {
		const required = isNew && one.required === true;
		const field = { ...one, choices: choicesOf(one, isNew) ?? one.choices };
		const { key = keyWithId(field, known), value } = saved.get(field.fieldId) ?? {};
		// The values of a key field that the service fills in are not among the input.
		const isKeyToMatch = field.fieldId === list?.keyFieldId && isMatchable(field);
		const defaultMatch =
			isUpsert && isKeyToMatch && isWritten(field) && field.kind.name !== 'autoNumber';
		// What the service fills in is there to match on, for who looks for it.
		const isAside = !isWritten(field) && !saved.has(field.fieldId);
		return {
			id: key,
			displayName: `${labelOf(field, known)}${severalIn(field)}`,
			required,
			defaultMatch,
			canBeUsedToMatch: isMatchable(field),
			display: true,
			// The editor keeps it, and shows a notice by it.
			isTyped,
			...(isAside ? { removed: true } : {}),
			type: mapperType(field),
			...optionsOf(field, value),
			...defaultOf(field),
		};
	});
	// The editor may show the notice beside fields, too.
	const recordId = { ...recordIdField, ...(saved.has('_recordId') ? {} : { removed: true }) };
	if (fields.length > 0) return { fields: isUpsert ? [recordId, ...fields] : fields };
	return { fields, emptyFieldsNotice: subtableId === '' ? chooseSubtable : noFields };
}

/** The record's id, to match on. */
const recordIdField: MapperField = {
	...{ id: '_recordId', displayName: 'Record ID', type: 'string', display: true },
	...{ required: false, defaultMatch: false, canBeUsedToMatch: true },
};

/** Whether people write values into the field: files have a place of their own. */
function isWritten({ readOnly, hidden, kind }: KnownField): boolean {
	return !readOnly && !hidden && kind.name !== 'file';
}

function isMatchable({ hidden, kind }: KnownField): boolean {
	return !kind.isList && !hidden && kind.name !== 'file';
}

/** Returns what a workflow has saved of its mapper, by field id. A field keeps its key of then: n8n drops the values of keys that are not listed. */
function savedFields(mapper: unknown, fields: readonly Field[]) {
	const { value, matchingColumns } = isObject(mapper) ? mapper : {};
	const values = isObject(value) ? value : {};
	const matched: unknown[] = Array.isArray(matchingColumns) ? matchingColumns : [];
	const found = new Map<string, { key: string; value: unknown }>();
	for (const key of [...Object.keys(values), ...matched.map(String)]) {
		const fieldId = fieldIdOf(key, fields);
		if (!found.has(fieldId)) found.set(fieldId, { key, value: values[key] });
	}
	return found;
}

/** Returns the id of the field that a saved key stands for; the key where there is none, as for the record's id. */
function fieldIdOf(key: string, fields: readonly Field[]): string {
	try {
		return findField(fields, key, fields[0]?.subtableId).fieldId;
	} catch {
		return key;
	}
}

/** A text where the type is not known, and for multiple selections, of which n8n knows none but as JSON. */
function mapperType({ kind, choices }: KnownField): FieldType {
	return kind.mapper === 'string' && !kind.isList && choices ? 'options' : kind.mapper;
}

/** How several choices are written, for a label: a text beside it is all that n8n has for them. */
function severalIn({ kind, choices = [] }: KnownField): string {
	const [first = 'A', second = 'B'] = choices.filter((choice) => !choice.includes(','));
	return kind.isList ? ` (e.g. ${first}, ${second})` : '';
}

/** Returns the default of a checkbox that can be left unchanged. */
function defaultOf({ choices }: KnownField): Pick<MapperField, 'defaultValue'> {
	return choices?.includes(leaveUnchanged) ? { defaultValue: leaveUnchanged } : {};
}

/**
 * Returns the choices of a checkbox, or undefined for any other field. A change may leave it unchanged: n8n would show a
 * toggle as off although nothing is sent. A new record has no value to leave.
 */
function choicesOf({ kind }: KnownField, isNew: boolean): string[] | undefined {
	if (!kind.booleanWords) return undefined;
	const values = [kind.booleanWords.on, kind.booleanWords.off];
	return isNew ? values : [leaveUnchanged, ...values];
}

/** The choices, and what was chosen before: n8n takes a value that is none of them for a mistake. */
function optionsOf(
	{ kind, choices = [] }: KnownField,
	saved: unknown,
): Pick<MapperField, 'options'> {
	const { isList } = kind;
	if (choices.length === 0 && !isList) return {};
	const isChosen =
		typeof saved === 'boolean' || (typeof saved === 'string' && !/^(?:=|$)/.test(saved));
	const options = choices.map((choice) => ({ name: choice, value: choice }));
	if (!isChosen || isList || choices.some((choice) => choice === saved)) return { options };
	return { options: [...options, { name: String(saved), value: saved }] };
}

export const resourceMapping = {
	getRecordFields: fieldsOf(),
	getRowFields: fieldsOf(chosenSubtable),
};
