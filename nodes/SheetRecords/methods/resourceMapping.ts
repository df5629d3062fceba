import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { FieldType, ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { fallbackTo } from '../../api/http/serviceError';
import { isObject } from '../../api/json/objects';
import { FieldIndex, scopeOf, type FieldScope } from '../../api/sheet/fieldIndex';
import { keyWithId, type Field } from '../../api/sheet/fields';
import type { ObservedValues } from '../../api/sheet/sources/inference';
import type { SheetFields } from '../../api/sheet/sheetFields';
import { wordsAmong } from '../../api/sheet/kinds/checkbox';
import { kindOf } from '../../api/sheet/kinds/valueKinds';
import type { ValueKind } from '../../api/sheet/kinds/valueKind';
import { encodeHtml } from '../../api/values/htmlEntities';
import { asSentence } from '../../api/values/text';
import {
	chosenSubtable,
	labelOf,
	ofChosenSheet,
	valueInUse,
} from '../../shared/editor/pickListMethods';
import type { ChosenSheet } from '../../shared/editor/pickListMethods';
import { leaveUnchanged } from '../parameters/input';

type MapperField = ResourceMapperFields['fields'][number];

/** A field with the kind of its values and its choices. Both may be those of the newest records. */
type KnownField = Field & { kind: ValueKind; areChoicesInUse: boolean };

const sheetMissing: ResourceMapperFields = {
	fields: [],
	emptyFieldsNotice:
		'Choose the sheet first. Then its fields appear here. If it is an expression, run the nodes before.',
};
const subtableMissing = 'Choose the subtable first. Then its fields appear here.';
const noFields =
	"The service returns no field that can be written here. If the credential's user may write to the sheet, set Input to JSON and use field IDs.";

/** Returns an editor method that lists the fields to map: those of the selected sheet, or of a subtable. */
function fieldsOf(subtableOf?: typeof chosenSubtable) {
	return async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const listing = ofChosenSheet(this, sheetMissing, async (chosen) => {
			return await mapperFields(this, chosen, subtableOf);
		});
		return await listing.catch((error: unknown) => explained(this, error));
	};
}

/**
 * Returns a failure in place of the fields. Throws it if the mapper already has fields, because the editor would drop them. n8n
 * shows nothing of a thrown error: the mapper would be empty without a reason.
 */
function explained(context: ILoadOptionsFunctions, error: unknown): ResourceMapperFields {
	const mapper: unknown = context.getCurrentNodeParameter('fields');
	const stored = isObject(mapper) ? mapper.schema : undefined;
	const hasFields = Array.isArray(stored) && stored.length > 0;
	const isShown = error instanceof NodeApiError || error instanceof NodeOperationError;
	if (!isShown || hasFields) throw error;
	const text = [asSentence(error.message), error.description].filter(Boolean).join(' ');
	return { fields: [], emptyFieldsNotice: encodeHtml(text) };
}

async function mapperFields(
	context: ILoadOptionsFunctions,
	{ sheetFields }: ChosenSheet,
	subtableOf?: typeof chosenSubtable,
): Promise<ResourceMapperFields> {
	// Load the fields again, so that opening the panel or Refresh shows new fields.
	sheetFields.forgetListsAndRefusals();
	const index = await sheetFields.load({ readNames: true });
	// No field belongs to a subtable without an ID.
	const subtableId = subtableOf && ((await subtableOf(context, sheetFields)) ?? '');
	const scope = scopeOf(subtableId);
	const listed = index.fieldsOf(scope);
	const known = await withKinds(sheetFields, listed);
	const words = await checkboxWordsOf(sheetFields, known);
	// The editor stores this property of the entries. A notice depends on that of the first one.
	const isTyped = listed.some(({ type }) => type !== undefined);
	const saved = savedFields(context.getCurrentNodeParameter('fields'), index, scope);
	const operation = context.getCurrentNodeParameter('operation');
	const isUpsert = operation === 'upsert';
	const offered = known.filter(
		(field) => isWritten(field) || saved.has(field.fieldId) || (isUpsert && isMatchable(field)),
	);
	// Required fields must have a value only in new records and rows. Updates leave out unchanged fields.
	const isNew = operation === 'create' || operation === 'add';
	const fields = offered.map((listedField): MapperField & { isTyped: boolean } => {
		const required = isNew && listedField.required === true;
		const choices = checkboxChoices(listedField, words, isNew) ?? listedField.choices;
		const field = { ...listedField, choices };
		const { key = keyWithId(field, known), value } = saved.get(field.fieldId) ?? {};
		const isKeyToMatch = field.fieldId === index.keyFieldId && isMatchable(field);
		// The service fills in an automatic number, so the input does not contain it.
		const isInInput = isWritten(field) && !field.kind.is('autoNumber');
		const defaultMatch = isUpsert && isKeyToMatch && isInInput;
		// A field that the service fills in can only be a match field, so it is offered but not shown at first.
		const isRemoved = !isWritten(field) && !saved.has(field.fieldId);
		return {
			id: key,
			displayName: `${labelOf(field, known)}${listExample(field)}`,
			required,
			defaultMatch,
			canBeUsedToMatch: isMatchable(field),
			display: true,
			isTyped,
			// If it were missing, the editor would add it after an execution. The step would count as changed, and run again with the next step.
			removed: isRemoved,
			type: mapperType(field),
			...optionsOf(field, value),
			...defaultOf(field),
		};
	});
	// The notice is left out if there are fields, because the editor may show both.
	const recordId = { ...recordIdEntry, isTyped, removed: !saved.has('_recordId') };
	if (fields.length > 0) return { fields: isUpsert ? [recordId, ...fields] : fields };
	return { fields, emptyFieldsNotice: subtableId === '' ? subtableMissing : noFields };
}

