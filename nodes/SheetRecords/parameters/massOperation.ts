import type { INodeProperties } from 'n8n-workflow';
import type { UserSheet } from '../../wire/userSheet';
import type { ItemParameters } from '../itemParameters';
import { waitingOptions } from './taskWaiting';
import { optionsCollection } from './optionsCollection';
import { writtenTimeZone } from './timeZone';

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

const shared = [...waitingOptions, preview, writtenTimeZone];

export const massOperationOptions = optionsCollection(shared);
export const fieldOperationOptions = optionsCollection([...shared, userSheet]);

/** Which users sheet the item says that it works on. */
export function readUserSheet(item: ItemParameters): UserSheet {
	return item.optionChoice('userSheet', 'Users Sheet', ['none', 'internal', 'external']) ?? 'none';
}

/**
 * Whether the item wants to see the records only.
 *
 * @throws InputError when an expression yields neither true nor false: the operation
 *   must not be carried out in place of a preview
 */
export function readPreview(item: ItemParameters): boolean {
	return item.optionFlag('preview', 'Preview') ?? false;
}
