import type { INodeProperties } from 'n8n-workflow';
import { sheetParameter } from '../../../editor/sheet';
import type { FieldReplacement } from '../../../service/massOperations';
import { fieldValue } from '../../../wire/recordInput';
import { inputError } from '../../../wire/serviceError';
import { textOf } from '../../../wire/text';
import { requireChangeable } from '../../../wire/userSheet';
import type { ItemParameters } from '../../itemParameters';
import type { Operation } from '../../operation';
import { fieldOperationOptions, readUserSheet } from '../../parameters/massOperation';
import { selectionParameters } from '../../parameters/selection';
import { waitParameter } from '../../parameters/taskWaiting';
import { offsetHours } from '../../parameters/writeOptions';
import type { SheetFields } from '../../sheetFields';
import { massOperationRun } from './massOperationRun';

const parameters: INodeProperties[] = [
	sheetParameter,
	...selectionParameters,
	{
		displayName: 'Replacements',
		name: 'replacements',
		type: 'fixedCollection',
		required: true,
		typeOptions: { multipleValues: true },
		placeholder: 'Add Replacement',
		default: {},
		description: 'What to search for in which fields, and what to put in its place',
		options: [
			{
				displayName: 'Replacement',
				name: 'replacement',
				values: [
					{
						displayName: 'Field Name or ID',
						name: 'field',
						type: 'options',
						typeOptions: {
							loadOptionsMethod: 'getFields',
							loadOptionsDependsOn: ['sheet.value', 'authentication'],
						},
						default: '',
						description:
							'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
					},
					{
						displayName: 'Search For',
						name: 'valueReplaced',
						type: 'string',
						default: '',
						description: 'The old value',
					},
					{
						displayName: 'Replace With',
						name: 'valueNew',
						type: 'string',
						default: '',
						description: 'The new value',
					},
				],
			},
		],
	},
	waitParameter,
	fieldOperationOptions,
];

export const searchReplace: Operation = {
	value: 'searchReplace',
	name: 'Search and Replace',
	action: 'Search and replace in many records',
	description: 'Replace a value by another in fields of many records',
	parameters,
	begin: (items) =>
		massOperationRun(items, parameters, async (item, sheetFields) => {
			const action = await readReplacements(item, sheetFields);
			return { operation: { type: 'massSearchReplace', body: { action } } };
		}),
};

async function readReplacements(
	item: ItemParameters,
	sheetFields: SheetFields,
): Promise<FieldReplacement[]> {
	const userSheet = readUserSheet(item);
	const clock = item.clock(offsetHours(item.collection('options')));
	const replacements: FieldReplacement[] = [];
	for (const { field, valueReplaced, valueNew } of item.entries('replacements', 'replacement')) {
		const key = textOf(field);
		if (key === '') throw inputError("A replacement in 'Replacements' has no field");
		const found = await sheetFields.findToWrite(key, valueReplaced, valueNew);
		requireChangeable(userSheet, found.fieldId);
		replacements.push({
			field: Number(found.fieldId),
			valueReplaced: String(fieldValue(found, key, valueReplaced ?? '', clock)),
			valueNew: String(fieldValue(found, key, valueNew ?? '', clock)),
		});
	}
	if (replacements.length > 0) return replacements;
	throw inputError(
		"'Replacements' is empty",
		'Add a field, what to search for, and what to put there.',
	);
}
