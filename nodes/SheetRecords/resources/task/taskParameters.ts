import { option, requiredTextParameter, textParameter } from '../../../ui/parameter';
import { sheetOf } from '../../../ui/sheet';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { textOf } from '../../../api/values/text';
import type { ItemParameter } from '../../operation';

export const taskIdParameter = requiredTextParameter(
	textParameter({
		displayName: 'Task ID',
		name: 'taskId',
		type: 'string',
		placeholder: 'e.g. {{ $json.taskId }}',
		default: '',
		description: 'The ID of the task, as a mass operation returns it',
	}),
	'Give the ID that a mass operation returned.',
);

const sheetText = option(
	{
		displayName: 'Sheet',
		name: 'sheet',
		type: 'string',
		placeholder: 'e.g. sales/orders/1',
		default: '',
		description:
			"Path or address of the task's sheet, for services that do not answer for tasks at the account's address",
	},
	textOf,
);

/** The sheet of a task, when the item tells it. */
export const taskSheetOption: ItemParameter<SheetAddress | undefined> = {
	shown: sheetText.shown,
	read(call) {
		const text = sheetText.read(call);
		return text ? sheetOf(text, call.client.connection) : undefined;
	},
};
