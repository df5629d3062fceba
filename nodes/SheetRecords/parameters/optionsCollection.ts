import type { INodeProperties } from 'n8n-workflow';

/** The collection `options` of an operation, in the order of the alphabet. */
export function optionsCollection(options: readonly INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [...options].sort((left, right) => left.displayName.localeCompare(right.displayName)),
	};
}
