import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';

/** The mapper on "Map Automatically", as the editor stores it. */
export function autoMapped(matchingColumns: string[] = []): INodeParameters {
	return mapper('autoMapInputData', null, matchingColumns);
}

/** The mapper on "Map Each Column Manually", as the editor stores it. */
export function mapped(
	value: INodeParameters,
	matchingColumns: string[] = [],
	schema: INodeParameters[] = [],
): INodeParameters {
	return mapper('defineBelow', value, matchingColumns, schema);
}

/** The record as JSON, as the editor stores it: a text, or an expression. */
export function asJson(recordJson: string | object): INodeParameters {
	const text = typeof recordJson === 'string' ? recordJson : JSON.stringify(recordJson);
	return { inputMode: 'json', recordJson: text };
}

/** The option of files, by itself or as the editor stores it among other options. */
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
