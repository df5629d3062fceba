import type { INodeProperties } from 'n8n-workflow';
import { sheetParameter } from '../../../shared/sheet';
import type { FieldReplacement } from '../../../service/massOperations';
import { fieldKey } from '../../../wire/fields';
import { fieldValue, isBlank } from '../../../wire/recordInput';
import { numberOrText } from '../../../wire/record';
import { InputError } from '../../../wire/inputError';
import {
	administratorsGroup,
	groupNames,
	groupsFieldId,
	holdsGroups,
	requireChangeable,
	requireGroups,
} from '../../../wire/userSheet';
import type { ItemParameters } from '../../itemParameters';
import type { Operation } from '../../operation';
import { fieldOperationOptions, readUserSheet } from '../../parameters/massOperation';
import { selectionParameters } from '../../parameters/selection';
import { waitParameter } from '../../parameters/taskWaiting';
import { offsetHours } from '../../parameters/timeZone';
import type { SheetFields } from '../../sheetFields';
import { administratorWarning } from './administratorWarning';
import { massOperationRun } from './massOperationRun';
import { pickList } from '../../parameters/pickList';

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
					pickList('field', 'Field Name or ID', 'getFields'),
					{
						displayName: 'Search For',
						name: 'valueReplaced',
						type: 'string',
						default: '',
						description: 'The text to look for. It must not be empty.',
					},
					{
						displayName: 'Replace With',
						name: 'valueNew',
						type: 'string',
						default: '',
						description:
							'The text to put in its place. Leave it empty to remove the text that was found.',
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
		massOperationRun(items, parameters, async (item, sheetFields, target) => {
			const action = await readReplacements(item, sheetFields);
			const takesGroup = () => action.some(takesAdministrators);
			const warning = await administratorWarning(item, target, takesGroup);
			return { operation: { type: 'massSearchReplace', body: { action } }, warning };
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
		const key = fieldKey(field);
		if (key === '') {
			throw new InputError(
				"A replacement in 'Replacements' has no field",
				'Choose its field, or remove the replacement.',
			);
		}
		if (isBlank(valueReplaced) || valueNew === undefined) throw missingText(key);
		const found = await sheetFields.findFor(key, valueReplaced, valueNew);
		requireChangeable(userSheet, found.fieldId);
		if (holdsGroups(userSheet, found.fieldId)) requireGroups(userSheet, groupNames(valueNew));
		replacements.push({
			field: numberOrText(found.fieldId),
			valueReplaced: String(fieldValue(found, key, valueReplaced ?? '', clock)),
			valueNew: String(fieldValue(found, key, valueNew ?? '', clock)),
		});
	}
	if (replacements.length > 0) return replacements;
	throw new InputError(
		"'Replacements' is empty",
		'Add a field, what to search for, and what to put there.',
	);
}

/** Searching for nothing, or putting nothing known in its place, on many records must not happen by mistake. */
function missingText(key: string): InputError {
	return new InputError(
		`The replacement in '${key}' does not say what to search for or what to put there, and nothing was done`,
		'Check its expressions.',
	);
}

/** Whether the replacement would take the group of administrators from users who have it. */
function takesAdministrators({ field, valueReplaced, valueNew }: FieldReplacement): boolean {
	if (String(field) !== groupsFieldId) return false;
	return administratorsGroup.split(valueReplaced).join(valueNew) !== administratorsGroup;
}
