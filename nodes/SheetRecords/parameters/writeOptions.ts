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

export const { checkLock, clearEmpty, copyFiles, dryRun, skipUnchanged } = flagOptions({
	checkLock: {
		label: 'Check Lock',
		description: 'Whether to reject the change if the record is locked',
	},
	clearEmpty: {
		label: 'Clear Empty',
		description: 'Whether to clear fields whose value is empty. If off, they are left unchanged.',
	},
	copyFiles: {
		label: 'Copy Files',
		description: 'Whether to also copy the files of the record and of its rows',
	},
	dryRun: {
		label: 'Dry Run',
		description:
			'Whether to write nothing and return what would be written. _action is what would happen to the record, and _changes contains its values before and after.',
	},
	skipUnchanged: {
		label: 'Skip Unchanged',
		description:
			"Whether to skip records that already have these values. They are returned with _action 'unchanged', and no webhook, formula or workflow script runs for them. The node reads the records first.",
	},
});

const stopChoice = ['Stop With an Error', 'Write nothing of the item'] as const;

export const unknownFields = choiceOption({
	displayName: 'Unknown Fields',
	name: 'unknownFields',
	choices: {
		ignore: ['Ignore', 'Skip these fields and list them in a hint'],
		error: stopChoice,
	},
	default: 'error',
	description: 'What to do with names that are not fields of the sheet',
});

export const unknownChoices = choiceOption({
	displayName: 'Unknown Choices',
	name: 'unknownChoices',
	choices: {
		error: stopChoice,
		warn: ['Warn', 'Write the values and list the fields in _warning'],
	},
	default: 'warn',
	description: 'What to do with values that are not among the choices of a selection field',
});

export const missingFile = choiceOption({
	displayName: 'Missing File',
	name: 'missingFile',
	choices: {
		skip: ['Skip', 'Write the item without the file and show a hint'],
		error: ['Stop With an Error', 'Write nothing of the item'],
	},
	default: 'error',
	description: 'What to do if an item has no file in the given input field',
});

function fileEntriesOption(description: string, fieldId: INodeProperties & { name: 'fieldId' }) {
	const files = entriesParameter({
		displayName: 'Files',
		name: 'files',
		typeOptions: { multipleValues: true },
		placeholder: 'Add File',
		description: `${description}. They are added to the files in the field, unless 'Files Mode' is Replace.`,
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
						'Name of the input field that contains the file. To add several files, enter comma-separated names.',
				},
			],
		},
	});
	return optional(files);
}

export const fileEntries = fileEntriesOption(
	'Files to write to file and image fields',
	pickList(
		'fieldId',
		'Field Name or ID',
		'getFields',
		'For a field of a subtable row, enter field_rowID: Photo_17, or Photo_-1 for the first new row.',
	),
);

const rowField = {
	displayName: 'Field Name or ID',
	name: 'fieldId',
	type: 'string',
	default: '',
	description: 'File or image field of the row',
} as const;
export const rowFileEntries = fileEntriesOption(
	'Files to write to file and image fields of the row',
	rowField,
);

/** Choices for the files that a field already has. */
export const fileModes = {
	choices: {
		add: ['Add', 'Keep existing files'],
		replace: [
			'Replace',
			'Remove existing files first. Files from all items replace them together.',
		],
	},
	default: 'add',
	description: 'What to do with files already in the field',
} as const;

const filesMode = choiceOption({ displayName: 'Files Mode', name: 'filesMode', ...fileModes });

export const rowsMode = choiceOption({
	displayName: 'Rows Mode',
	name: 'rowsMode',
	choices: {
		append: ['Add', 'Create rows without _rowId, update rows with one, and keep all others'],
		upsert: [
			'Create or Update',
			"Update rows with the same values in 'Row Match Fields' and create the others",
		],
		replace: ['Replace', 'Keep the given rows and delete all other rows of the subtable'],
	},
	default: 'append',
	description:
		'How to combine the given rows with the existing rows of a subtable. Other subtables are left unchanged. With Create or Update and Replace, the node reads the records first.',
});

