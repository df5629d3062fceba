import type { IDataObject } from 'n8n-workflow';
import { getOrInsert } from '../../api/json/objects';
import { isSubtableKey } from '../../api/values/subtableKeys';

/**
 * Adds an empty list of rows to each simplified record that lacks a subtable of another record of its group, so that all of them
 * have the same keys. The service omits a subtable without rows.
 *
 * @param records text that identifies the sheet and the settings of the read (the group), and the item
 */
export function addMissingSubtables(
	records: ReadonlyArray<readonly [group: string, json: IDataObject]>,
): void {
	const keysOfGroups = new Map<string, Set<string>>();
	for (const [group, json] of records) {
		const keys = getOrInsert(keysOfGroups, group, () => new Set<string>());
		// Raw records have objects of rows instead.
		for (const key of Object.keys(json))
			if (isSubtableKey(key) && Array.isArray(json[key])) keys.add(key);
	}
	for (const [group, json] of records) {
		for (const key of keysOfGroups.get(group) ?? []) json[key] ??= [];
	}
}
