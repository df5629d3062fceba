import { savedNamingOption, versionOption, writtenTimeZone } from '../../ui/options';
import { choiceOption, flagOption, option, optionsCollection } from '../../ui/parameter';
import { fieldsPickList } from '../../ui/pickList';
import { fieldKey } from '../../api/schema/fields';
import { textOf } from '../../api/values/text';

/** Whether empty values are sent, and empty fields. */
export const clearEmpty = flagOption({
	displayName: 'Clear Empty',
	name: 'clearEmpty',
	type: 'boolean',
	default: true,
	description:
		'Whether to send empty values, which empty the fields of the record. Otherwise a field without a value stays as it is.',
});

/** The fields that are not written of an item that is mapped automatically: names and ids. */
export const ignoreFields = option(
	fieldsPickList(
		'ignoreFields',
		'Ignore Field Names or IDs',
		'The fields that are not written when fields are mapped automatically.',
	),
	namesOf,
);

/** What to do with names that the sheet does not have. */
export const unknownFields = choiceOption({
	displayName: 'Unknown Fields',
	name: 'unknownFields',
	type: 'options',
	options: [
		{ name: 'Ignore', value: 'ignore', description: 'Leave them out, and name them in a hint' },
		{ name: 'Stop With an Error', value: 'error', description: 'Write nothing of the item' },
	],
	default: 'error',
	description: 'What to do with names that the sheet does not have',
});

/** What to do with an item that has no file where one is named. */
export const missingFile = choiceOption({
	displayName: 'Missing File',
	name: 'missingFile',
	type: 'options',
	options: [
		{
			name: 'Skip',
			value: 'skip',
			description: 'Write without that file, and tell in a hint how many items have none',
		},
		{ name: 'Stop With an Error', value: 'error', description: 'Write nothing of the item' },
	],
	default: 'error',
	description: 'What to do with an item that has no file in the input data field that is named',
});

const checkLock = flagOption({
	displayName: 'Check Lock',
	name: 'checkLock',
	type: 'boolean',
	default: true,
	description: 'Whether to refuse the change when the record is locked',
});

const defaultValues = flagOption({
	displayName: 'Load Default Values',
	name: 'doDefaultValue',
	type: 'boolean',
	default: true,
	description: "Whether to load the fields' default values",
});

const linkLoad = choiceOption({
	displayName: 'Link and Load',
	name: 'doLinkLoad',
	type: 'options',
	options: [
		{ name: 'After Formulas', value: 'true', description: 'Recalculate formulas, then load' },
		{ name: 'Before Formulas', value: 'first', description: 'Load, then recalculate formulas' },
		{ name: 'Off', value: 'false' },
	],
	default: 'true',
	description:
		"Whether and when to load values from linked sheets. Formulas also need 'Recalculate Formulas'.",
});

const formulas = flagOption({
	displayName: 'Recalculate Formulas',
	name: 'doFormula',
	type: 'boolean',
	default: true,
	description:
		"Whether to recalculate formulas first. The sheet's workflow scripts do not run then.",
});

const workflow = flagOption({
	displayName: 'Run Workflow Script',
	name: 'doWorkflow',
	type: 'boolean',
	default: true,
	description: "Whether to run the sheet's workflow script that is tied to the call",
});

const notification = flagOption({
	displayName: 'Send Notifications',
	name: 'notification',
	type: 'boolean',
	default: false,
	description: 'Whether the service notifies the users concerned, as it does by default',
});

const validation = flagOption({
	displayName: 'Validate',
	name: 'doValidation',
	type: 'boolean',
	default: true,
	description:
		"Whether to run the fields' validation rules; a field that fails them rejects the record",
});

const skipUnchanged = flagOption({
	displayName: 'Skip Unchanged',
	name: 'skipUnchanged',
	type: 'boolean',
	default: true,
	description:
		'Whether to leave out writes that would change nothing: the item then says _action: unchanged, and no webhook, formula or workflow script runs for it. Records are read for that when the node begins.',
});

const upsertMode = choiceOption({
	displayName: 'Upsert Mode',
	name: 'upsertMode',
	type: 'options',
	options: [
		{
			name: 'Create Only',
			value: 'createOnly',
			description: 'Pass over items for which there is a record',
		},
		{ name: 'Create or Update', value: 'createOrUpdate' },
		{
			name: 'Update Only',
			value: 'updateOnly',
			description: 'Pass over items for which there is no record',
		},
	],
	default: 'createOrUpdate',
	description: 'What to write. The item of what is passed over says _action: skipped.',
});

const onMultipleMatches = choiceOption({
	displayName: 'On Multiple Matches',
	name: 'onMultipleMatches',
	type: 'options',
	options: [
		{ name: 'Stop With an Error', value: 'error' },
		{ name: 'Update All', value: 'updateAll' },
		{ name: 'Update the First', value: 'updateFirst' },
	],
	default: 'error',
	description: 'What to do when more than one record matches an item',
});

/** About the zone of dates, and what the saved fields are called. */
const savedOptions = { timeZone: writtenTimeZone, naming: savedNamingOption };

/** The same, and about the names of the values that are written, and their files. */
const valueOptions = { ignoreFields, unknownFields, missingFile, ...savedOptions };

/** What the service does beside writing (specification, endpoint 6), in the words of `Writing`. */
const effects = {
	doValidation: validation,
	doFormula: formulas,
	doDefaultValue: defaultValues,
	doLinkLoad: linkLoad,
	doWorkflow: workflow,
	notification,
	version: versionOption,
};

/** Options of a write; each is sent only when the user added it, so that the service's default holds. */
export const createOptions = optionsCollection({ clearEmpty, ...valueOptions, ...effects });
export const updateOptions = optionsCollection({
	clearEmpty,
	skipUnchanged,
	...valueOptions,
	checkLock,
	...effects,
});
/** For rows of subtables. */
export const rowOptions = optionsCollection({ clearEmpty, ...valueOptions, checkLock, ...effects });
/** For deleting a row. */
export const rowDeletionOptions = optionsCollection({
	timeZone: writtenTimeZone,
	checkLock,
	...effects,
});
/** For uploading a file. */
export const uploadOptions = optionsCollection({
	missingFile,
	...savedOptions,
	checkLock,
	...effects,
});
export const upsertOptions = optionsCollection({
	clearEmpty,
	skipUnchanged,
	upsertMode,
	onMultipleMatches,
	...valueOptions,
	checkLock,
	...effects,
});

function namesOf(value: unknown): ReadonlySet<string> {
	const names = Array.isArray(value) ? value : textOf(value).split(/\s*,\s*/);
	return new Set(names.map(fieldKey).filter((name) => name !== ''));
}
