import { getOrInsert } from '../../api/json/objects';
import { FieldIndex } from '../../api/sheet/fieldIndex';
import { fieldMapKey, type KnownNames } from '../../api/sheet/fieldNames';
import { listOf, type Field } from '../../api/sheet/fields';
import type { SheetFields } from '../../api/sheet/sheetFields';
import { inParameter } from '../../api/values/inputError';
import type { OutputOptions } from '../parameters/options';

/**
 * Read options, whether the records are simplified (true by default), and the names of fields in the items of a delivery, which may be
 * older than the list of fields.
 */
export type FileOptions = OutputOptions & { simplify?: boolean; itemNames?: KnownNames };

/** Key of a field of 'Download Files' → whether the record has it, its rows, or, if that is not known, both may have it. */
export type FileKeys = ReadonlyMap<string, ReadonlySet<'record' | 'rows'>>;

export const anywhere: ReadonlySet<'record' | 'rows'> = new Set(['record', 'rows']);

/**
 * Returns the keys that the fields of 'Download Files' have in records. Throws InputError for unknown names, and
 * ServiceError.
 */
export async function fileKeys(
	sheetFields: SheetFields,
	{ downloadFiles = [], naming, simplify, itemNames }: FileOptions,
): Promise<FileKeys> {
	const keys = new Map<string, Set<'record' | 'rows'>>();
	if (downloadFiles.length === 0) return keys;
	const index = await sheetFields.load({ readNames: true });
	const keysOf = (field: Field): string[] => {
		const { fieldId, subtableId } = field;
		if (naming === 'EID') return [fieldId];
		const named = itemNames && [itemNames[fieldMapKey(fieldId, subtableId)] ?? fieldId];
		// A delivered record has the same names in both forms.
		const rawKey = simplify === false && !itemNames ? index.readKey(field) : undefined;
		return [rawKey ?? index.outputKey(field), ...(named ?? [])];
	};
	for (const key of await sheetFields.fieldKeys(downloadFiles)) {
		await inParameter('Download Files', async () => await sheetFields.requireField(key));
		const listed = index.listed(key, 'anywhere');
		if (listed.length === 0) keys.set(key, new Set(anywhere));
		for (const field of listed) {
			const place = field.subtableId === undefined ? 'record' : 'rows';
			for (const each of keysOf(field)) getOrInsert(keys, each, () => new Set()).add(place);
		}
	}
	return keys;
}

/**
 * Returns the keys of the fields of 'Download Files'. If no record has one of them, the field was renamed since the list of fields
 * was loaded, so loads the list again. Throws as `fileKeys`.
 */
export async function currentFileKeys(
	sheetFields: SheetFields,
	options: FileOptions,
	records: readonly object[],
): Promise<FileKeys> {
	const isOutdated = async (keys: FileKeys) => {
		if (keys.size === 0 || options.itemNames) return false;
		const index = await sheetFields.load({ readNames: true });
		const isOfRecord = (key: string) => index.listed(key, 'record').length > 0;
		// Deleted and missing records have no fields.
		const whole = records.filter((record) => Object.keys(record).some(isOfRecord));
		// Records without rows lack the fields of rows.
		const isRenamed = (key: string) => isOfRecord(key) && !whole.some((record) => key in record);
		return whole.length > 0 && [...keys.keys()].some(isRenamed);
	};
	return await sheetFields.renewedIf(isOutdated, async () => await fileKeys(sheetFields, options));
}

/**
 * Returns a sentence if records lack fields of 'Download Files' because they have only the fields of the listing page or no rows, or
 * because the sheet has no such fields. Never throws.
 */
export async function absentFields(
	sheetFields: SheetFields,
	{ listing = false, subtables = true, itemNames }: FileOptions,
	{ keys, records }: { keys: FileKeys; records: readonly object[] },
): Promise<string[]> {
	if (itemNames) return [];
	const index = await sheetFields.load({ readNames: true }).catch(() => new FieldIndex({}));
	const isExpected = (key: string) =>
		(!listing && index.listed(key, 'record').length > 0) ||
		(subtables && index.listed(key, 'rows').length > 0);
	const isWhole = (record: object) =>
		Object.keys(record).some((key) => index.listed(key, 'record').length > 0);
	const isAbsent = (key: string) => !isExpected(key) && !records.some((record) => key in record);
	const absent = [...keys.keys()].filter(isAbsent);
	if (absent.length === 0 || !records.some(isWhole)) return [];
	return [`The records do not have these fields of 'Download Files': ${listOf(absent)}.`];
}
