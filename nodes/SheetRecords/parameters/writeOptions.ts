import type { INodeProperties } from 'n8n-workflow';
import {
	fieldNamesOption,
	namingOption,
	versionOption,
	writtenTimeZone,
} from '../../shared/parameters/options';
import {
	choiceOption,
	entriesParameter,
	flagOptions,
	optional,
	optionsCollection,
	type ChoiceProperty,
} from '../../shared/parameters/parameter';
import { pickList } from '../../shared/editor/pickList';
import { ignoreFields, subtableRows } from './input';

export const { checkLock, clearEmpty, dryRun, skipUnchanged } = flagOptions({
	checkLock: ['Check Lock', 'Whether to refuse the change when the record is locked'],
	clearEmpty: [
		'Clear Empty',
		'Whether to send empty values, which empty the fields of the record. Otherwise a field without a value stays as it is.',
	],
	dryRun: [
		'Dry Run',
		'Whether to write nothing and return what would be written: _action says what would happen to the record, and _changes holds its values before and after',
	],
	skipUnchanged: [
		'Skip Unchanged',
		'Whether to leave out writes that would change nothing: the item then says _action: unchanged, and no webhook, formula or workflow script runs for it. Records are read for that when the node begins.',
	],
});

const writeNothing = ['Stop With an Error', 'Write nothing of the item'] as const;

export const unknownFields = choiceOption({
	displayName: 'Unknown Fields',
	name: 'unknownFields',
	choices: {
		ignore: ['Ignore', 'Leave them out, and name them in a hint'],
		error: writeNothing,
	},
	default: 'error',
	description: 'What to do with names that the sheet does not have',
});

export const unknownChoices = choiceOption({
	displayName: 'Unknown Choices',
	name: 'unknownChoices',
	choices: {
		error: writeNothing,
		warn: ['Warn', 'Send them, and name the field in _warning'],
	},
	default: 'warn',
	description: 'What to do with values that are none of the choices of their field',
});

export const missingFile = choiceOption({
	displayName: 'Missing File',
	name: 'missingFile',
	choices: {
		skip: ['Skip', 'Write without that file, and say so in a hint'],
		error: ['Stop With an Error', 'Write nothing of the item'],
	},
	default: 'error',
	description: 'What to do with an item that has no file in the input data field that is named',
});

function entriesOf(description: string, fieldId: INodeProperties & { name: 'fieldId' }) {
	const files = entriesParameter({
		displayName: 'Files',
		name: 'files',
		typeOptions: { multipleValues: true },
		placeholder: 'Add File',
		description: `${description}. They are added to those that a field holds.`,
		entry: {
			displayName: 'File',
			name: 'file',
			values: [
				fieldId,
				{
					displayName: 'Input Data Field Name',
					name: 'inputDataFieldName',
					type: 'string',
					default: 'data',
					description:
						'The name of the input field that holds the file. Several names with commas between add several files.',
				},
			],
		},
	});
	return optional(files);
}

export const fileEntries = entriesOf(
	'Files for file and image fields',
	pickList(
		'fieldId',
		'Field Name or ID',
		'getFields',
		'A field of a subtable row is field_rowID: Photo_17, or Photo_-1 for the first of the new rows.',
	),
);

const rowField = {
	displayName: 'Field Name or ID',
	name: 'fieldId',
	type: 'string',
	default: '',
} as const;
export const rowFileEntries = entriesOf('Files for file and image fields of the row', rowField);

const filesMode = choiceOption({
	displayName: 'Files Mode',
	name: 'filesMode',
	choices: {
		add: ['Add', 'Keep the files that a field holds'],
		replace: ['Replace', 'Empty the field first, once in a run, in a request of its own'],
	},
	default: 'add',
	description: 'What becomes of files that the fields of new files hold already',
});

export const rowsMode = choiceOption({
	displayName: 'Rows Mode',
	name: 'rowsMode',
	choices: {
		append: ['Add', 'Add rows without _rowId as new ones'],
		upsert: 'Create or Update',
		replace: ['Replace', 'Keep the given rows and delete all others of their subtables'],
	},
	default: 'append',
	description:
		"What becomes of the rows of subtables that the item names. Create or Update changes those with the same values in 'Row Match Fields', and adds the others. An empty array with Replace empties a subtable. Records are read for that when the node begins.",
});

