import type { INodeProperties } from 'n8n-workflow';
import { findActionButton, listActionButtons, runActionButton } from '../../api/actions';
import { isObject } from '../../api/json/objects';
import { numberOrText } from '../../api/read/record';
import { builderHint, deferred, type SheetContext } from '../../shared/parameters/parameter';
import { fromList } from '../../shared/editor/pickList';
import { requireText } from '../../shared/parameters/settings';
import { locatorText, sheetParameter } from '../../shared/parameters/sheet';
import { operation, type Resource } from '../run/operation';
import { limitParameter } from '../parameters/list';
import { recordParameter } from '../parameters/record';

const buttonProperty: INodeProperties = {
	displayName: 'Action Button',
	name: 'buttonId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'Action button of the sheet to run',
	...builderHint(
		"Keep mode 'list' and let the user choose, or use mode 'name' with the button's name as people see it, or mode 'id' with an ID that Action Button: Get Many returned. Never invent an ID.",
	),
	modes: [
		fromList('searchActionButtons'),
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 4' },
		{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. Mark as Shipped' },
	],
};

/** Button ID, as text. Parsing throws InputError if no button or several buttons match, and ServiceError. */
export const buttonIdParameter = deferred([buttonProperty], async (item: SheetContext) => {
	const locator = item.value(buttonProperty.name);
	const key = requireText(locatorText(locator, 'Action Button'), 'Action Button');
	const isName = isObject(locator) && locator.mode === 'name';
	return await findActionButton(item.client, sheetParameter.parse(item), key, isName);
});

const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many action buttons',
	description:
		'Get the action buttons of a sheet with their IDs. To run one, use Action Button: Run.',
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
	description: 'Run an action button of the sheet on a record. To set fields, use Record: Update.',
	writesEachItem: true,
	parameters: { record: recordParameter, buttonId: buttonIdParameter },
	async run({ client }, { record, buttonId }) {
		const { message, warning } = await runActionButton(client, record, buttonId);
		const warned = warning === undefined ? {} : { _warning: warning };
		return { _recordId: numberOrText(record.recordId), buttonId, message, ...warned };
	},
});

export const actionButton: Resource = {
	value: 'actionButton',
	name: 'Action Button',
	description: 'Button of a sheet that runs an action on a record',
	defaultOperation: run,
	operations: [getAll, run],
};
