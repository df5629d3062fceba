import type { ReferenceService } from '../../service';

type StoredRecord = ReturnType<ReferenceService['data']['record']>;

/** Returns the fields and rows of a stored record as plain objects, without fields that have no value. */
export function storedValues({ content }: StoredRecord): Record<string, unknown> {
	const rows = [...content.subtables].map(([subtableId, byId]): [string, unknown] => [
		`_subtable_${subtableId}`,
		[...byId].map(([rowId, row]) => [rowId, Object.fromEntries(row)]),
	]);
	const values = [...content.values].filter(([, value]) => value !== '' && value.length > 0);
	return Object.fromEntries([...values, ...rows.filter(([, list]) => Object(list).length > 0)]);
}
