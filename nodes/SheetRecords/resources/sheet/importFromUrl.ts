import { importFromUrl as startImport } from '../../../api/actions';
import { notice } from '../../../ui/parameter';
import { sheetParameter } from '../../../ui/sheet';
import { plain } from '../../../api/read/record';
import { operation } from '../../operation';

export const importFromUrl = operation({
	value: 'importFromUrl',
	name: 'Import From URL',
	action: 'Import data into a sheet from its URL',
	description: 'Start the import from the address that is set up on the sheet',
	parameters: {
		sheet: sheetParameter,
		notice: notice(
			'importNotice',
			'Needs a user with SYSAdmin privilege, and periodic import from URL turned on for the sheet. The import goes on in the service after this node has ended.',
		),
	},
	async run({ client }, { sheet }) {
		const answer = await startImport(client, sheet);
		return { started: true, message: plain(answer.get('msg') ?? '') };
	},
});
