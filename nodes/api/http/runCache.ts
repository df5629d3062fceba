import { getOrInsert } from '../json/objects';
import { sheetPath, type SheetAddress } from '../values/sheetAddress';
import { serviceOf, type Connection } from './connection';

/** One kind of value, cached for each run. Values live as long as the run. */
export class CachePart<Value> {
	private readonly valuesOfRuns = new WeakMap<RunCache, Map<string, Value>>();

	/** Returns the values that a run has cached, by their keys. */
	of(run: RunCache): Map<string, Value> {
		return getOrInsert(this.valuesOfRuns, run, () => new Map());
	}
}

/** State of a run. Its clients with the same credential type share it. Each `CachePart` uses it as a key. */
export class RunCache {
	/** Number of requests that the run has sent. */
	readonly sent = { requests: 0 };
	/** Total duration of the requests of the run in ms, without the waits before them. */
	serviceMilliseconds = 0;
	/** Total time that requests waited before a retry or because of a reduced rate, and the reason for the last wait. */
	waited = { milliseconds: 0, reason: 'Requests of other executions were refused as too many' };

	/** Returns the values that this run has cached in a part, by their keys. */
	part<Value>(part: CachePart<Value>): Map<string, Value> {
		return part.of(this);
	}

	addWait(milliseconds: number, reason = this.waited.reason): void {
		this.waited = { milliseconds: this.waited.milliseconds + milliseconds, reason };
	}
}

/** Returns the cache key of a sheet. It includes the user, because two users may see different fields. */
export function cacheKey({ connection }: { connection: Connection }, sheet: SheetAddress): string {
	const { account, userDigest } = connection;
	return [serviceOf(connection), sheetPath(account, sheet), userDigest].join('\n');
}
