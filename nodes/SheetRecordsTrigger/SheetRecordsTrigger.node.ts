import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	WebhookSetupMethodNames,
} from 'n8n-workflow';
import { nodeCredentials, nodeHint } from '../shared/editor/nodeDescription';
import { listSearch, loadOptions } from '../shared/editor/pickListMethods';
import { triggerPanel } from './triggerPanel';
import { triggerProperties } from './triggerParameters';

/** Returns a function of the registration. What an activation or a delivery needs is not loaded when n8n starts, which loads all nodes. */
function registrationStep(name: WebhookSetupMethodNames) {
	return async function (this: IHookFunctions): Promise<boolean> {
		const { registration } = await import('./registration');
		return await registration[name].call(this);
	};
}

const registrationSteps = {
	checkExists: registrationStep('checkExists'),
	create: registrationStep('create'),
	delete: registrationStep('delete'),
};

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

	webhookMethods = { default: registrationSteps };

	async webhook(this: IWebhookFunctions) {
		const { receiveDelivery } = await import('./receiveDelivery');
		return await receiveDelivery(this);
	}
}
