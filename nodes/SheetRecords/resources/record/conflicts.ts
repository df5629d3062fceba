import { cacheKey, type CachePart } from '../../../api/http/runCache';
import { getOrInsert } from '../../../api/json/objects';
import { LaterChanges } from '../../../api/read/laterChanges';
import { InputError } from '../../../api/values/inputError';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import type { Item } from '../../itemContext';

/** Who has changed records meanwhile, by sheet and by the offset in which items were read. */
const laterChanges: CachePart<LaterChanges> = { name: 'laterChanges' };
/** The records that this run has written. */
const ownWrites: CachePart<true> = { name: 'ownWrites' };

/** Where an item may be written, and whether a record is that somebody has changed since the item was read. */
interface Wanted {
	sheet: SheetAddress;
	options: { onConflict?: 'error' | 'overwrite' };
}

function changesOf({ client, json }: Item, sheet: SheetAddress): LaterChanges {
	const hours = typeof json._timeZone === 'number' ? json._timeZone : undefined;
	const name = `${cacheKey(client, sheet)} ${hours}`;
	const make = () => new LaterChanges(sheet, hours);
	return getOrInsert(client.cache.part(laterChanges), name, make);
}

/** Has to be called for each item before the first of them is written: changes are looked for together. */
export function expectUnchanged(item: Item, { sheet, options }: Wanted): void {
	if (options.onConflict === 'error') changesOf(item, sheet).expect(item.json._update_date);
}

/** Has to be called when an item was written: to the items behind it, that is no conflict. */
export function addOwnWrite({ client }: Item, sheet: SheetAddress, recordId: string): void {
	client.cache.part(ownWrites).set(`${cacheKey(client, sheet)} ${recordId}`, true);
}

/** Throws InputError when somebody else has changed a record since its item was read, where the user minds. */
export async function requireUnchanged(
	item: Item,
	{ sheet, options }: Wanted,
	recordId: string,
): Promise<void> {
	const { client, json } = item;
	const isOwn = client.cache.part(ownWrites).has(`${cacheKey(client, sheet)} ${recordId}`);
	if (options.onConflict !== 'error' || isOwn) return;
	const { _update_date: shown } = json;
	const later = await changesOf(item, sheet).since(client, recordId, shown);
	if (!later) return;
	throw new InputError(
		`Record ${recordId} was changed by ${later.by} at ${later.at}, after it was read for this item (${String(shown)})`,
		'It was not written. Read it again, and decide which of the values are to stay.',
	);
}
