import type { INodeProperties } from 'n8n-workflow';
import { choiceOf } from '../../shared/settings';
import type { QueryParameter } from '../../wire/query';
import { fieldKey } from '../../wire/fields';
import { InputError } from '../../wire/inputError';
import type { ItemParameters } from '../itemParameters';
import type { SheetFields } from '../sheetFields';
import { pickList } from './pickList';

export const sortParameters: INodeProperties[] = [
	{
		displayName: 'Sort',
		name: 'sort',
		type: 'fixedCollection',
		placeholder: 'Add Sort Rule',
		default: {},
		description: 'The order of the records. Without one, the oldest comes first.',
		options: [
			{
				displayName: 'Sort Rule',
				name: 'rule',
				values: [
					pickList('field', 'Field Name or ID', 'getFilterFields'),
					{
						displayName: 'Direction',
						name: 'direction',
						type: 'options',
						options: [
							{ name: 'Ascending', value: 'ASC' },
							{ name: 'Descending', value: 'DESC' },
						],
						default: 'ASC',
					},
				],
			},
		],
	},
	{
		displayName: 'Newest First',
		name: 'reverse',
		type: 'boolean',
		default: false,
		description:
			'Whether to reverse the default order, by creation, so that the newest comes first',
	},
];

/**
 * The order that the item chose, as query parameters.
 *
 * @throws InputError for a rule without a field, an unknown field name, and when an
 *   expression yields what a choice cannot be
 */
export async function readOrder(
	item: ItemParameters,
	sheetFields: SheetFields,
): Promise<QueryParameter[]> {
	const order: QueryParameter[] = [];
	for (const { field, direction } of item.entries('sort', 'rule')) {
		const key = fieldKey(field);
		if (key === '') {
			throw new InputError(
				"A rule in 'Sort' has no field",
				'Choose its field, or remove the rule.',
			);
		}
		const ordered = choiceOf(direction, 'Direction', ['ASC', 'DESC']);
		const { fieldId } = await sheetFields.find(key);
		order.push(['order', `${fieldId},${ordered}`]);
	}
	if (item.flag('reverse', 'Newest First')) order.push(['reverse', true]);
	return order;
}
