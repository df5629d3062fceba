import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';

/** Returns the mapper with "Map Automatically", as stored by the editor. */
export function autoMapped(matchingColumns: string[] = []): INodeParameters {
	return mapper('autoMapInputData', null, matchingColumns);
}

/** Returns the mapper with "Map Each Column Manually", as stored by the editor. */
export function mapped(
	value: INodeParameters,
	matchingColumns: string[] = [],
	schema: INodeParameters[] = [],
): INodeParameters {
	return mapper('defineBelow', value, matchingColumns, schema);
}

/** Returns the record as JSON, as stored by the editor: a text or an expression. */
export function asJson(recordJson: string | object): INodeParameters {
	const text = typeof recordJson === 'string' ? recordJson : JSON.stringify(recordJson);
	return { inputMode: 'json', recordJson: text };
}

/** Returns the option for files, as stored by the editor. */
export function filesOption(...file: Array<[fieldId: string, names: string]>): INodeParameters {
	const entries = file.map(([fieldId, inputDataFieldName]) => ({ fieldId, inputDataFieldName }));
	return { files: { file: entries } };
}

export function withFiles(...file: Array<[fieldId: string, names: string]>): INodeParameters {
	return { options: filesOption(...file) };
}

function mapper(
	mappingMode: string,
	value: NodeParameterValueType,
	matchingColumns: string[],
	schema: INodeParameters[] = [],
): INodeParameters {
	const conversion = { attemptToConvertTypes: false, convertFieldsToString: false };
	return {
		inputMode: 'fields',
		fields: { mappingMode, value, matchingColumns, schema, ...conversion },
	};
}
