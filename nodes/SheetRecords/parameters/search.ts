import { flagOption, option, type Parameter } from '../../ui/parameter';
import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../api/values/inputError';
import { textOf } from '../../api/values/text';

/** The option of a text to look for, as it is written. */
export const fullText = searchText({
	displayName: 'Full-Text Search',
	name: 'fullText',
	type: 'string',
	default: '',
	description: 'Text to look for in all fields',
});

/** Options that apply a filter of the sheet beside the conditions. */
export const sheetFilters = {
	sharedViewId: searchText({
		displayName: 'Shared View ID',
		name: 'sharedViewId',
		type: 'string',
		placeholder: 'e.g. 77',
		default: '',
		description: 'The ID of a shared view of the sheet, whose filter also applies',
	}),
	defaultFilter: flagOption({
		displayName: 'Apply Default Filter',
		name: 'defaultFilter',
		type: 'boolean',
		default: true,
		description: "Whether to apply the sheet's default filter, too",
	}),
};

/** What narrows the search: an expression that finds nothing would widen it to all records. */
function searchText(property: INodeProperties): Parameter<string | undefined> {
	return option(property, (value, displayName) => {
		if (value === undefined || value === null) {
			throw new InputError(
				`'${displayName}' has no value`,
				'Check its expression. To search without it, let it yield an empty text.',
			);
		}
		return typeof value === 'string' ? value : textOf(value);
	});
}