export const rowMatchFields = fieldNamesOption({
	displayName: 'Row Match Fields',
	name: 'rowMatchFields',
	placeholder: 'e.g. Article, 1000020',
	description:
		"Names or IDs of the fields by which existing rows are found, one per line, or comma-separated. Used if 'Rows Mode' is Create or Update, or Replace.",
});

/** Options for how the service carries out a write (specification, endpoint 6), by their names in `Writing`. */
const serviceOptions = {
	...flagOptions({
		doValidation: {
			label: 'Validate',
			description:
				'Whether to run the validation rules of the fields. If a value is invalid, the record is not saved.',
		},
		doFormula: {
			label: 'Recalculate Formulas',
			description:
				'Whether to recalculate the formulas of the record. If on, the workflow scripts of the sheet do not run.',
		},
		doDefaultValue: {
			label: 'Load Default Values',
			description: 'Whether to load the default values that are set up for the fields',
		},
		doWorkflow: {
			label: 'Run Workflow Script',
			description: "Whether to run the sheet's workflow script for this write",
		},
		notification: {
			label: 'Send Notifications',
			description: 'Whether to notify the users concerned, as the service does by default',
			isOn: false,
		},
	}),
	doLinkLoad: choiceOption({
		displayName: 'Link and Load',
		name: 'doLinkLoad',
		choices: {
			true: ['After Formulas', 'Recalculate formulas, then load values'],
			first: ['Before Formulas', 'Load values, then recalculate formulas'],
			false: 'Off',
		},
		default: 'true',
		description:
			"Whether and when to load values from linked sheets. Loaded fields without a source are cleared. For formulas, also turn on 'Recalculate Formulas'.",
	}),
	version: versionOption,
};

const onConflict = choiceOption({
	displayName: 'On Conflict',
	name: 'onConflict',
	choices: {
		overwrite: ['Overwrite', 'Write the values anyway'],
		error: [
			'Stop With an Error',
			"Write nothing of the item. Requires items read with 'Include Record Information'.",
		],
	},
	default: 'overwrite',
	description: 'What to do if the record changed after the item was read',
});

export function multipleMatches<Choice extends string>(
	choices: ChoiceProperty<Choice | 'error'>['choices'],
) {
	return choiceOption<Choice | 'error'>({
		displayName: 'On Multiple Matches',
		name: 'onMultipleMatches',
		choices,
		default: 'error',
		description: 'What to do if more than one record matches an item',
	});
}

const matching = {
	upsertMode: choiceOption({
		displayName: 'Upsert Mode',
		name: 'upsertMode',
		choices: {
			createOnly: ['Create Only', 'Skip items that have a record'],
			createOrUpdate: 'Create or Update',
			updateOnly: ['Update Only', 'Skip items that have no record'],
		},
		default: 'createOrUpdate',
		description:
			"Whether to create, update or both. Skipped items are returned with _action 'skipped'.",
	}),
	onMultipleMatches: multipleMatches({
		error: 'Stop With an Error',
		updateAll: 'Update All',
		updateFirst: 'Update the First',
	}),
};

const uploading = {
	missingFile,
	naming: namingOption,
	offsetHours: writtenTimeZone,
	...serviceOptions,
};
const writing = { ...uploading, clearEmpty, ignoreFields, unknownChoices, unknownFields };
const creating = { ...writing, dryRun, files: fileEntries, subtables: subtableRows };
/** Options about the existing values, files and rows of a record. */
const changing = { checkLock, filesMode, onConflict, rowMatchFields, rowsMode, skipUnchanged };
const updating = { ...creating, ...changing };

/** Options of a write. A parameter of the service is sent only if the user added its option, so that otherwise the service's default applies. */
export const createOptions = optionsCollection(creating);
export const duplicateOptions = optionsCollection({
	copyFiles,
	naming: namingOption,
	offsetHours: writtenTimeZone,
	...serviceOptions,
});
export const updateOptions = optionsCollection(updating);
export const upsertOptions = optionsCollection({ ...updating, ...matching });
export const rowOptions = optionsCollection({ ...writing, checkLock, files: rowFileEntries });
export const rowDeletionOptions = optionsCollection({
	offsetHours: writtenTimeZone,
	checkLock,
	...serviceOptions,
});
export const uploadOptions = optionsCollection({ ...uploading, checkLock });
