import { isFieldId, type Field } from './fields';
import { placedValues, type ParsedInput } from '../write/parsedInput';

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

/** Whether reads give numbers to some of the fields, which their list does not tell. */
export function haveNumbers(fields: readonly Field[]): boolean {
	return numberedPlaces(fields).length > 0;
}

/** The fields with the names that reads give them. */
export function withReadNames(fields: readonly Field[], asRead: readonly Field[]): Field[] {
	return fields.map((field) => {
		const read = asRead.find(
			({ fieldId, subtableId }) => fieldId === field.fieldId && subtableId === field.subtableId,
		);
		return read && read.name !== read.fieldId ? { ...field, readName: read.name } : field;
	});
}

/** The fields of the record, or of a subtable, among which some get numbers. */
function numberedPlaces(fields: readonly Field[]): Field[][] {
	const places = [...new Set(fields.map(({ subtableId }) => subtableId))];
	return places
		.map((subtableId) => fields.filter((field) => field.subtableId === subtableId))
		.filter(needNumbers);
}

/** Whether one has no name, which lists tell by its id, or the name of another. */
function needNumbers(fields: readonly Field[]): boolean {
	const names = new Set(fields.map(({ name }) => name));
	return names.size < fields.length || fields.some(({ fieldId }) => names.has(fieldId));
}
