import {
	jsonParse,
	NodeConnectionTypes,
	NodeOperationError,
	type AssignmentCollectionValue,
	type AssignmentValue,
	type IDataObject,
	type IExecuteFunctions,
	type INodeType,
} from 'n8n-workflow';

/** "When clicking Execute workflow": one empty item. */
const manualTrigger: INodeType = {
	description: {
		displayName: 'Manual Trigger',
		name: 'manualTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Starts the workflow',
		defaults: { name: 'When clicking ‘Execute workflow’' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
	async execute() {
		return [[{ json: {} }]];
	},
};

const noOperation: INodeType = {
	description: {
		displayName: 'No Operation, do nothing',
		name: 'noOp',
		group: ['organization'],
		version: 1,
		description: 'Does nothing',
		defaults: { name: 'No Operation, do nothing' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
	async execute() {
		return [this.getInputData()];
	},
};

/** Edit Fields 3.4: a whole item as JSON, or fields one by one. */
const set: INodeType = {
	description: {
		displayName: 'Edit Fields (Set)',
		name: 'set',
		group: ['input'],
		version: 3.4,
		description: 'Sets fields of an item',
		defaults: { name: 'Edit Fields' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [
			{ displayName: 'Mode', name: 'mode', type: 'string', default: 'manual' },
			{ displayName: 'JSON', name: 'jsonOutput', type: 'json', default: '{}' },
			{
				displayName: 'Fields to Set',
				name: 'assignments',
				type: 'assignmentCollection',
				default: {},
			},
			{ displayName: 'Include', name: 'includeOtherFields', type: 'boolean', default: false },
			{ displayName: 'Options', name: 'options', type: 'collection', default: {}, options: [] },
		],
	},
	async execute() {
		return [
			this.getInputData().map((input, item) => ({
				json: {
					...(this.getNodeParameter('includeOtherFields', item) ? input.json : {}),
					...(this.getNodeParameter('mode', item) === 'raw'
						? wholeItem(this, item)
						: singleFields(this, item)),
				},
				pairedItem: { item },
			})),
		];
	},
};

function wholeItem(context: IExecuteFunctions, item: number): IDataObject {
	const output = context.getNodeParameter('jsonOutput', item);
	return typeof output === 'string' ? jsonParse<IDataObject>(output) : { ...Object(output) };
}

function singleFields(context: IExecuteFunctions, item: number): IDataObject {
	const fields = context.getNodeParameter('assignments', item);
	if (!isAssignmentCollection(fields)) return {};
	return Object.fromEntries(
		fields.assignments.map((field) => {
			// In n8n a dot makes nested fields; no workflow of ours needs that.
			if (field.name.includes('.')) {
				throw new NodeOperationError(context.getNode(), `"${field.name}": no dots here`);
			}
			return [field.name, asType(field)];
		}),
	);
}

function isAssignmentCollection(value: unknown): value is AssignmentCollectionValue {
	return typeof value === 'object' && value !== null && 'assignments' in value;
}

function asType({ value, type }: AssignmentValue) {
	if (type === 'number') return Number(value);
	if (type === 'boolean') return value === true || value === 'true';
	if (type === 'string') return String(value);
	return typeof value === 'string' ? jsonParse<IDataObject>(value) : value;
}

/** One item for each element of a list field. Other fields are left out. */
const splitOut: INodeType = {
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

/** A note on the canvas: never executed. */
const stickyNote: INodeType = {
	description: {
		displayName: 'Sticky Note',
		name: 'stickyNote',
		group: ['input'],
		version: 1,
		description: 'A note on the canvas',
		defaults: { name: 'Sticky Note' },
		inputs: [],
		outputs: [],
		properties: [
			{ displayName: 'Content', name: 'content', type: 'string', default: '' },
			{ displayName: 'Height', name: 'height', type: 'number', default: 160 },
			{ displayName: 'Width', name: 'width', type: 'number', default: 240 },
			{ displayName: 'Color', name: 'color', type: 'number', default: 1 },
		],
	},
};

/**
 * The few nodes of n8n that our workflows use, written anew: n8n's own package is not installed. Each
 * does only what those workflows ask of it and refuses the rest, so that none of them works here
 * but not in n8n.
 */
export const builtInNodes: Record<string, INodeType> = {
	'n8n-nodes-base.manualTrigger': manualTrigger,
	'n8n-nodes-base.noOp': noOperation,
	'n8n-nodes-base.set': set,
	'n8n-nodes-base.splitOut': splitOut,
	'n8n-nodes-base.stickyNote': stickyNote,
};