export const rowMatchFields = fieldNamesOption({
	displayName: 'Row Match Fields',
	name: 'rowMatchFields',
	placeholder: 'e.g. Article, 1000020',
	description:
		"Names or IDs of the fields by which given rows are found among those of the record, one a line or with commas between. For 'Rows Mode' Create or Update, and Replace.",
});

/** Side effects of a write on the service (specification, endpoint 6), by their names in `Writing`. */
const effects = {
	...flagOptions({
		doValidation: [
			'Validate',
			"Whether to run the fields' validation rules; a field that fails them rejects the record",
		],
		doFormula: [
			'Recalculate Formulas',
			"Whether to recalculate formulas first. The sheet's workflow scripts do not run then.",
		],
		doDefaultValue: ['Load Default Values', "Whether to load the fields' default values"],
		doWorkflow: [
			'Run Workflow Script',
			"Whether to run the sheet's workflow script that is tied to the call",
		],
		notification: [
			'Send Notifications',
			'Whether the service notifies the users concerned, as it does by default',
			false,
		],
	}),
	doLinkLoad: choiceOption({
		displayName: 'Link and Load',
		name: 'doLinkLoad',
		choices: {
			true: ['After Formulas', 'Recalculate formulas, then load'],
			first: ['Before Formulas', 'Load, then recalculate formulas'],
			false: 'Off',
		},
		default: 'true',
		description:
			"Whether and when to load values from linked sheets; loaded fields without a source are cleared. Formulas also need 'Recalculate Formulas'.",
	}),
	version: versionOption,
};

const onConflict = choiceOption({
	displayName: 'On Conflict',
	name: 'onConflict',
	choices: {
		overwrite: 'Overwrite',
		error: [
			'Stop With an Error',
			'Items need _update_date, which comes with Include Record Information',
		],
	},
	default: 'overwrite',
	description: 'What to do when a record was changed after its item was read',
});

export function multipleMatches<Choice extends string>(
	choices: ChoiceProperty<Choice | 'error'>['choices'],
) {
	return choiceOption<Choice | 'error'>({
		displayName: 'On Multiple Matches',
		name: 'onMultipleMatches',
		choices,
		default: 'error',
		description: 'What to do when more than one record matches an item',
	});
}

const matching = {
	upsertMode: choiceOption({
		displayName: 'Upsert Mode',
		name: 'upsertMode',
		choices: {
			createOnly: ['Create Only', 'Pass over items for which there is a record'],
			createOrUpdate: 'Create or Update',
			updateOnly: ['Update Only', 'Pass over items for which there is no record'],
		},
		default: 'createOrUpdate',
		description: 'What to write. The item of what is passed over says _action: skipped.',
	}),
	onMultipleMatches: multipleMatches({
		error: 'Stop With an Error',
		updateAll: 'Update All',
		updateFirst: 'Update the First',
	}),
};

const uploading = { missingFile, naming: namingOption, timeZone: writtenTimeZone, ...effects };
const writing = { ...uploading, clearEmpty, ignoreFields, unknownChoices, unknownFields };
const creating = { ...writing, dryRun, files: fileEntries, subtables: subtableRows };
/** Options about the existing values, files and rows of a record. */
const changing = { checkLock, filesMode, onConflict, rowMatchFields, rowsMode, skipUnchanged };
const updating = { ...creating, ...changing };

/** Options of a write. An option is sent only if the user added it, so that otherwise the default of the service applies. */
export const createOptions = optionsCollection(creating);
export const updateOptions = optionsCollection(updating);
export const upsertOptions = optionsCollection({ ...updating, ...matching });
export const rowOptions = optionsCollection({ ...writing, checkLock, files: rowFileEntries });
export const rowDeletionOptions = optionsCollection({
	timeZone: writtenTimeZone,
	checkLock,
	...effects,
});
export const uploadOptions = optionsCollection({ ...uploading, checkLock });
