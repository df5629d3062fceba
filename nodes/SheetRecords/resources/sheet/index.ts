import type { Resource } from '../../operation';
import { getFields } from './getFields';
import { importFromUrl } from './importFromUrl';

export const sheet: Resource = {
	value: 'sheet',
	name: 'Sheet',
	description: 'A sheet with its fields',
	defaultOperation: getFields,
	operations: [getFields, importFromUrl],
};
