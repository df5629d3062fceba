import type { INodeProperties, ResourceMapperTypeOptionsBase } from 'n8n-workflow';
import { builderHint, choiceParameter, entriesParameter } from '../../ui/parameter';
import { chosenSheet, pickList } from '../../ui/pickList';

/** How the item gives its values. */
export const inputMode = choiceParameter({
	displayName: 'Input',
	name: 'inputMode',
	type: 'options',
	options: [
		{ name: 'Fields', value: 'fields', description: 'Map the fields of the sheet' },
		{ name: 'JSON', value: 'json', description: 'Give all values as JSON' },
	],
	default: 'fields',
	description: 'How the values to write are given',
	...builderHint(
		"'fields' needs the IDs of the sheet's fields, unless the mapping mode is autoMapInputData, which takes the fields of each item by name. When only field names are known, use 'json'.",
	),
});

interface MapperKind {
	mode: ResourceMapperTypeOptionsBase['mode'];
	addAllFields: boolean;
	method: string;
	dependsOn: string[];
}

/** The mapper of fields, of a record or of a row. */
export function mapperProperty(kind: MapperKind): INodeProperties {
	return {
		displayName: 'Fields',
		name: 'fields',
		type: 'resourceMapper',
		noDataExpression: true,
		required: true,
		displayOptions: { show: { inputMode: ['fields'] } },
		default: { mappingMode: 'defineBelow', value: null },
		typeOptions: {
			loadOptionsDependsOn: kind.dependsOn,
			resourceMapper: {
				resourceMapperMethod: kind.method,
				mode: kind.mode,
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: kind.addAllFields,
				multiKeyMatch: kind.mode === 'upsert',
				supportAutoMap: true,
				// The method says itself why there are none, and not in red.
				hideNoDataError: true,
			},
		},
	};
}

export const recordJson: INodeProperties = {
	displayName: 'Record (JSON)',
	name: 'recordJson',
	type: 'json',
	required: true,
	displayOptions: { show: { inputMode: ['json'] } },
	placeholder: 'e.g. { "Customer": "Acme", "_subtable_2000001": [{ "Article": "Chair" }] }',
	default: '{}',
	description:
		'Field names or IDs with their values. Subtable rows go in _subtable_ID as an array: a row with _rowId is changed, one without is created. Rows to delete go in _DELSUB_ID as an array of row IDs.',
	...builderHint(
		'An object for each item, e.g. ={{ { "Customer": $json.name, "Amount": $json.total } }}. Names must be those of the sheet, exactly; a name that the sheet does not have is refused and nothing is written.',
	),
};

export const subtableRows = entriesParameter({
	displayName: 'Subtable Rows',
	name: 'subtables',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	displayOptions: { show: { inputMode: ['fields'] } },
	placeholder: 'Add Row',
	default: {},
	options: [
		{
			displayName: 'Row',
			name: 'rows',
			values: [
				pickList('subtableId', 'Subtable Name or ID', 'getSubtables'),
				{
					displayName: 'Row (JSON)',
					name: 'rowJson',
					type: 'json',
					placeholder: 'e.g. { "Article": "Chair", "Quantity": 2 }',
					default: '{}',
					description:
						'Field names or IDs with their values. With _rowId the row is changed, without it is created.',
				},
			],
		},
	],
});

function fileEntriesFor(description: string, fieldId: INodeProperties & { name: 'fieldId' }) {
	return entriesParameter({
		displayName: 'Files',
		name: 'files',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add File',
		default: {},
		description,
		options: [
			{
				displayName: 'File',
				name: 'file',
				values: [
					fieldId,
					{
						displayName: 'Input Data Field Name',
						name: 'inputDataFieldName',
						type: 'string',
						default: 'data',
						description:
							'The name of the input field that holds the file. Several names with commas between add several files.',
					},
				],
			},
		],
	});
}

export const fileEntries = fileEntriesFor(
	'Files for file and image fields. They are added to those that a field holds.',
	pickList(
		'fieldId',
		'Field Name or ID',
		'getFields',
		'A field of a subtable row is field_rowID: Photo_17, or Photo_-1 for the first of the new rows.',
	),
);

export const rowFileEntries = fileEntriesFor(
	'Files for file and image fields of the row. They are added to those that a field holds.',
	pickList('fieldId', 'Field Name or ID', 'getRowFileFields'),
);

/**
 * What says which values to write, for an operation of the given kind.
 *
 * @param matching shown behind the input mode
 */
export function recordValueProperties(
	mode: ResourceMapperTypeOptionsBase['mode'],
	addAllFields: boolean,
	matching: readonly INodeProperties[] = [],
): INodeProperties[] {
	return [
		...inputMode.properties,
		...matching,
		mapperProperty({
			mode,
			addAllFields,
			method: 'getRecordFields',
			dependsOn: chosenSheet,
		}),
		recordJson,
		...subtableRows.properties,
		...fileEntries.properties,
	];
}
