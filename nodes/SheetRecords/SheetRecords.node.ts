import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { authenticationParameter } from '../ui/nodeDescription';
import { listSearch, loadOptions } from '../ui/pickListMethods';
import { credentialTest } from './methods/credentialTest';
import { resourceMapping } from './methods/resourceMapping';
import { operationProperties, subtitle } from './resources';
import { runOperations } from './runOperations';

export class SheetRecords implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Sheet Records',
		name: 'sheetRecords',
		icon: {
			light: 'file:../../icons/sheetRecords.svg',
			dark: 'file:../../icons/sheetRecords.dark.svg',
		},
		group: ['input'],
		version: 1,
		subtitle: subtitle(),
		description:
			'Work with records that are kept in sheets: their fields, subtable rows, files, documents, comments, locks and action buttons, one by one or many at once',
		defaults: { name: 'Sheet Records' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		// As on every node, and tested by this one; n8n's lint wants to read it here.
		credentials: [
			{
				name: 'sheetRecordsApi',
				required: true,
				testedBy: 'checkConnection',
				displayOptions: { show: { authentication: ['apiKey'] } },
			},
			{
				name: 'sheetRecordsSessionApi',
				required: true,
				testedBy: 'checkConnection',
				displayOptions: { show: { authentication: ['session'] } },
			},
		],
		properties: [...authenticationParameter.properties, ...operationProperties()],
	};

	methods = {
		credentialTest,
		listSearch,
		loadOptions,
		resourceMapping,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperations(this);
	}
}
