import type { INodeProperties } from 'n8n-workflow';
import { apiVersion } from '../../wire/apiVersion';

/** The option that names the version of the API (specification, "Versioning"), for a collection. */
export const versionOption: INodeProperties = {
	displayName: 'API Version',
	name: 'version',
	type: 'string',
	placeholder: 'e.g. 2025-01-01',
	default: apiVersion,
	description: 'The version of the API to use, as a date',
};
