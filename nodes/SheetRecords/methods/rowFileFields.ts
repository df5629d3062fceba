import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import {
	chooseSheet,
	chosenSubtable,
	labelOf,
	noList,
	note,
	ofChosenSheet,
} from '../../ui/pickListMethods';
import { isFileType } from '../../api/values/fileNames';

/** The fields of the chosen subtable that may hold files. */
export async function getRowFileFields(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await ofChosenSheet(this, chooseSheet, async ({ schema }) => {
		const list = await schema.list();
		if (!list) return noList;
		const subtable = chosenSubtable(this, list);
		const found = list.fields.filter(
			({ subtableId, type }) => subtableId === subtable && (type === undefined || isFileType(type)),
		);
		if (found.length === 0) return noFileFields;
		return found.map((field) => ({ name: labelOf(field, found), value: field.fieldId }));
	});
}

const noFileFields = note('No File Field Is Known in This Subtable – Type Its ID as an Expression');
