import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { chosenFields, forEditor } from '../../shared/pickListContext';
import { isFileType } from '../../wire/fileValues';
import { labelOf } from '../../shared/loadOptions';

/** The fields of the chosen subtable that may hold files. */
export async function getRowFileFields(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await forEditor(this, async () => {
		const list = await chosenFields(this);
		const subtable = String(this.getCurrentNodeParameter('subtableId') ?? '');
		const found = (list?.fields ?? []).filter(
			({ subtableId, type }) => subtableId === subtable && (type === undefined || isFileType(type)),
		);
		if (found.length === 0) return [{ name: list ? noFileFields : noList, value: '' }];
		return found.map((field) => ({ name: labelOf(field, found), value: field.fieldId }));
	});
}

const noFileFields = 'No File Field Is Known in This Subtable – Type Its ID as an Expression';

const noList = 'The Service Does Not List the Fields – Type a Field ID as an Expression';
