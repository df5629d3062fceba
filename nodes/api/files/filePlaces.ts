import { findField, type Field } from '../sheet/fields';
import type { Schema } from '../sheet/schema';
import { InputError } from '../values/inputError';
import type { FilePlace } from '../write/recordContent';

/** Parses a key in the format `<field>_<row id>`. The row ID of a new row is negative. Returns undefined for other keys. */
function rowFieldOf(key: string): { field: string; rowId: string } | undefined {
	const [, field, rowId] = /^(.+)_(0|-?[1-9]\d*)\s*$/s.exec(key) ?? [];
	return field === undefined || rowId === undefined ? undefined : { field, rowId };
}

/**
 * Returns the place of the field that a user's key for a file names. Checks neither the type of the field nor the existence
 * of a field ID. Throws InputError for an unknown or ambiguous name, and for the name of a subtable's field without a row ID.
 * Throws ServiceError.
 */
export async function findFilePlace(schema: Schema, key: string): Promise<FilePlace> {
	const inRow = rowFieldOf(key);
	if (!inRow) return { fieldId: (await schema.field(key)).fieldId };
	return await schema.resolved([inRow.field], (known) => filePlaceIn(known, key));
}

/**
 * Returns the field that a key names: a field of the record or, as `<field>_<row id>`, of a row. The exact name of a field of
 * the record takes precedence. Throws InputError for an unknown name, and for a row of a field that is not in a subtable.
 */
export function filePlaceIn(fields: readonly Field[], key: string): FilePlace {
	const ofRecord = fields.filter(({ subtableId }) => subtableId === undefined);
	const inRow = ofRecord.some(({ name }) => name === key) ? undefined : rowFieldOf(key);
	if (!inRow) return { fieldId: findField(fields, key).fieldId };
	const { field, rowId } = inRow;
	const inRows = fields.filter(({ subtableId }) => subtableId !== undefined);
	const isIn = (list: readonly Field[]) =>
		list.some(({ fieldId, name }) => fieldId === field || name === field);
	if (isIn(ofRecord) && !isIn(inRows)) {
		throw new InputError(
			`'${field}' is a field of the record itself, not of a row of it`,
			`Leave out the row: '${field}' in place of '${key}'.`,
		);
	}
	const withoutTables = inRows.map((listed) => ({ ...listed, subtableId: undefined }));
	const { fieldId } = findField(withoutTables, field);
	const subtableId = inRows.find((listed) => listed.fieldId === fieldId)?.subtableId;
	return { fieldId, rowId, subtableId };
}