/** Returns the fields with their kinds. Uses the kinds and choices that records suggest for fields without a type or choices. */
async function withKinds(
	sheetFields: SheetFields,
	fields: readonly Field[],
): Promise<KnownField[]> {
	const needsValues = (field: Field) =>
		field.type === undefined || (!field.choices && kindOf(field).isSelection);
	// The fields can also be mapped if the records cannot be read.
	const withoutRecords = fallbackTo(new Map<string, ObservedValues>());
	const observed = await sheetFields
		.observedValues(fields.filter(needsValues))
		.catch(withoutRecords);
	return fields.map((field): KnownField => {
		const values = observed.get(field.fieldId);
		const kind = field.type === undefined ? (values?.kind ?? kindOf(field)) : kindOf(field);
		const areChoicesInUse = !field.choices && kind.isSelection;
		const choices = areChoicesInUse ? values?.choices : field.choices;
		return { ...field, kind, choices, areChoicesInUse };
	});
}

/** Entry for the record ID. It can only be a match field. */
const recordIdEntry: MapperField = {
	id: '_recordId',
	displayName: 'Record ID',
	type: 'string',
	display: true,
	required: false,
	defaultMatch: false,
	canBeUsedToMatch: true,
};

/** Returns whether values can be entered for the field, also for an automatic number. Files are written by the option 'Files'. */
function isWritten({ readOnly, hidden, kind }: KnownField): boolean {
	return !readOnly && !hidden && !kind.is('file');
}

/** Returns whether the field can be a match field: it is not hidden, not a file and not a multiple selection. */
function isMatchable({ hidden, kind }: KnownField): boolean {
	return !kind.isList && !hidden && !kind.is('file');
}

/**
 * Returns the key and the value of each field that a saved workflow uses in the mapper, by field ID. A match field may have no
 * value. n8n drops the values of keys that are not listed, so the fields must keep these keys.
 */
function savedFields(mapper: unknown, index: FieldIndex, scope: FieldScope) {
	const { value, matchingColumns } = isObject(mapper) ? mapper : {};
	const values = isObject(value) ? value : {};
	const matched: unknown[] = Array.isArray(matchingColumns) ? matchingColumns : [];
	const found = new Map<string, { key: string; value: unknown }>();
	for (const key of [...Object.keys(values), ...matched.map(String)]) {
		const result = index.resolve(key, scope);
		// A key that stands for no field stays unchanged, for example `_recordId`.
		const fieldId = result.kind === 'found' ? result.field.fieldId : key;
		if (!found.has(fieldId)) found.set(fieldId, { key, value: values[key] });
	}
	return found;
}

/**
 * Returns the type of a field in the mapper. It is a text for unknown types and for multiple selections, for which n8n only
 * has a JSON editor.
 */
function mapperType({ kind, choices }: KnownField): FieldType {
	return kind.mapper === 'string' && !kind.isList && choices ? 'options' : kind.mapper;
}

/** Returns an example of several choices for the label of a multiple selection, which is entered as text. */
function listExample({ kind, choices = [] }: KnownField): string {
	const [first = 'A', second = 'B'] = choices.filter((choice) => !choice.includes(','));
	return kind.isList ? ` (e.g. ${first}, ${second})` : '';
}

/** Returns the default of a checkbox that can be left unchanged. */
function defaultOf({ choices }: KnownField): Pick<MapperField, 'defaultValue'> {
	return choices?.includes(leaveUnchanged) ? { defaultValue: leaveUnchanged } : {};
}

/** Returns the words of checkboxes in the newest records, by field ID. The fields can also be mapped if the records cannot be read. */
async function checkboxWordsOf(
	sheetFields: SheetFields,
	fields: readonly KnownField[],
): Promise<FieldIndex['choices']> {
	const checkboxes = fields.filter(({ kind }) => kind.is('checkbox'));
	if (checkboxes.length === 0) return new Map();
	const choicesOf = checkboxes.map(({ fieldId }) => fieldId);
	const withoutRecords = fallbackTo(new FieldIndex({}));
	return (await sheetFields.load({ choicesOf }).catch(withoutRecords)).choices;
}

/**
 * Returns the choices of a checkbox, in the words of the account; undefined for other fields. A switch is not possible, because it
 * would look on or off when nothing is sent. A new record has no value to leave unchanged.
 */
function checkboxChoices(
	{ kind, fieldId }: KnownField,
	words: FieldIndex['choices'],
	isNew: boolean,
): string[] | undefined {
	if (!kind.booleanWords) return undefined;
	const { on, off } = wordsAmong(words.get(fieldId) ?? []);
	const values = [on, off];
	return isNew ? values : [leaveUnchanged, ...values];
}

/**
 * Returns the choices and, of a single selection, the saved value, which n8n would mark as wrong if it were not among them. A
 * multiple selection without known choices has an empty list, by which `mappedValues` recognizes it.
 */
function optionsOf(
	{ kind, choices = [], areChoicesInUse }: KnownField,
	saved: unknown,
): Pick<MapperField, 'options'> {
	const { isList } = kind;
	if (choices.length === 0 && !isList) return {};
	const isChosen =
		typeof saved === 'boolean' || (typeof saved === 'string' && !/^(?:=|$)/.test(saved));
	const mark = areChoicesInUse ? { description: valueInUse } : {};
	const options = choices.map((choice) => ({ name: choice, value: choice, ...mark }));
	if (!isChosen || isList || choices.some((choice) => choice === saved)) return { options };
	return { options: [...options, { name: String(saved), value: saved }] };
}

export const resourceMapping = {
	getRecordFields: fieldsOf(),
	getRowFields: fieldsOf(chosenSubtable),
};
