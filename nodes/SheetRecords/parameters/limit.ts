import type { INodeProperties } from 'n8n-workflow';
import type { ItemParameters } from '../itemParameters';

export const limitParameters: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		displayOptions: { show: { returnAll: [false] } },
		default: 50,
		description: 'Max number of results to return',
	},
];

/**
 * How many results the item wants: Infinity for all.
 *
 * @throws InputError for a number below 1, or a flag that is none
 */
export function readLimit(item: ItemParameters): number {
	return item.flag('returnAll', 'Return All') ? Infinity : item.wholeNumber('limit', 'Limit', 1);
}
