import type { FieldIndex } from '../sheet/fieldIndex';
import type { SheetFields } from '../sheet/sheetFields';
import { InputError } from '../values/inputError';
import type { FilePlace } from '../write/recordContent';

/** Parses a key in the format `<field>_<row id>`. The row ID of a new row is negative. Returns undefined for other keys. */
function rowFieldOf(key: string): { field: string; rowId: string } | undefined {
	const [, field, rowId] = /^(.+)_(0|-?[1-9]\d*)\s*$/s.exec(key) ?? [];
	return field === undefined || rowId === undefined ? undefined : { field, rowId };
}

/**
 * Returns the place of the field that a user's key for a file names. Checks neither the type of the field nor the existence
 * of a field ID that is not listed. Throws InputError for an unknown or ambiguous name, and for a subtable's field without a row ID.
 * Throws ServiceError.
 */
export async function findFilePlace(sheetFields: SheetFields, key: string): Promise<FilePlace> {
	const { field = key } = rowFieldOf(key) ?? {};
	return await sheetFields.resolved([field], (index) => filePlaceIn(index, key));
}

/**
 * Returns the field that a key names: a field of the record or, as `<field>_<row id>`, of a row. The exact name of a field of
 * the record takes precedence. Throws InputError for an unknown name, and for a row of a field that is not in a subtable.
 */
export function filePlaceIn(index: FieldIndex, key: string): FilePlace {
	const inRow = index.hasName(key, 'record') ? undefined : rowFieldOf(key);
	if (!inRow) return { fieldId: index.require(key, 'record').fieldId };
	const { field, rowId } = inRow;
	const isOfRecord = index.listed(field, 'record').length > 0;
	if (isOfRecord && index.listed(field, 'rows').length === 0) {
		throw new InputError(
			`'${field}' is a field of the record itself, not of a row of it`,
			`Leave out the row: '${field}' in place of '${key}'.`,
		);
	}
	const { fieldId, subtableId } = index.require(field, 'rows');
	return { fieldId, rowId, subtableId };
}
