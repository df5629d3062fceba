import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription, IPollFunctions } from 'n8n-workflow';
import { nodeCredentials, nodeHint } from '../shared/editor/nodeDescription';
import { listSearch, loadOptions } from '../shared/editor/pickListMethods';
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
		...nodeHint(
			'Starts a workflow at intervals with the records of one sheet that were created, updated or deleted meanwhile, each change once and none missed. For an n8n that the service cannot reach, for services that do not sign their webhooks, and for what happened while n8n was down; else Sheet Records Trigger starts at once. Items are those of Sheet Records Trigger: the event, the record ID and the record.',
			'n8n-nodes-sheet-records.sheetRecordsTrigger',
			'Starts at once with each change of a record, where the service can reach n8n',
		),
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: nodeCredentials,
		properties: pollingProperties,
	};

	methods = { listSearch, loadOptions };

	async poll(this: IPollFunctions) {
		return await poll(this);
	}
}
