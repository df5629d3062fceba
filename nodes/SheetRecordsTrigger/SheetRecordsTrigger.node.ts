import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription, IWebhookFunctions } from 'n8n-workflow';
import { nodeCredentials, nodeHint } from '../shared/editor/nodeDescription';
import { listSearch, loadOptions } from '../shared/editor/pickListMethods';
import { registration } from './registration';
import { triggerPanel } from './triggerPanel';
import { triggerProperties } from './triggerParameters';

export class SheetRecordsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Sheet Records Trigger',
		name: 'sheetRecordsTrigger',
		icon: {
			light: 'file:../../icons/sheetRecordsTrigger.svg',
			dark: 'file:../../icons/sheetRecordsTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["events"].join(", ").toLowerCase() }}',
		// n8n shows this description for the action node, too, because it lists both under one name.
		description:
			'Reads and writes records of sheets in Ragic and compatible databases, or starts a workflow when they change',
		defaults: { name: 'Sheet Records Trigger' },
		...nodeHint(
			'Starts a workflow at once when a record of one sheet is created, updated or deleted. Items contain the event, the record ID and the record. Changes that the workflow itself makes to the sheet also start it.',
			'n8n-nodes-sheet-records.sheetRecords',
			'Reads and writes records of the sheet',
		),
		eventTriggerDescription: 'Enter the Test URL in the sheet, then change a record',
		activationMessage: 'Changes to the sheet now start this workflow.',
		triggerPanel,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: nodeCredentials,
		webhooks: [
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
		],
		properties: triggerProperties,
	};

	methods = { listSearch, loadOptions };

	webhookMethods = { default: registration };

	async webhook(this: IWebhookFunctions) {
		// Not loaded when n8n starts, which loads all nodes.
		const { receiveDelivery } = await import('./receiveDelivery');
		return await receiveDelivery(this);
	}
}
