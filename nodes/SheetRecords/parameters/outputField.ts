import type { INodeProperties } from 'n8n-workflow';
import type { ItemParameters } from '../itemParameters';

export const outputFieldParameter: INodeProperties = {
	displayName: 'Output Data Field Name',
	name: 'outputDataFieldName',
	type: 'string',
	required: true,
	placeholder: 'e.g. data',
	default: 'data',
	description: 'The name of the output field to put the file in',
};

/** The name of the output field for files. */
export function readOutputField(item: ItemParameters): string {
	return item.text('outputDataFieldName') || 'data';
}
