import type { INodeProperties } from 'n8n-workflow';
import type { RowContent } from '../../api/write/recordContent';
import { chosenSheet } from '../../ui/pickList';
import { InputError } from '../../api/values/inputError';
import { subtableKey } from '../../api/values/subtableKeys';
import { readRowFiles } from './fileEntries';
import { inputMode, mapperProperty, rowFileEntries } from './recordValueProperties';
import { readChanges, readMappedOrJson } from './recordValues';
import { subtableParameter } from './subtable';
import type { Parameter } from '../../ui/parameter';
import type { ItemContext } from '../itemContext';

const rowJson: INodeProperties = {
	displayName: 'Row (JSON)',
	name: 'rowJson',
	type: 'json',
	required: true,
	displayOptions: { show: { inputMode: ['json'] } },
	placeholder: 'e.g. { "Article": "Chair", "Quantity": 2 }',
	default: '{}',
	description: 'Field names or IDs with their values',
};

/**
 * What the item writes into a row of the subtable, with field ids for names. Refused are JSON that is
 * none, unknown names, values that cannot be written, missing files, and to write nothing at all.
 */
export const rowValuesParameter: Parameter<Promise<RowContent>, ItemContext> = {
	properties: [
		...inputMode.properties,
		mapperProperty({
			mode: 'add',
			addAllFields: true,
			method: 'getRowFields',
			dependsOn: [...chosenSheet, 'subtableId'],
		}),
		rowJson,
		...rowFileEntries.properties,
	],
	deferred: true,
	async parse(item) {
		const { subtableId } = await subtableParameter.parse(item);
		const { input, isAutoMapped } = readMappedOrJson(item, rowJson);
		const values = Object.fromEntries(Object.entries(input).filter(([key]) => key !== '_rowId'));
		const record = { [subtableKey(subtableId)]: [values] };
		const { subtables } = await readChanges(item, record, isAutoMapped);
		const [row] = [...(subtables.get(subtableId)?.values() ?? [])];
		const files = await readRowFiles(item, subtableId);
		if (row || files.length > 0) return { values: row ?? new Map(), files };
		throw new InputError(
			'There is nothing to write: no field of the row has a value',
			"To empty fields on purpose, turn on the option 'Clear Empty'.",
		);
	},
};
