import {
	NodeConnectionTypes,
	type IDataObject,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';

/** Input of a node under test: plain records, or whole items with files. */
export type InputItem = IDataObject | INodeExecutionData;

/** A node that puts these items out. */
export function startItems(items: InputItem[]): INodeType {
	return {
		description: {
			displayName: 'Start Items',
			name: 'startItems',
			group: ['trigger'],
			version: 1,
			description: 'Puts the given items out',
			defaults: { name: 'Start' },
			inputs: [],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
		},
		async execute() {
			return [items.map((item) => (isWholeItem(item) ? item : { json: item }))];
		},
	};
}

function isWholeItem(item: InputItem): item is INodeExecutionData {
	return typeof item.json === 'object' && item.json !== null;
}
