import { sheetParameter } from '../../../shared/sheet';
import { importFromUrl as startImport } from '../../../service/importFromUrl';
import { plain } from '../../../wire/record';
import type { Operation } from '../../operation';

export const importFromUrl: Operation = {
	value: 'importFromUrl',
	name: 'Import From URL',
	action: 'Import data into a sheet from its URL',
	description: 'Start the import from the address that is set up on the sheet',
	parameters: [
		sheetParameter,
		{
			displayName:
				'Needs a user with SYSAdmin privilege, and periodic import from URL turned on for the sheet. The import goes on in the service after this node has ended.',
			name: 'importNotice',
			type: 'notice',
			default: '',
		},
	],
	async run({ item, client }) {
		const answer = await startImport(client, item.sheet(client.connection));
		return { started: true, message: plain(answer.get('msg') ?? '') };
	},
};
