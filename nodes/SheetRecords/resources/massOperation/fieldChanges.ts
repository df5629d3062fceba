import type { FieldAssignment, FieldReplacement } from '../../../api/tasks/massOperations';
import { numberOrText } from '../../../api/read/record';
import { groupsValue, holdsGroups, readGroups, requireChangeable } from '../../../api/users';
import type { UserSheet } from '../../../api/users';
import { isDateLike, type Clock } from '../../../api/values/dates';
import { InputError } from '../../../api/values/inputError';
import { isBlank } from '../../../api/values/text';
import { fieldValue, parsedValue } from '../../../api/write/fieldValue';
import { deferred, entriesParameter } from '../../../ui/parameter';
import type { EntriesProperty, Parameter } from '../../../ui/parameter';
import { choosableValue, entryField, isPicked, locatorValue, pickList } from '../../../ui/pickList';
import { schemaOf } from '../../../ui/sheet';
import { writtenTimeZone } from '../../../ui/options';
import type { ItemContext } from '../../itemContext';
import { massOperation, userSheetOption } from './massOperation';

const assignments = changesParameter(
	{
		displayName: 'Assignments',
		name: 'assignments',
		required: true,
		typeOptions: { multipleValues: true },
		placeholder: 'Add Assignment',
		description: 'The fields to set in every selected record. An empty value empties the field.',
		entry: {
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
	},
	'Add a field and the value to set.',
	async (entry, { item, userSheet, clock }): Promise<FieldAssignment> => {
		const value = locatorValue(entry.value);
		const key = entryField(entry.field, 'Assignments');
		if (value === undefined) throw missingValue('assignment', key);
		const schema = schemaOf(item);
		// With its type: a value is wrong for many records at once.
		const found = isDateLike(value)
			? await schema.fieldFor(key, value)
			: await schema.field(key, true);
		requireChangeable(userSheet, found.fieldId);
		const field = numberOrText(found.fieldId);
		if (holdsGroups(userSheet, found.fieldId)) {
			return { field, value: groupsValue(userSheet, value) };
		}
		const meant = isPicked(entry.value) ? value : parsedValue(found, key, value);
		if (isBlank(meant) && !isBlank(value)) throw missingValue('assignment', key);
		return { field, value: fieldValue(found, key, meant ?? '', clock) };
	},
);

export const update = massOperation({
	value: 'update',
	name: 'Update',
	action: 'Update many records',
	description: 'Set fields of many records to the same values',
	what: { assignments },
	changesFields: true,
	operation: (what) => ({ type: 'massUpdate', body: { action: what.assignments } }),
});

const replacements = changesParameter(
	{
		displayName: 'Replacements',
		name: 'replacements',
		required: true,
		typeOptions: { multipleValues: true },
		placeholder: 'Add Replacement',
		description: 'What to search for in which fields, and what to put in its place',
		entry: {
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
	},
	'Add a field, what to search for, and what to put there.',
	async ({ field, valueReplaced, valueNew }, context): Promise<FieldReplacement> => {
		const { item, userSheet, clock } = context;
		const key = entryField(field, 'Replacements');
		if (isBlank(valueReplaced) || valueNew === undefined) throw missingValue('replacement', key);
		const found = await schemaOf(item).fieldFor(key, valueReplaced, valueNew);
		requireChangeable(userSheet, found.fieldId);
		if (holdsGroups(userSheet, found.fieldId)) readGroups(userSheet, valueNew);
		return {
			field: numberOrText(found.fieldId),
			valueReplaced: String(fieldValue(found, key, valueReplaced ?? '', clock)),
			valueNew: String(fieldValue(found, key, valueNew ?? '', clock)),
		};
	},
);

export const searchReplace = massOperation({
	value: 'searchReplace',
	name: 'Search and Replace',
	action: 'Search and replace in many records',
	description: 'Replace a value by another in fields of many records',
	what: { replacements },
	changesFields: true,
	operation: (what) => ({ type: 'massSearchReplace', body: { action: what.replacements } }),
});

interface ChangeContext {
	item: ItemContext;
	userSheet: UserSheet;
	clock: Clock;
}

/** One change of a field for each entry. Throws InputError with the advice when there is no entry. */
function changesParameter<Name extends string, Change>(
	property: EntriesProperty<Name>,
	advice: string,
	changeOf: (entry: Record<Name, unknown>, context: ChangeContext) => Promise<Change>,
): Parameter<Promise<Change[]>, ItemContext> {
	const entries = entriesParameter(property);
	return deferred(entries.properties, async (item: ItemContext) => {
		const userSheet = userSheetOption.parse(item) ?? 'none';
		const clock = item.clock(writtenTimeZone.parse(item));
		const changes: Change[] = [];
		for (const entry of entries.parse(item)) {
			changes.push(await changeOf(entry, { item, userSheet, clock }));
		}
		if (changes.length > 0) return changes;
		throw new InputError(`'${property.displayName}' is empty`, advice);
	});
}

/** What an expression does not find must not empty a field of many records, or be searched for. */
function missingValue(what: string, key: string): InputError {
	return new InputError(
		`The ${what} of '${key}' has no value, and nothing was done`,
		'Check its expressions. An empty text empties the field, or removes what was found; it cannot be searched for.',
	);
}
