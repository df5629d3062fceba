import { type Field, isFieldId } from '../schema/fields';
import { numberedPlaces } from '../schema/fieldNames';
import { type ParsedInput, placedValues } from './parsedInput';

/** A sheet has fewer fields than a number of so many digits says: a longer one is no read's number. */
const mostDigits = 4;

/**
 * Whether a key of an item may be the name that a read gives to a field without a name of its own: reads
 * number those that are missing or double.
 */
export function asksForReadNames(fields: readonly Field[], input: ParsedInput): boolean {
	const numbered = numberedPlaces(fields);
	if (numbered.length === 0) return false;
	const keys = placedValues(input).filter(({ key }) => !key.startsWith('_'));
	const isByName = keys.some(({ key }) => !isFieldId(key));
	return keys.some(({ key, subtableId }) => {
		const siblings = numbered.find(([first]) => first?.subtableId === subtableId) ?? [];
		const named = siblings.filter(({ fieldId, name }) => fieldId === key || name === key);
		const mayBeNumber = isByName && key.length <= mostDigits;
		if (named.length !== 0 || siblings.length === 0) return named.length > 1;
		return mayBeNumber || !isFieldId(key);
	});
}
