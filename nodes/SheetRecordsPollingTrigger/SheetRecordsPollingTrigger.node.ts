import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { nodeCredentials } from '../ui/nodeDescription';
import { listSearch, loadOptions } from '../ui/pickListMethods';
import { poll } from './poll';
import { pollingProperties } from './pollingParameters';

export class SheetRecordsPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Sheet Records Polling Trigger',
		name: 'sheetRecordsPollingTrigger',
		icon: {
			light: 'file:../../icons/sheetRecordsPollingTrigger.svg',
			dark: 'file:../../icons/sheetRecordsPollingTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["events"].join(", ").toLowerCase() }}',
		description:
			'Starts the workflow with records of a sheet that changed since the last poll, where the service cannot reach n8n or does not sign',
		defaults: { name: 'Sheet Records Polling Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: nodeCredentials,
		properties: pollingProperties,
	};

	methods = { listSearch, loadOptions };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
