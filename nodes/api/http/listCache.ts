import { textDigest } from '../json/digest';
import { ServiceError } from './serviceError';
import { sheetPath, type SheetAddress } from '../values/sheetAddress';
import type { Client } from './client';
import { serviceOf, type Connection } from './connection';
import { failureOf } from './failure';
import { entryOf } from '../json/objects';

/** How long pick lists, name look-ups and runs share what was learnt. */
const freshMilliseconds = 60_000;
const mostEntries = 200;

/** What is known for a run, whose clients have their connection in common. */
export class RunMemory<Known> {
	private readonly runs = new WeakMap<Connection, Map<string, Known>>();

	/** All that is known, by keys such as `memoryKey`. */
	of({ connection }: Client): Map<string, Known> {
		return entryOf(this.runs, connection, () => new Map<string, Known>());
	}
}

interface Entry<List> {
	/** Milliseconds of a clock that is never set. */
	at: number;
	list: Promise<List>;
}

interface Wish {
	/** Asks although the list was learnt a moment ago, unless this client did so. */
	anew?: boolean;
	/** What the list is about, where it is not the whole sheet. */
	fieldIds?: readonly string[];
}

/**
 * Lists that tell of sheets, undefined where nothing is known: those that this process has learnt in the last
 * minute, for each user apart.
 */
export class RememberedLists<List> {
	private readonly fresh = new Map<string, Entry<List>>();
	/** What a run asked for itself, an answer that nothing is known among it: it does not ask again. */
	private readonly inRuns = new RunMemory<Promise<List>>();

	/**
	 * The list that is known, or that `ask` yields. Throws what `ask` throws; nobody is told what became of
	 * another execution that was cancelled.
	 */
	async of(
		client: Client,
		sheet: SheetAddress,
		ask: () => Promise<List>,
		{ anew = false, fieldIds }: Wish = {},
	): Promise<List> {
		const key = memoryKey(client, sheet, fieldIds);
		const inRun = this.inRuns.of(client);
		const asked = inRun.get(key);
		if (asked) return await asked;
		const known = this.fresh.get(key);
		if (known && !anew && performance.now() - known.at < freshMilliseconds) {
			try {
				return await known.list;
			} catch (thrown) {
				// Another execution asked, and was cancelled: that is not this one's failure.
				if (thrown instanceof ServiceError) throw failureOf(thrown);
			}
		}
		const list = ask();
		inRun.set(key, list);
		remember(this.fresh, key, { at: performance.now(), list });
		void list
			// What is not known now may be known with the sheet's first record, though not to this run.
			.then((found) => found ?? this.fresh.delete(key))
			.catch(() => {
				this.fresh.delete(key);
				inRun.delete(key);
			});
		return await list;
	}

	/** Whoever has not asked yet asks anew. */
	forget(client: Client, sheet: SheetAddress): void {
		this.fresh.delete(memoryKey(client, sheet));
	}
}

/** Two users may see different fields, so what one learnt is not shown to another. */
export function memoryKey(
	{ connection }: Client,
	sheet: SheetAddress,
	fieldIds: readonly string[] = [],
): string {
	const { account, credentialType, user } = connection;
	const path = sheetPath(account, sheet);
	return textDigest([serviceOf(connection), path, credentialType, user, ...fieldIds].join('\n'));
}

/** Keeps an entry, and of all no more than so many: the oldest are forgotten. */
export function remember<T>(
	entries: Map<string, T>,
	key: string,
	entry: T,
	most = mostEntries,
): void {
	entries.delete(key);
	entries.set(key, entry);
	const [oldest] = entries.keys();
	if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
