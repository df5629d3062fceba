import { flagParameter, readParameters, shownOf, verbatimText } from '../../shared/parameter';
import type { Parameter } from '../../shared/parameter';
import type { ListSearch } from '../../service/records';
import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../wire/inputError';

const parameters = {
	fullText: searchText({
		displayName: 'Full-Text Search',
		name: 'fullText',
		type: 'string',
		default: '',
		description: 'Text to look for in all fields',
	}),
	sharedViewId: searchText({
		displayName: 'Shared View ID',
		name: 'sharedViewId',
		type: 'string',
		placeholder: 'e.g. 77',
		default: '',
		description: 'The ID of a shared view of the sheet, whose filter also applies',
	}),
	defaultFilter: flagParameter({
		displayName: 'Apply Default Filter',
		name: 'defaultFilter',
		type: 'boolean',
		default: false,
		description: "Whether to apply the sheet's default filter, too",
	}),
};

/** What narrows the list beside conditions: full-text search, a shared view and the default filter. */
export const searchParameter: Parameter<ListSearch> = {
	shown: shownOf(parameters),
	read: (call) => readParameters(parameters, call),
};

/** What narrows the search: an expression that finds nothing would widen it to all records. */
function searchText(property: INodeProperties): Parameter<string> {
	const { name, displayName } = property;
	const { shown, read } = verbatimText(property);
	return {
		shown,
		read(call) {
			const value = call.item.value(name);
			if (value !== undefined && value !== null) return read(call);
			throw new InputError(
				`'${displayName}' has no value`,
				'Check its expression. To search without it, let it yield an empty text.',
			);
		},
	};
}
