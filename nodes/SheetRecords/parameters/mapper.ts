import type { INodeProperties, ResourceMapperTypeOptionsBase } from 'n8n-workflow';
import { chosenSheet } from '../../shared/editor/pickList';
import { notice } from '../../shared/parameters/parameter';

/** Shown if the service lists no types for the fields of the mapper. The first entry has this information for all fields. */
const typesNotice = notice(
	'typesNotice',
	'The service reveals field types to administrators only. Lists show values already in use; for others, use an expression.',
	{ show: { inputMode: ['fields'], '/fields.schema[0].isTyped': [false] } },
);

/** Replaces n8n's hint for match columns, which speaks of rows. Only shown if the mapper has match fields. */
const matchHint = 'Fields that find existing records, such as an order number';

const isHidden = { _cnd: { not: false } };

/**
 * Shown if a mapper that lists all fields hides its first ones. n8n keeps the fields of an update hidden when the operation
 * changes. The condition checks three fields, because n8n has no condition on all. The first entry is not checked, because it may be the record ID.
 */
const hiddenFieldsNotice = notice(
	'hiddenFieldsNotice',
	"Fields that are not listed here are not sent. To list all fields, choose 'Add All Fields' in the menu ⋮ of 'Values to Send'.",
	{
		show: {
			inputMode: ['fields'],
			'/fields.mappingMode': ['defineBelow'],
			'/fields.schema[1].removed': [true],
			'/fields.schema[2].removed': [isHidden],
			'/fields.schema[3].removed': [isHidden],
		},
	},
);

/** The mapper of fields, and notices about it. `addAllFields` shows all fields at first; otherwise the user adds fields. */
export function mapperProperties(
	mode: ResourceMapperTypeOptionsBase['mode'],
	addAllFields: boolean,
	resourceMapperMethod: 'getRecordFields' | 'getRowFields',
): INodeProperties[] {
	const isOfRow = resourceMapperMethod === 'getRowFields';
	const unchosen = { sheet: [''], ...(isOfRow ? { subtableId: [''] } : {}) };
	const mapper: INodeProperties = {
		displayName: 'Fields',
		name: 'fields',
		type: 'resourceMapper',
		noDataExpression: true,
		required: true,
		// n8n loads the fields when the mapper appears, so it appears once the sheet and, for a row, the subtable are
		// selected. Later changes of them reload the fields only if all expressions have data.
		displayOptions: { show: { inputMode: ['fields'] }, hide: unchosen },
		default: { mappingMode: 'defineBelow', value: null },
		typeOptions: {
			loadOptionsDependsOn: [...chosenSheet, ...(isOfRow ? ['subtableId'] : [])],
			resourceMapper: {
				resourceMapperMethod,
				mode,
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields,
				multiKeyMatch: mode === 'upsert',
				supportAutoMap: true,
				matchingFieldsLabels: { hint: matchHint },
				// The method itself explains why there are no fields, and not as an error.
				hideNoDataError: true,
				// Needed for imported workflows. Spread, because the types of the oldest supported n8n lack these options.
				...{ refreshIncompleteSchemaOnOpen: true, refreshStaleSchemaOnOpen: true },
			},
		},
	};
	const notices = addAllFields ? [typesNotice, hiddenFieldsNotice] : [typesNotice];
	return [...notices.flatMap(({ properties }) => properties), mapper];
}
