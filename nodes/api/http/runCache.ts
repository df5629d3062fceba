import { textDigest } from '../json/canonicalJson';
import { getOrInsert } from '../json/objects';
import { sheetPath, type SheetAddress } from '../values/sheetAddress';
import { serviceOf, type Connection } from './connection';
import type { ProcessCache } from './processState';
import { ServiceError } from './serviceError';

/** Identifies a part of a run's cache, and says of what type its values are. */
export interface CachePart<Value> {
	name: string;
	/** Never there: it stands for the type. */
	value?: Value;
}

/** What one run has cached. All its clients share it. */
export class RunCache {
	private readonly parts = new Map<object, Map<string, unknown>>();
	/** How long the service took for all requests, without waits before them. */
	serviceMilliseconds = 0;
	/** How long requests waited since the service had refused some, and what it said last. */
	waited = { milliseconds: 0, reason: 'Requests of other executions were refused as too many' };

	/** Returns the values of a part by their keys. */
	part<Value>(part: CachePart<Value> | ProcessCache<Value>): Map<string, Value>;
	part(part: object): Map<string, unknown> {
		return getOrInsert(this.parts, part, () => new Map<string, unknown>());
	}

	addWait(milliseconds: number, reason = this.waited.reason): void {
		this.waited = { milliseconds: this.waited.milliseconds + milliseconds, reason };
	}
}

/** Returns what the run, or unless `refresh` the process, has cached, else what `ask` yields. `undefined` is kept for the run only, failures not. */
export async function cached<Value>(
	{ cache }: { cache: RunCache },
	shared: ProcessCache<Promise<Value>>,
	key: string,
	ask: () => Promise<Value>,
	refresh = false,
): Promise<Value> {
	const run = cache.part(shared);
	const start = async () => {
		const value = ask();
		const forgetIn = (...stores: Array<typeof run | typeof shared>) => {
			for (const store of stores) if (store.get(key) === value) store.delete(key);
		};
		for (const store of [run, shared]) store.set(key, value);
		const found = await value.catch((error: unknown) => {
			forgetIn(run, shared);
			throw error;
		});
		if (found === undefined) forgetIn(shared);
		return found;
	};
	const known = run.get(key) ?? (refresh ? undefined : shared.get(key));
	if (!known) return await start();
	return await known.catch(async (error: unknown) => {
		if (error instanceof ServiceError) throw error;
		// Whoever asked was cancelled: that is no failure of this one.
		return await start();
	});
}

/** Returns the key of a sheet in caches. Two users may see different fields, so each has keys of its own. */
export function cacheKey(
	{ connection }: { connection: Connection },
	sheet: SheetAddress,
	fieldIds: readonly string[] = [],
): string {
	const { account, credentialType, user } = connection;
	const path = sheetPath(account, sheet);
	return textDigest([serviceOf(connection), path, credentialType, user, ...fieldIds].join('\n'));
}
