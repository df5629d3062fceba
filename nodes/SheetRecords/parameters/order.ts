import { choiceOf, entriesParameter, flagOption, type Parameter } from '../../ui/parameter';
import { entryField, pickList } from '../../ui/pickList';
import { schemaOf } from '../../ui/sheet';
import type { ListOrder } from '../../api/read/records';
import type { ItemContext } from '../itemContext';

const rules = entriesParameter({
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
});

/** The option that turns the default order around. */
export const newestFirst = flagOption({
	displayName: 'Newest First',
	name: 'reverse',
	type: 'boolean',
	default: true,
	description: 'Whether to reverse the default order, by creation, so that the newest comes first',
});

/** The fields by which the item wants its records sorted. */
export const sortParameter: Parameter<Promise<NonNullable<ListOrder['by']>>, ItemContext> = {
	properties: rules.properties,
	deferred: true,
	async parse(item) {
		const by: NonNullable<ListOrder['by']> = [];
		for (const { field, direction } of rules.parse(item)) {
			const key = entryField(field, 'A rule', 'Sort');
			const ordered = choiceOf(direction, 'Direction', ['ASC', 'DESC']);
			const { fieldId } = await schemaOf(item).field(key);
			by.push({ fieldId, direction: ordered });
		}
		return by;
	},
};
