import { createHash } from 'node:crypto';
import type { FieldList } from '../wire/fieldLists';
import { ServiceError } from '../wire/serviceError';
import { sheetPath } from '../wire/sheetAddress';
import type { SheetAddress } from '../wire/sheetAddress';
import type { Client } from './client';
import { serviceOf } from './connection';
import { failureOf } from './failure';
import { SheetMemory } from './sheetMemory';

/** How long pick lists, name look-ups and runs share what was learnt. */
export const freshMilliseconds = 60_000;
const mostEntries = 200;

type Listed = Promise<FieldList | undefined>;

interface Entry {
	/** Milliseconds of a clock that is never set. */
	at: number;
	list: Listed;
}

/** Lists of the fields of sheets: those that this process has learnt in the last minute, for each user apart. */
export class RememberedLists {
	private readonly fresh = new Map<string, Entry>();

	/** What a run asked for itself, an answer that nothing is known among it: it does not ask again. */
	private readonly inRun = new SheetMemory<Listed>();

	/**
	 * The list that is known, or that `ask` yields.
	 *
	 * @param anew asks although the list was learnt a moment ago, unless this client did so
	 * @throws what `ask` throws; nobody is told what became of another execution that was cancelled
	 */
	async of(client: Client, sheet: SheetAddress, ask: () => Listed, anew = false): Listed {
		const asked = this.inRun.get(client, sheet);
		if (asked) return await asked;
		const key = memoryKey(client, sheet);
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
		this.inRun.set(client, sheet, list);
		remember(this.fresh, key, { at: performance.now(), list });
		void list
			// What is not known now may be known with the sheet's first record, though not to this run.
			.then((found) => found ?? this.fresh.delete(key))
			.catch(() => {
				this.fresh.delete(key);
				this.inRun.delete(client, sheet);
			});
		return await list;
	}

	/** Whoever has not asked yet asks anew. */
	forget(client: Client, sheet: SheetAddress): void {
		this.fresh.delete(memoryKey(client, sheet));
	}
}

/** Two users may see different fields, so what one learnt is not shown to another. */
export function memoryKey({ connection }: Client, sheet: SheetAddress): string {
	const { account, credentialType, user } = connection;
	const path = sheetPath(account, sheet);
	return createHash('sha256')
		.update([serviceOf(connection), path, credentialType, user].join('\n'))
		.digest('base64');
}

/** Keeps an entry, and no more than so many. */
export function remember<T>(entries: Map<string, T>, key: string, entry: T): void {
	entries.delete(key);
	entries.set(key, entry);
	const [oldest] = entries.keys();
	if (entries.size > mostEntries && oldest !== undefined) entries.delete(oldest);
}
