import { sheetParameter } from '../../../ui/sheet';
import { listActionButtons } from '../../../api/actions';
import { operation } from '../../operation';
import { limitParameter } from '../../parameters/limit';

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many action buttons',
	description: 'Get the action buttons of a sheet',
	parameters: { sheet: sheetParameter, limit: limitParameter },
	async run({ client }, { sheet, limit }) {
		const buttons = await listActionButtons(client, sheet);
		return buttons.slice(0, limit).map((button) => ({ ...button }));
	},
});
