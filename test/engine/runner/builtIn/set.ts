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

/** Edit Fields 3.4: a whole item as JSON, or fields one by one. */
export const set: INodeType = {
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
