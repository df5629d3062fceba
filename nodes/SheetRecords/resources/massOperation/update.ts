import type { INodeProperties } from 'n8n-workflow';
import { sheetParameter } from '../../../shared/sheet';
import type { FieldAssignment } from '../../../service/massOperations';
import { fieldKey } from '../../../wire/fields';
import { fieldValue } from '../../../wire/recordInput';
import { numberOrText } from '../../../wire/record';
import { InputError } from '../../../wire/inputError';
import {
	administratorsGroup,
	groupNames,
	groupsFieldId,
	groupsValue,
	holdsGroups,
	requireChangeable,
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
		displayName: 'Assignments',
		name: 'assignments',
		type: 'fixedCollection',
		required: true,
		typeOptions: { multipleValues: true },
		placeholder: 'Add Assignment',
		default: {},
		description: 'The fields to set in every selected record. An empty value empties the field.',
		options: [
			{
				displayName: 'Assignment',
				name: 'assignment',
				values: [
					pickList('field', 'Field Name or ID', 'getFields'),
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						description:
							'The new value. An expression may yield a date, or an array for a multiple selection.',
					},
				],
			},
		],
	},
	waitParameter,
	fieldOperationOptions,
];

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update many records',
	description: 'Set fields of many records to the same values',
	parameters,
	begin: (items) =>
		massOperationRun(items, parameters, async (item, sheetFields, target) => {
			const action = await readAssignments(item, sheetFields);
			const takesGroup = () => action.some(takesAdministrators);
			const warning = await administratorWarning(item, target, takesGroup);
			return { operation: { type: 'massUpdate', body: { action } }, warning };
		}),
};

async function readAssignments(
	item: ItemParameters,
	sheetFields: SheetFields,
): Promise<FieldAssignment[]> {
	const userSheet = readUserSheet(item);
	const clock = item.clock(offsetHours(item.collection('options')));
	const assignments: FieldAssignment[] = [];
	for (const { field, value } of item.entries('assignments', 'assignment')) {
		const key = fieldKey(field);
		if (key === '') {
			throw new InputError(
				"An assignment in 'Assignments' has no field",
				'Choose its field, or remove the assignment.',
			);
		}
		if (value === undefined) throw missingValue(key);
		const found = await sheetFields.findFor(key, value);
		requireChangeable(userSheet, found.fieldId);
		const isGroups = holdsGroups(userSheet, found.fieldId);
		assignments.push({
			field: numberOrText(found.fieldId),
			value: isGroups ? groupsValue(userSheet, value) : fieldValue(found, key, value ?? '', clock),
		});
	}
	if (assignments.length > 0) return assignments;
	throw new InputError("'Assignments' is empty", 'Add a field and the value to set.');
}

/** To empty a field on many records must be meant. */
function missingValue(key: string): InputError {
	return new InputError(
		`The assignment of '${key}' has no value, and nothing was done`,
		'Check its expression. An empty text empties the field.',
	);
}

/** Whether the assignment would take the group of administrators from users who have it. */
function takesAdministrators({ field, value }: FieldAssignment): boolean {
	return String(field) === groupsFieldId && !groupNames(value).includes(administratorsGroup);
}
