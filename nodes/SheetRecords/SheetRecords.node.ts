import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { authenticationParameter, nodeHint } from '../shared/editor/nodeDescription';
import { listSearch, loadOptions } from '../shared/editor/pickListMethods';
import { credentialTest } from './methods/credentialTest';
import { resourceMapping } from './methods/resourceMapping';
import { operationProperties, operationsThatWriteEachItem, subtitle } from './resources';
import { durationHints } from './run/durationHints';

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
			'Create, read, update and delete records of a sheet database such as Ragic, with subtable rows, files, documents, comments, locks and action buttons',
		defaults: { name: 'Sheet Records' },
		usableAsTool: true,
		...nodeHint(
			'Records of a sheet database such as Ragic: create, find, update and delete records, rows of subtables, comments, locks, files, PDF and Excel documents, action buttons, and mass operations on many records at once. To write many records, use one node: it runs once for each item. Create or Update matches by fields.',
			'n8n-nodes-sheet-records.sheetRecordsTrigger',
			'Starts a workflow when records are created, updated or deleted',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		// Written out in place of `nodeCredentials`, because the lint of n8n requires `testedBy` here.
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
		hints: durationHints(operationsThatWriteEachItem()),
		properties: [...authenticationParameter.properties, ...operationProperties()],
	};

	methods = { credentialTest, listSearch, loadOptions, resourceMapping };

	async execute(this: IExecuteFunctions) {
		// Not loaded when n8n starts, which loads all nodes.
		const { runOperations } = await import('./run/runOperations');
		return await runOperations(this);
	}
}
