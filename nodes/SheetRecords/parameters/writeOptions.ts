import type { INodeProperties } from 'n8n-workflow';
import { fieldKey } from '../../wire/fields';
import type { QueryParameter } from '../../wire/query';
import { textOf } from '../../wire/text';
import type { ItemParameters } from '../itemParameters';
import { optionsCollection } from './optionsCollection';
import { offsetHours, writtenTimeZone } from './timeZone';
import { versionOption } from './version';

const clearEmpty: INodeProperties = {
	displayName: 'Clear Empty',
	name: 'clearEmpty',
	type: 'boolean',
	default: true,
	description:
		'Whether to send empty values, which empty the fields of the record. Otherwise a field without a value stays as it is.',
};

const ignoreFields: INodeProperties = {
	displayName: 'Ignore Field Names or IDs',
	name: 'ignoreFields',
	type: 'multiOptions',
	typeOptions: {
		loadOptionsMethod: 'getFields',
		loadOptionsDependsOn: ['sheet.value', 'authentication'],
	},
	default: [],
	description:
		'The fields that are not written when fields are mapped automatically. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

const unknownFields: INodeProperties = {
	displayName: 'Unknown Fields',
	name: 'unknownFields',
	type: 'options',
	options: [
		{
			name: 'Ignore',
			value: 'ignore',
			description: 'Leave them out, and name them in a hint',
		},
		{ name: 'Stop With an Error', value: 'error', description: 'Write nothing of the item' },
	],
	default: 'error',
	description: 'What to do with names that the sheet does not have',
};

const checkLock: INodeProperties = {
	displayName: 'Check Lock',
	name: 'checkLock',
	type: 'boolean',
	default: true,
	description: 'Whether to refuse the change when the record is locked',
};

const defaultValues: INodeProperties = {
	displayName: 'Load Default Values',
	name: 'doDefaultValue',
	type: 'boolean',
	default: true,
	description: "Whether to load the fields' default values",
};

const linkLoad: INodeProperties = {
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
};

const formulas: INodeProperties = {
	displayName: 'Recalculate Formulas',
	name: 'doFormula',
	type: 'boolean',
	default: true,
	description:
		"Whether to recalculate formulas first. The sheet's workflow scripts do not run then.",
};

const workflow: INodeProperties = {
	displayName: 'Run Workflow Script',
	name: 'doWorkflow',
	type: 'boolean',
	default: true,
	description: "Whether to run the sheet's workflow script that is tied to the call",
};

const notification: INodeProperties = {
	displayName: 'Send Notifications',
	name: 'notification',
	type: 'boolean',
	default: false,
	description: 'Whether the service notifies the users concerned, as it does by default',
};

const validation: INodeProperties = {
	displayName: 'Validate',
	name: 'doValidation',
	type: 'boolean',
	default: true,
	description:
		"Whether to run the fields' validation rules; a field that fails them rejects the record",
};

/** About the values that are written. */
const valueOptions = [clearEmpty, ignoreFields, unknownFields, writtenTimeZone];

const shared = [
	versionOption,
	linkLoad,
	defaultValues,
	formulas,
	workflow,
	notification,
	validation,
];

/** Options of a write; each is sent only when the user added it, so that the service's default holds. */
export const createOptions = optionsCollection([...shared, ...valueOptions]);
export const updateOptions = optionsCollection([...shared, ...valueOptions, checkLock]);
/** For writes without values of their own: deleting a row, uploading a file. */
export const plainWriteOptions = optionsCollection([...shared, checkLock]);
export const upsertOptions = optionsCollection([
	...shared,
	...valueOptions,
	checkLock,
	{
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
	},
]);

/** The query parameters of a write (specification, endpoint 6): those whose option was added. */
export function writeParameters(item: ItemParameters): QueryParameter[] {
	const options = item.collection('options');
	const parameters: QueryParameter[] = [];
	for (const { name, displayName } of [formulas, defaultValues]) {
		const value = item.optionFlag(name, displayName);
		if (value !== undefined) parameters.push([name, value]);
	}
	const load = item.optionChoice(linkLoad.name, linkLoad.displayName, ['true', 'first', 'false']);
	if (load !== undefined) parameters.push([linkLoad.name, load]);
	for (const { name, displayName } of [workflow, notification]) {
		const value = item.optionFlag(name, displayName);
		if (value !== undefined) parameters.push([name, value]);
	}
	// The specification knows no other value for these two.
	for (const { name, displayName } of [validation, checkLock]) {
		if (item.optionFlag(name, displayName)) parameters.push([name, true]);
	}
	const offset = offsetHours(options);
	if (offset !== undefined) parameters.push(['tz', offset]);
	const chosenVersion = textOf(options.version);
	if (chosenVersion !== '') parameters.push(['version', chosenVersion]);
	return parameters;
}

/** Whether empty values are sent, and empty fields. */
export function readClearEmpty(item: ItemParameters): boolean {
	return item.optionFlag(clearEmpty.name, clearEmpty.displayName) ?? false;
}

/** The fields that are not written of an item that is mapped automatically: names and ids. */
export function readIgnoreFields(item: ItemParameters): ReadonlySet<string> {
	const { [ignoreFields.name]: value } = item.collection('options');
	const names = Array.isArray(value) ? value : textOf(value).split(/\s*,\s*/);
	return new Set(names.map(fieldKey).filter((name) => name !== ''));
}

/** Whether names that the sheet does not have are left out. */
export function readIgnoreUnknown(item: ItemParameters): boolean {
	const { name, displayName } = unknownFields;
	return item.optionChoice(name, displayName, ['error', 'ignore']) === 'ignore';
}

/** What to do when more than one record matches an item. */
export function readOnMultipleMatches(item: ItemParameters): 'error' | 'updateAll' | 'updateFirst' {
	const choices = ['error', 'updateAll', 'updateFirst'] as const;
	return item.optionChoice('onMultipleMatches', 'On Multiple Matches', choices) ?? 'error';
}
