import {
	NodeConnectionTypes,
	NodeOperationError,
	type IDataObject,
	type INodeType,
} from 'n8n-workflow';

/** One item for each element of a list field. Other fields are left out. */
export const splitOut: INodeType = {
	description: {
		displayName: 'Split Out',
		name: 'splitOut',
		group: ['transform'],
		version: 1,
		description: 'Turns a list inside an item into items',
		defaults: { name: 'Split Out' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [
			{ displayName: 'Field', name: 'fieldToSplitOut', type: 'string', default: '' },
			{ displayName: 'Include', name: 'include', type: 'string', default: 'noOtherFields' },
		],
	},
	async execute() {
		const output = this.getInputData().flatMap(({ json }, item) => {
			const field = String(this.getNodeParameter('fieldToSplitOut', item));
			const elements = json[field];
			if (this.getNodeParameter('include', item) !== 'noOtherFields' || !Array.isArray(elements)) {
				throw new NodeOperationError(this.getNode(), `"${field}" cannot be split out here`);
			}
			return elements.map((element: IDataObject[string]) => ({
				json: isRecord(element) ? element : { [field]: element },
				pairedItem: { item },
			}));
		});
		return [output];
	},
};

function isRecord(value: IDataObject[string]): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
