import type { Field } from './fields';
import { isFieldId } from './fields';
import { placedValues } from './inputPlaces';
import type { RecordInput } from './inputPlaces';

/** Reads number the fields of a sheet, of which there are no more than so many digits tell. */
const mostDigits = 4;

/**
 * Whether a key of an item may be the name that a read gives to a field without a name of its own: reads
 * number those that are missing or double.
 */
export function asksForReadNames(fields: readonly Field[], input: RecordInput): boolean {
	const isByName = Object.keys(input).some((key) => !key.startsWith('_') && !isFieldId(key));
	for (const { key, subtableId } of placedValues(input)) {
		if (key.startsWith('_') || (isFieldId(key) && (!isByName || key.length > mostDigits))) continue;
		const candidates = fields.filter((field) => field.subtableId === subtableId);
		const named = candidates.filter(({ fieldId, name }) => fieldId === key || name === key);
		if (named.length > 1 || (named.length === 0 && needNumbers(candidates))) return true;
	}
	return false;
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

/** Whether one has no name, which lists tell by its id, or the name of another. */
function needNumbers(fields: readonly Field[]): boolean {
	const names = new Set(fields.map(({ name }) => name));
	return names.size < fields.length || fields.some(({ fieldId }) => names.has(fieldId));
}
