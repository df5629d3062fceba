import type { ReadOptions } from '../api/read/readOptions';
import type { JsonObject } from '../api/json/orderedJson';
import { keysOf } from '../ui/recordOutput';
import { schemaOf } from '../ui/sheet';
import type { SheetContext } from '../ui/parameter';
import { digestOf, type Digest } from './cursor';
import { eventsToTell, watchedFields } from './pollingParameters';

/** Of more records those that were seen last. */
const mostWatched = 3_000;

/** Of so many records that were changed last, the first poll notes what the watched fields hold. */
export const mostWatchedAtStart = 1_000;

/** What watched fields last held, by record id. */
export type WatchedRecords = Map<string, Digest>;

/** Returns the keys of the fields one of which has to change; undefined when any change counts. */
export async function watchedKeys(
	item: SheetContext,
	naming: ReadOptions['naming'] | undefined,
): Promise<ReadonlySet<string> | undefined> {
	if (!eventsToTell.parse(item).includes('UPDATE')) return undefined;
	return await keysOf(watchedFields.parse(item), naming, schemaOf(item));
}

/**
 * Throws InputError for a watched field that the sheet does not have: it would never change. Where the service tells no
 * fields, names are taken as they are.
 */
export async function checkWatchedFields(
	item: SheetContext,
	naming: ReadOptions['naming'] | undefined,
): Promise<void> {
	const keys = await watchedKeys(item, naming);
	const schema = schemaOf(item);
	const watched = await schema.fieldKeys(watchedFields.parse(item));
	const names = watched.filter((name) => !name.startsWith('_'));
	if (!keys || names.length === 0 || (await schema.fields()).length === 0) return;
	for (const name of names) await schema.field(name, true);
}

/**
 * Returns whether a record's fields of these keys hold what they held, and notes what they hold. A record that is not
 * known, or has none of the fields, counts as changed.
 */
export function isUnchanged(
	watched: WatchedRecords,
	{ id, content }: { id: string; content: JsonObject },
	keys: ReadonlySet<string>,
): boolean {
	const fields = new Map([...content].filter(([key]) => keys.has(key)));
	if (fields.size === 0) return false;
	const before = watched.get(id);
	const digest = digestOf(fields);
	watched.delete(id);
	watched.set(id, digest);
	const [oldest] = watched.keys();
	if (watched.size > mostWatched && oldest !== undefined) watched.delete(oldest);
	return before === digest;
}
