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

/** A node with one output, and one input unless it is a trigger. */
export function nodeType(
	name: string,
	execute: INodeType['execute'],
	more: Partial<INodeTypeDescription> = {},
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
		...more,
	};
	return { description, execute };
}

/** A node that begins a workflow with these items. */
export function startingWith(items: INodeExecutionData[]): INodeType {
	return nodeType('Start', async () => [items], { group: ['trigger'], inputs: [] });
}

/** Edit Fields 3.4, by a whole item as JSON. */
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

/** One item for each element of a list field. Other fields are left out. */
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
 * The few nodes of n8n that our workflows use, written anew: n8n's own package is not installed. Each
 * does only what those workflows ask of it and refuses the rest, so that none of them works here
 * but not in n8n.
 */
export const builtInNodes: Record<string, INodeType> = {
	'n8n-nodes-base.manualTrigger': startingWith([{ json: {} }]),
	'n8n-nodes-base.noOp': nodeType('No Operation', async function (this: IExecuteFunctions) {
		return [this.getInputData()];
	}),
	'n8n-nodes-base.set': set,
	'n8n-nodes-base.splitOut': splitOut,
	// A note on the canvas is never executed.
	'n8n-nodes-base.stickyNote': nodeType('Sticky Note', undefined, {
		inputs: [],
		outputs: [],
		properties: ['content', 'height', 'width', 'color'].map((name) => {
			return { displayName: name, name, type: 'string', default: '' };
		}),
	}),
};
