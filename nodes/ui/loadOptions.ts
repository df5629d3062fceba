import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import type { FieldList, Subtable } from '../api/schema/fieldLists';
import type { Field } from '../api/schema/fields';
import { systemFields } from '../api/schema/fields';
import { ofChosenSheet, type ChosenSheet } from './pickListContext';

type Options = INodePropertyOptions[];

async function getFields(this: ILoadOptionsFunctions): Promise<Options> {
	return await ofChosenSheet(this, chooseSheet, fieldOptions);
}

/** The fields of the chosen sheet behind a choice of none. */
async function getOptionalFields(this: ILoadOptionsFunctions): Promise<Options> {
	const none = { name: '[None]', value: '' };
	return await ofChosenSheet(this, chooseSheet, async (chosen) => {
		const fields = await fieldOptions(chosen);
		return fields === noList ? fields : [none, ...fields];
	});
}

/** The fields of the chosen sheet, and those that every sheet has. */
async function getFilterFields(this: ILoadOptionsFunctions): Promise<Options> {
	return await ofChosenSheet(this, chooseSheet, async (chosen) => {
		const own = await fieldOptions(chosen);
		const isName = (id: string) => own.some(({ name }) => name === id);
		return [
			...own,
			// An id that is the name of a field stands for that field.
			...systemFields.map(({ fieldId, name }) => ({
				name: `${name} (System)`,
				value: isName(fieldId) ? name : fieldId,
			})),
		];
	});
}

async function getSubtables(this: ILoadOptionsFunctions): Promise<Options> {
	return await ofChosenSheet(this, chooseSheet, async ({ schema }) => {
		const list = await schema.list();
		if (!list) return noSubtableList;
		if (list.subtables.length === 0) return noSubtables;
		return list.subtables.map((subtable) => ({
			name: subtableLabel(subtable, list),
			value: subtable.subtableId,
		}));
	});
}

/** What a list says before a sheet is chosen. */
export const chooseSheet = note('Choose the Sheet First');

/** What it says when no source tells the fields. */
export const noList = note(
	'The Service Does Not List the Fields – Type a Field ID as an Expression',
);
const noSubtableList = note(
	'The Service Does Not List the Subtables – Type an ID as an Expression',
);

/** A source that learns from records does not see a subtable in which no record has rows. */
const noSubtables = note('No Subtable Is Known on This Sheet – Type Its ID as an Expression');

/** A list of one line that is no choice: its value is that of nothing chosen, which n8n does not mark as wrong. */
export function note(name: string): Options {
	return [{ name, value: '' }];
}

async function fieldOptions({ schema }: ChosenSheet): Promise<Options> {
	const list = await schema.list();
	if (!list) return noList;
	return list.fields
		.filter(({ subtableId }) => subtableId === undefined)
		.map((field, _, fields) => ({ name: labelOf(field, fields), value: field.fieldId }))
		.sort((left, right) => left.name.localeCompare(right.name));
}

/** How many fields are named of a subtable whose name is not known. */
const fieldsInLabel = 3;

/** The name, with the id behind it where another has the same; without a name, the fields by which people know it. */
function subtableLabel({ subtableId, name }: Subtable, { fields, subtables }: FieldList): string {
	const isOnly = subtables.filter((subtable) => subtable.name === name).length === 1;
	if (name) return isOnly ? name : `${name} (${subtableId})`;
	const own = fields.filter((field) => field.subtableId === subtableId).map((field) => field.name);
	const shown = own.slice(0, fieldsInLabel).join(', ');
	return `${shown}${own.length > fieldsInLabel ? ' …' : ''} (${subtableId})`.trim();
}

/** The name, with the id behind it where another field has the same name. */
export function labelOf({ fieldId, name }: Field, fields: readonly Field[]): string {
	return fields.filter((field) => field.name === name).length > 1 ? `${name} (${fieldId})` : name;
}

export const loadOptions = { getFields, getFilterFields, getOptionalFields, getSubtables };
