import { SheetFields } from '../../../api/sheet/sheetFields';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import type { Item } from '../../run/itemContext';

/**
 * Adds a hint that a copy of a record may contain automatic numbers and computed values, if the user may not read which fields hold
 * them. Throws ServiceError if the service cannot be reached.
 */
export async function noteUntypedCopy(
	{ client, run }: Pick<Item, 'client' | 'run'>,
	sheet: SheetAddress,
): Promise<void> {
	const known = await new SheetFields(client, sheet).loadKindsIfKnown();
	if (!known?.isTyped) run.hints.isCopiedUntyped = true;
}
