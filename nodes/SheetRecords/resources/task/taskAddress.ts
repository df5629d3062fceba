import type { INodeProperties } from 'n8n-workflow';
import type { Client } from '../../../service/client';
import type { TaskAddress } from '../../../service/tasks';
import { sheetOf } from '../../../shared/sheet';
import { InputError } from '../../../wire/inputError';
import { textOf } from '../../../wire/text';
import type { ItemParameters } from '../../itemParameters';

export const taskIdParameter: INodeProperties = {
	displayName: 'Task ID',
	name: 'taskId',
	type: 'string',
	required: true,
	placeholder: 'e.g. {{ $json.taskId }}',
	default: '',
	description: 'The ID of the task, as a mass operation returns it',
};

export const taskSheetOption: INodeProperties = {
	displayName: 'Sheet',
	name: 'sheet',
	type: 'string',
	placeholder: 'e.g. sales/orders/1',
	default: '',
	description:
		"Path or address of the task's sheet, for services that do not answer for tasks at the account's address",
};

/**
 * The task that the item chose.
 *
 * @throws InputError when no id is given, or the sheet is none
 */
export function readTaskAddress(item: ItemParameters, { connection }: Client): TaskAddress {
	const taskId = item.text('taskId');
	if (taskId === '')
		throw new InputError("'Task ID' is empty", 'Give the ID that a mass operation returned.');
	const sheet = textOf(item.collection('options').sheet);
	return sheet === '' ? { taskId } : { taskId, sheet: sheetOf(sheet, connection) };
}
