import type {
	FieldType,
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { chosenSubtable, labelOf, ofChosenSheet, type ChosenSheet } from '../../ui/pickListMethods';
import type { FieldList } from '../../api/schema/fieldLists';
import { keyWithId, type Field } from '../../api/schema/fields';
import {
	dateForm,
	holdsFiles,
	isFilledIn,
	isSelection,
	valueKind,
} from '../../api/schema/fieldTypes';
import { fallbackTo } from '../../api/http/serviceError';
import { SavedMapping } from './savedMapping';

/** The fields of the chosen sheet for the mapper: those that people write values into. */
async function getRecordFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return await ofChosenSheet(this, chooseSheet, async (chosen) => await mapperFields(this, chosen));
}

async function getRowFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return await ofChosenSheet(this, chooseSheet, async (chosen) => {
		const list = await chosen.schema.list();
		return await mapperFields(this, chosen, chosenSubtable(this, list));
	});
}

const chooseSheet: ResourceMapperFields = {
	fields: [],
	emptyFieldsNotice: 'Choose the sheet first; its fields appear here.',
};

async function mapperFields(
	context: ILoadOptionsFunctions,
	{ schema }: ChosenSheet,
	subtableId?: string,
): Promise<ResourceMapperFields> {
	const list = await schema.list();
	const known = (list?.fields ?? []).filter((field) => field.subtableId === subtableId);
	const saved = new SavedMapping(context.getCurrentNodeParameter('fields'), known);
	const offered = known.filter((field) => isOffered(field) || saved.maps(field));
	const withoutChoices = offered.filter((field) => isSelection(field) && !field.choices);
	// Without choices the fields can be mapped as well.
	const none = fallbackTo(new Map<string, string[]>());
	const inUse = await schema.choices(withoutChoices).catch(none);
	const operation = context.getCurrentNodeParameter('operation');
	const fields = offered.map((field) => {
		const whole = { choices: inUse.get(field.fieldId), ...field };
		return mapperField(whole, { known, saved, operation, keyFieldId: list?.keyFieldId });
	});
	// The editor may show the notice beside fields, too.
	if (fields.length > 0) return { fields };
	return { fields, emptyFieldsNotice: list ? noSuchFields(subtableId) : noFields };
}

/** Whether people write values into the field: files have a place of their own. */
function isOffered(field: Field): boolean {
	const isNamed = field.name !== field.fieldId;
	return isNamed && !field.readOnly && !field.hidden && !holdsFiles(field);
}

/** Shown when the list holds no field that can be written. */
function noSuchFields(subtableId: string | undefined): string {
	if (subtableId === undefined) return 'This sheet has no field that can be written.';
	return subtableId === ''
		? 'Choose the subtable first; its fields appear here.'
		: `No field of subtable ${subtableId} is known. Choose JSON as the input and use field IDs.`;
}

const noFields =
	"The service does not tell this sheet's fields to this user. Choose JSON as the input and use field IDs.";

interface Surroundings {
	/** All fields of the sheet, or of the subtable. */
	known: readonly Field[];
	saved: SavedMapping;
	operation: unknown;
	keyFieldId: FieldList['keyFieldId'];
}

/** A change leaves out what it does not change: only a new record or row needs its required fields. */
function mapperField(
	field: Field,
	{ known, saved, operation, keyFieldId }: Surroundings,
): ResourceMapperField {
	const isNew = operation === 'create' || operation === 'add';
	const type = mapperType(field, saved.valueOf(field));
	const canBeUsedToMatch =
		valueKind(field.type) !== 'list' && !isFilledIn(field) && !holdsFiles(field);
	return {
		id: saved.keyOf(field) ?? keyWithId(field, known),
		displayName: labelOf(field, known),
		required: isNew && field.required === true,
		defaultMatch: operation === 'upsert' && canBeUsedToMatch && field.fieldId === keyFieldId,
		canBeUsedToMatch,
		display: true,
		type,
		...optionsOf(field, saved),
		// A switch that nobody touched must not turn anything off where all fields are shown.
		...(type === 'boolean' && operation !== 'update' ? { defaultValue: null } : {}),
	};
}

/**
 * Texts where the type is not known: the mapper must not turn what it does not understand into something
 * else. So are multiple selections, of which n8n knows none but as JSON.
 */
function mapperType({ type, choices }: Field, saved: unknown): FieldType {
	if (dateForm(type)) return 'dateTime';
	const kind = valueKind(type);
	// A saved text that n8n takes for no number or no switch, such as Yes, stays a text.
	const isText = typeof saved === 'string' && !/^(?:=.*|true|false|0|1)$/is.test(saved);
	if (kind === 'number') return isText && !Number.isFinite(Number(saved)) ? 'string' : 'number';
	if (kind === 'switch') return isText ? 'string' : 'boolean';
	return kind !== 'list' && choices && isSelection({ type }) ? 'options' : 'string';
}

/** The choices, and what was chosen before: n8n takes a value that is none of them for a mistake. */
function optionsOf(field: Field, saved: SavedMapping): Pick<ResourceMapperField, 'options'> {
	if (!isSelection(field)) return {};
	const { choices = [] } = field;
	if (valueKind(field.type) === 'list') return { options: choices.map(optionOf) };
	const value = saved.valueOf(field);
	const isOther = typeof value === 'string' && value !== '' && !choices.includes(value);
	const all = isOther && !value.startsWith('=') ? [...choices, value] : choices;
	return choices.length > 0 ? { options: all.map(optionOf) } : {};
}

function optionOf(choice: string): { name: string; value: string } {
	return { name: choice, value: choice };
}

export const resourceMapping = { getRecordFields, getRowFields };
