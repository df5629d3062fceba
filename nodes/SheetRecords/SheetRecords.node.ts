import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { listSearch } from '../editor/listSearch';
import { loadOptions } from './methods/loadOptions';
import { resourceMapping } from './methods/resourceMapping';
import { authenticationParameter, nodeCredentials } from '../editor/authentication';
import { operationProperties } from './resources';
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
		subtitle:
			'={{ ($parameter["operation"] + ": " + $parameter["resource"]).replace(/([A-Z])/g, " $1").toLowerCase() }}',
		description: 'Create, read, update and delete records that are kept in sheets',
		defaults: { name: 'Sheet Records' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: nodeCredentials,
		properties: [authenticationParameter, ...operationProperties()],
	};

	methods = { listSearch, loadOptions, resourceMapping };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperations(this);
	}
}
