import { choiceOption, flagOption, optionsCollection } from '../../../ui/parameter';
import type { UserSheet } from '../../../api/users';
import { waitingOptions } from '../../parameters/taskWaiting';
import { writtenTimeZone } from '../../../ui/timeZone';

/** Which users sheet the item says that it works on. */
export const userSheetOption = choiceOption<UserSheet>({
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
});

const shared = {
	preview: flagOption({
		displayName: 'Preview',
		name: 'preview',
		type: 'boolean',
		default: true,
		description: 'Whether to return the records that the selection matches, and change nothing',
	}),
	...waitingOptions,
	timeZone: writtenTimeZone,
};

export const massOperationOptions = optionsCollection(shared);
/** For operations on fields. */
export const fieldOperationOptions = optionsCollection({ ...shared, userSheet: userSheetOption });
