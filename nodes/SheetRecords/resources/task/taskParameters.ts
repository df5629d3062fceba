import { option, requiredTextParameter, textParameter } from '../../../ui/parameter';
import type { Parameter } from '../../../ui/parameter';
import { sheetOf } from '../../../ui/sheet';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { textOf } from '../../../api/values/text';

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
export const taskSheetOption: Parameter<SheetAddress | undefined> = {
	properties: sheetText.properties,
	parse(item) {
		const text = sheetText.parse(item);
		return text ? sheetOf(text, item.client.connection) : undefined;
	},
};
