import { option } from './parameter';
import { apiVersion } from '../api/values/query';
import { textOf } from '../api/values/text';

/** The option that names the version of the API (specification, "Versioning"); an empty text when it is left empty. */
export const versionOption = option(
	{
		displayName: 'API Version',
		name: 'version',
		type: 'string',
		placeholder: 'e.g. 2025-01-01',
		default: apiVersion,
		description: 'The version of the API to use, as a date',
	},
	textOf,
);
