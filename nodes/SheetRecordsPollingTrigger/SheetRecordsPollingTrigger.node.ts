import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription, IPollFunctions } from 'n8n-workflow';
import { nodeCredentials, nodeHint } from '../shared/editor/nodeDescription';
import { listSearch, loadOptions } from '../shared/editor/pickListMethods';
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
			'Starts the workflow with the records of a sheet that changed since the last poll. For services that cannot reach n8n or do not sign deliveries.',
		defaults: { name: 'Sheet Records Polling Trigger' },
		...nodeHint(
			'Starts a workflow at intervals with the records of one sheet that were created, updated or deleted since the last poll. Returns each change once and misses none. Use it if the service cannot reach n8n or does not sign its webhooks, or for changes made while n8n was down. Otherwise use Sheet Records Trigger, which starts at once. Items are the same as those of Sheet Records Trigger: the event, the record ID and the record.',
			'n8n-nodes-sheet-records.sheetRecordsTrigger',
			'Starts at once with each change of a record, if the service can reach n8n',
		),
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: nodeCredentials,
		properties: pollingProperties,
	};

	methods = { listSearch, loadOptions };

	async poll(this: IPollFunctions) {
		// Not loaded when n8n starts, which loads all nodes.
		const { poll } = await import('./poll');
		return await poll(this);
	}
}
