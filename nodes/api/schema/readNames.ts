import { type Field } from './fields';

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
export function numberedPlaces(fields: readonly Field[]): Field[][] {
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
