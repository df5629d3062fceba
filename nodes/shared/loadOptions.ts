import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import type { Field } from '../wire/fields';
import { systemFields } from '../wire/systemFields';
import { chosenFields, forEditor } from './pickListContext';

/** The fields of the chosen sheet. */
async function getFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await forEditor(this, async () => (await sheetFieldOptions(this)) ?? [noList]);
}

/** The fields of the chosen sheet behind a choice of none, without which n8n marks an empty choice as wrong. */
async function getOptionalFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await forEditor(this, async () => {
		const fields = await sheetFieldOptions(this);
		return fields ? [noField, ...fields] : [noList];
	});
}

/** The fields of the chosen sheet, and those that every sheet has. */
async function getFilterFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await forEditor(this, async () => {
		const own = (await sheetFieldOptions(this)) ?? [noList];
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

/** The subtables of the chosen sheet. */
async function getSubtables(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await forEditor(this, async () => {
		const list = await chosenFields(this);
		if (!list) return [noSubtableList];
		if (list.subtables.length === 0) return [noSubtables];
		return list.subtables.map(({ subtableId, name }) => ({
			name: name ? `${name} (${subtableId})` : subtableId,
			value: subtableId,
		}));
	});
}

const noField: INodePropertyOptions = { name: '[None]', value: '' };

const noList: INodePropertyOptions = {
	name: 'The Service Does Not List the Fields – Type a Field ID as an Expression',
	value: '',
};

const noSubtableList: INodePropertyOptions = {
	name: 'The Service Does Not List the Subtables – Type an ID as an Expression',
	value: '',
};

/** A source that learns from records does not see a subtable in which no record has rows. */
const noSubtables: INodePropertyOptions = {
	name: 'No Subtable Is Known on This Sheet – Type Its ID as an Expression',
	value: '',
};

async function sheetFieldOptions(
	context: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[] | undefined> {
	const list = await chosenFields(context);
	return list?.fields
		.filter(({ subtableId }) => subtableId === undefined)
		.map((field, _, fields) => ({ name: labelOf(field, fields), value: field.fieldId }))
		.sort((left, right) => left.name.localeCompare(right.name));
}

/** The name, with the id behind it where another field has the same name. */
export function labelOf({ fieldId, name }: Field, fields: readonly Field[]): string {
	return fields.filter((field) => field.name === name).length > 1 ? `${name} (${fieldId})` : name;
}

export const loadOptions = { getFields, getFilterFields, getOptionalFields, getSubtables };
