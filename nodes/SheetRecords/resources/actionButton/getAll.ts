import { sheetParameter } from '../../../shared/sheet';
import { listActionButtons } from '../../../service/actionButtons';
import type { Operation } from '../../operation';
import { limitParameters, readLimit } from '../../parameters/limit';

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many action buttons',
	description: 'Get the action buttons of a sheet',
	parameters: [sheetParameter, ...limitParameters],
	async run({ item, client }) {
		const limit = readLimit(item);
		const buttons = await listActionButtons(client, item.sheet(client.connection));
		return buttons.slice(0, limit).map((button) => ({ ...button }));
	},
};
