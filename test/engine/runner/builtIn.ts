import {
	jsonParse,
	NodeConnectionTypes,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

/** Returns a node with one output, and one input unless it is a trigger. */
export function nodeType(
	name: string,
	execute: INodeType['execute'],
	overrides: Partial<INodeTypeDescription> = {},
): INodeType {
	const description: INodeTypeDescription = {
		displayName: name,
		name,
		group: ['transform'],
		version: 1,
		description: name,
		defaults: { name },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
		...overrides,
	};
	return { description, execute };
}

/** Returns a node that starts a workflow with these items. */
export function startingWith(items: INodeExecutionData[]): INodeType {
	return nodeType('Start', async () => [items], { group: ['trigger'], inputs: [] });
}

/** Edit Fields 3.4 in the mode JSON, which sets the whole item. */
const set = nodeType(
	'Edit Fields',
	async function (this: IExecuteFunctions) {
		const output = this.getInputData().map((_, item) => {
			if (this.getNodeParameter('mode', item) !== 'raw') {
				throw new NodeOperationError(this.getNode(), 'No single fields here');
			}
			return { json: wholeItem(this, item), pairedItem: { item } };
		});
		return [output];
	},
	{
		version: 3.4,
		properties: [
			{ displayName: 'Mode', name: 'mode', type: 'string', default: 'manual' },
			{ displayName: 'JSON', name: 'jsonOutput', type: 'json', default: '{}' },
			{ displayName: 'Options', name: 'options', type: 'collection', default: {}, options: [] },
		],
	},
);

function wholeItem(context: IExecuteFunctions, item: number): IDataObject {
	const output = context.getNodeParameter('jsonOutput', item);
	return typeof output === 'string' ? jsonParse<IDataObject>(output) : { ...Object(output) };
}

/** Split Out: one item per element of a list field, without the other fields. */
const splitOut = nodeType(
	'Split Out',
	async function (this: IExecuteFunctions) {
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
	{
		properties: [
			{ displayName: 'Field', name: 'fieldToSplitOut', type: 'string', default: '' },
			{ displayName: 'Include', name: 'include', type: 'string', default: 'noOtherFields' },
		],
	},
);

function isRecord(value: IDataObject[string]): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Nodes of n8n that the tested workflows use, written for the tests because n8n's nodes are not installed. They support only the
 * parameters of these workflows and reject all others, so that no workflow passes here and fails in n8n.
 */
export const builtInNodes: Record<string, INodeType> = {
	'n8n-nodes-base.manualTrigger': startingWith([{ json: {} }]),
	'n8n-nodes-base.noOp': nodeType('No Operation', async function (this: IExecuteFunctions) {
		return [this.getInputData()];
	}),
	'n8n-nodes-base.set': set,
	'n8n-nodes-base.splitOut': splitOut,
	// Sticky notes are never executed.
	'n8n-nodes-base.stickyNote': nodeType('Sticky Note', undefined, {
		inputs: [],
		outputs: [],
		properties: ['content', 'height', 'width', 'color'].map((name) => {
			return { displayName: name, name, type: 'string', default: '' };
		}),
	}),
};
