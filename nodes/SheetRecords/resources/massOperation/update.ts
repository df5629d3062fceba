import { isBlank } from '../../../api/values/text';
import { writtenTimeZone } from '../../../ui/options';
import { entriesParameter, locatorValue, Parameter } from '../../../ui/parameter';
import { choosableValue, entryField, isPicked, pickList } from '../../../ui/pickList';
import { schemaOf } from '../../../ui/sheet';
import type { FieldAssignment } from '../../../api/tasks/massOperations';
import { isDateLike, type Clock } from '../../../api/values/dates';
import type { Field } from '../../../api/schema/fields';
import { fieldValue, givenValue } from '../../../api/write/fieldValue';
import { numberOrText } from '../../../api/read/record';
import type { FieldValue } from '../../../api/write/recordContent';
import { InputError } from '../../../api/values/inputError';
import { groupsValue, holdsGroups, requireChangeable } from '../../../api/users';
import { massOperation, userSheetOption } from './massOperation';
import type { ItemContext } from '../../itemContext';

const entries = entriesParameter({
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
				choosableValue({
					displayName: 'Value',
					name: 'value',
					description:
						'The new value. An expression may yield a date, or an array for a multiple selection.',
				}),
			],
		},
	],
});

const assignments: Parameter<Promise<FieldAssignment[]>, ItemContext> = {
	properties: entries.properties,
	deferred: true,
	parse: readAssignments,
};

export const update = massOperation({
	value: 'update',
	name: 'Update',
	action: 'Update many records',
	description: 'Set fields of many records to the same values',
	what: { assignments },
	changesFields: true,
	operation: (what) => ({ type: 'massUpdate', body: { action: what.assignments } }),
});

async function readAssignments(item: ItemContext): Promise<FieldAssignment[]> {
	const userSheet = userSheetOption.parse(item) ?? 'none';
	const clock = item.clock(writtenTimeZone.parse(item));
	const assignments: FieldAssignment[] = [];
	for (const { field, value: given } of entries.parse(item)) {
		const value = locatorValue(given);
		const key = entryField(field, 'An assignment', 'Assignments');
		if (value === undefined) throw missingValue(key);
		const found = await fieldFor(item, key, value);
		requireChangeable(userSheet, found.fieldId);
		const isGroups = holdsGroups(userSheet, found.fieldId);
		assignments.push({
			field: numberOrText(found.fieldId),
			value: isGroups ? groupsValue(userSheet, value) : writtenValue(found, key, given, clock),
		});
	}
	if (assignments.length > 0) return assignments;
	throw new InputError("'Assignments' is empty", 'Add a field and the value to set.');
}

/** The field with its type, as far as it is told: a value is wrong for many records at once. */
async function fieldFor(item: ItemContext, key: string, value: unknown): Promise<Field> {
	const fields = schemaOf(item);
	return isDateLike(value) ? await fields.fieldFor(key, value) : await fields.field(key, true);
}

function writtenValue(field: Field, key: string, given: unknown, clock: Clock): FieldValue {
	const value = locatorValue(given);
	const meant = givenValue(field, key, value, !isPicked(given));
	if (isBlank(meant) && !isBlank(value)) throw missingValue(key);
	return fieldValue(field, key, meant ?? '', clock);
}

/** To empty a field on many records must be meant. */
function missingValue(key: string): InputError {
	return new InputError(
		`The assignment of '${key}' has no value, and nothing was done`,
		'Check its expression. An empty text empties the field.',
	);
}
