import { fieldKey } from '../../wire/fields';
import { InputError } from '../../wire/inputError';
import { textOf } from '../../wire/text';
import type { ItemParameters } from '../itemParameters';
import { readInputMode } from './recordValues';

/** The fields by which an item finds its records, as the user gave them, each once. */
export function readMatchKeys(item: ItemParameters): string[] {
	const value =
		readInputMode(item) === 'json'
			? item.value('matchFields')
			: item.value('fields.matchingColumns');
	const keys = (Array.isArray(value) ? value : textOf(value).split(/\s*,\s*/))
		.map(fieldKey)
		.filter((key) => key !== '');
	if (keys.length > 0) return [...new Set(keys)];
	throw new InputError(
		'No field to match on is chosen',
		"Choose the fields by which existing records are found, in 'Fields to match on' or, for JSON, in 'Match Field Names or IDs'.",
	);
}
