import type { IDataObject } from 'n8n-workflow';
import { isSubtableKey } from '../../api/values/subtableKeys';

/** Operations that skip items without a record or a file. */
const skippingOperations: ReadonlySet<string> = new Set([
	...['file.upload', 'record.delete', 'record.upsert'],
]);

/**
 * Gives the items of a run the same keys if one of them was skipped: n8n's table shows a missing key as a red *undefined*. A skipped
 * item without a record gets the keys of the others, with null or without rows. Other items of a deletion or an upload get `_action`, with null.
 *
 * @param operation the operation of the run, such as `record.delete`
 */
export function addKeysOfSkippedItems(
	operation: string | undefined,
	items: readonly IDataObject[],
): void {
	if (operation === undefined || !skippingOperations.has(operation)) return;
	const skipped = items.filter(({ _action }) => _action === 'skipped');
	if (skipped.length === 0) return;
	const keys = new Set(items.flatMap((json) => Object.keys(json)));
	// Any item may have or lack a warning.
	keys.delete('_warning');
	for (const json of skipped) {
		// An item with a record that was not read would seem to have empty fields.
		const isWithoutRecord = (json._recordId ?? null) === null;
		for (const key of isWithoutRecord ? keys : []) json[key] ??= isSubtableKey(key) ? [] : null;
	}
	for (const json of items) json._action ??= null;
}
