import type { INodeProperties } from 'n8n-workflow';
import type { UserSheet } from '../../wire/userSheet';
import type { ItemParameters } from '../itemParameters';
import { waitingOptions } from './taskWaiting';

const preview: INodeProperties = {
	displayName: 'Preview',
	name: 'preview',
	type: 'boolean',
	default: true,
	description: 'Whether to return the records that the selection matches, and change nothing',
};

const userSheet: INodeProperties = {
	displayName: 'Users Sheet',
	name: 'userSheet',
	type: 'options',
	options: [
		{ name: 'External Users', value: 'external' },
		{ name: 'Internal Users', value: 'internal' },
		{ name: 'No', value: 'none', description: 'The sheet holds no users of the account' },
	],
	default: 'none',
	description:
		"Whether the sheet holds the account's users: then protected fields are refused, and groups written as the service wants them",
};

const timeZone: INodeProperties = {
	displayName: 'Time Zone',
	name: 'timeZone',
	type: 'number',
	typeOptions: { minValue: -14, maxValue: 14, numberPrecision: 2 },
	default: 0,
	description:
		"Hours from UTC in which dates are written, e.g. 8. Without it, dates of expressions are written in the workflow's time zone.",
};

function options(own: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [...waitingOptions, preview, timeZone, ...own].sort((left, right) =>
			left.displayName.localeCompare(right.displayName),
		),
	};
}

export const massOperationOptions = options([]);
export const fieldOperationOptions = options([userSheet]);

/** Which users sheet the item says that it works on. */
export function readUserSheet(item: ItemParameters): UserSheet {
	const choice = item.collection('options').userSheet;
	return choice === 'internal' || choice === 'external' ? choice : 'none';
}
