import { isBlank } from '../../../api/values/text';
import { writtenTimeZone } from '../../../ui/options';
import { entriesParameter, Parameter } from '../../../ui/parameter';
import { entryField, pickList } from '../../../ui/pickList';
import { schemaOf } from '../../../ui/sheet';
import type { FieldReplacement } from '../../../api/tasks/massOperations';
import { fieldValue } from '../../../api/write/fieldValue';
import { numberOrText } from '../../../api/read/record';
import { InputError } from '../../../api/values/inputError';
import { holdsGroups, requireChangeable, readGroups } from '../../../api/users';
import { massOperation, userSheetOption } from './massOperation';
import type { ItemContext } from '../../itemContext';

const entries = entriesParameter({
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
});

const replacements: Parameter<Promise<FieldReplacement[]>, ItemContext> = {
	properties: entries.properties,
	deferred: true,
	parse: readReplacements,
};

export const searchReplace = massOperation({
	value: 'searchReplace',
	name: 'Search and Replace',
	action: 'Search and replace in many records',
	description: 'Replace a value by another in fields of many records',
	what: { replacements },
	changesFields: true,
	operation: (what) => ({ type: 'massSearchReplace', body: { action: what.replacements } }),
});

async function readReplacements(item: ItemContext): Promise<FieldReplacement[]> {
	const userSheet = userSheetOption.parse(item) ?? 'none';
	const clock = item.clock(writtenTimeZone.parse(item));
	const replacements: FieldReplacement[] = [];
	for (const { field, valueReplaced, valueNew } of entries.parse(item)) {
		const key = entryField(field, 'A replacement', 'Replacements');
		if (isBlank(valueReplaced) || valueNew === undefined) throw missingText(key);
		const found = await schemaOf(item).fieldFor(key, valueReplaced, valueNew);
		requireChangeable(userSheet, found.fieldId);
		if (holdsGroups(userSheet, found.fieldId)) readGroups(userSheet, valueNew);
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
