import { fieldNamesOf, namingOption, versionOption, writtenTimeZone } from '../../ui/options';
import {
	choiceOption,
	flagOptions,
	optional,
	optionsCollection,
	parameter,
	type ChoiceProperty,
	type Parameter,
	type ParameterSource,
} from '../../ui/parameter';
import { fieldsPickList } from '../../ui/pickList';
import { fileEntries, missingFile, rowFileEntries } from './fileEntries';
import { subtableRows } from './input';
import { rowMatchFields, rowsMode } from './rowsMode';

export const { clearEmpty, dryRun, skipUnchanged } = flagOptions({
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

/** The names and ids of fields that are not written of an item that is mapped automatically. */
export const ignoreFields = optional(
	parameter(
		fieldsPickList(
			'ignoreFields',
			'Ignore Field Names or IDs',
			'The fields that are not written when fields are mapped automatically.',
		),
		fieldNamesOf,
	),
);

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

/** About the zone of dates, and what the saved fields are called. */
const savedOptions = { timeZone: writtenTimeZone, naming: namingOption };
/** About what the keys of the input stand for, and its files. */
const inputOptions = { ignoreFields, unknownFields, unknownChoices, missingFile };

/** What the service does beside writing (specification, endpoint 6), in the words of `Writing`. */
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

const lockedEffects = {
	...flagOptions({
		checkLock: ['Check Lock', 'Whether to refuse the change when the record is locked'],
	}),
	...effects,
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

/** What to do with several matches. */
export function multipleMatches<Choice extends string>(
	choices: ChoiceProperty<Choice | 'error'>['choices'],
): Parameter<Choice | 'error' | undefined, ParameterSource> {
	return choiceOption<Choice | 'error'>({
		displayName: 'On Multiple Matches',
		name: 'onMultipleMatches',
		choices,
		default: 'error',
		description: 'What to do when more than one record matches an item',
	});
}

const matchingOptions = {
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

/** What is written beside the fields, and whether empty values are. */
const contentOptions = { subtables: subtableRows, files: fileEntries, clearEmpty, dryRun };
/** What becomes of what a record holds. */
const changing = { skipUnchanged, onConflict, rowsMode, rowMatchFields, filesMode };
const changeOptions = { ...inputOptions, ...savedOptions, ...lockedEffects };

/** Options of a write; each is sent only when the user added it, so that the service's default holds. */
export const createOptions = optionsCollection({
	...contentOptions,
	...inputOptions,
	...savedOptions,
	...effects,
});
export const updateOptions = optionsCollection({
	...contentOptions,
	...changing,
	...changeOptions,
});
export const upsertOptions = optionsCollection({
	...contentOptions,
	...changing,
	...matchingOptions,
	...changeOptions,
});
/** For rows of subtables. */
export const rowOptions = optionsCollection({
	files: rowFileEntries,
	clearEmpty,
	...changeOptions,
});
export const rowDeletionOptions = optionsCollection({
	timeZone: writtenTimeZone,
	...lockedEffects,
});
export const uploadOptions = optionsCollection({ missingFile, ...savedOptions, ...lockedEffects });
