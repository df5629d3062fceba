import type { IDataObject } from 'n8n-workflow';
import { getOrInsert } from '../../api/json/objects';
import { isSubtableKey } from '../../api/values/subtableKeys';

/**
 * Adds an empty list of rows to each simplified record that lacks a subtable of another record of its sheet, so that all of them
 * have the same keys. The service omits a subtable without rows.
 *
 * @param records any text that identifies the sheet, and the item
 */
export function addMissingSubtables(
	records: ReadonlyArray<readonly [sheet: string, json: IDataObject]>,
): void {
	const keysOfSheets = new Map<string, Set<string>>();
	for (const [sheet, json] of records) {
		const keys = getOrInsert(keysOfSheets, sheet, () => new Set<string>());
		// Raw records have objects of rows instead.
		for (const key of Object.keys(json))
			if (isSubtableKey(key) && Array.isArray(json[key])) keys.add(key);
	}
	for (const [sheet, json] of records) {
		for (const key of keysOfSheets.get(sheet) ?? []) json[key] ??= [];
	}
}
