import { listActionButtons, runActionButton } from '../../api/actions';
import { numberOrText, plain } from '../../api/read/record';
import { sheetParameter } from '../../ui/sheet';
import { operation, type Resource } from '../operation';
import { buttonIdParameter } from '../parameters/buttonId';
import { limitParameter } from '../parameters/list';
import { recordParameter } from '../parameters/record';

const getAll = operation({
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

const run = operation({
	value: 'run',
	name: 'Run',
	action: 'Run an action button',
	description: 'Press an action button on a record',
	parameters: { record: recordParameter, buttonId: buttonIdParameter },
	async run({ client }, { record, buttonId }) {
		const answer = await runActionButton(client, record, buttonId);
		const message = plain(answer.get('msg') ?? '');
		return { _recordId: numberOrText(record.recordId), buttonId, message };
	},
});

export const actionButton: Resource = {
	value: 'actionButton',
	name: 'Action Button',
	description: 'A button of a sheet that does something with a record',
	defaultOperation: run,
	operations: [getAll, run],
};
