import { getOrInsert } from '../json/objects';
import { sheetPath, type SheetAddress } from '../values/sheetAddress';
import { serviceOf, type Connection } from './connection';
import type { ProcessCache } from './processState';
import { ServiceError } from './serviceError';

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

/**
 * Values that are loaded from the service. A run keeps the first value that it gets. The runs of the process share a value for
 * the time in the rules of the process cache. Reading renews nothing. Failures are not cached.
 */
export class SharedCache<Value> {
	/** `isLoadedHere`: this run loaded the value, so it is new enough for the run. */
	private readonly ofRuns = new CachePart<{ value: Promise<Value>; isLoadedHere: boolean }>();

	/** @param maxAgeOf returns the time in ms for which the process keeps a value, or undefined for the time in the rules */
	constructor(
		private readonly ofProcess: ProcessCache<Promise<Value>>,
		private readonly maxAgeOf: (value: Value) => number | undefined,
	) {}

	/** Returns the value that the run has cached, otherwise that of the process, otherwise loads it. Throws the errors of `load`. */
	async get(
		{ cache }: { cache: RunCache },
		key: string,
		load: () => Promise<Value>,
	): Promise<Value> {
		const ofRun = cache.part(this.ofRuns);
		const known = ofRun.get(key)?.value ?? this.ofProcess.get(key);
		if (!known) return await this.load(cache, key, load);
		if (!ofRun.has(key)) ofRun.set(key, { value: known, isLoadedHere: false });
		return await known.catch(async (error: unknown) => {
			if (error instanceof ServiceError) throw error;
			// Not a failure of the service: for example, the run that loads the value was canceled. Load again.
			if (ofRun.get(key)?.value === known) ofRun.delete(key);
			return await this.get({ cache }, key, load);
		});
	}

	/**
	 * Drops a value that another run loaded, so that the next `get` of this run loads a new one. If the value that the process
	 * keeps is younger than `minAge` ms, `get` returns that value instead. Other runs keep their values.
	 */
	forget({ cache }: { cache: RunCache }, key: string, minAge: number): void {
		const ofRun = cache.part(this.ofRuns);
		if (ofRun.get(key)?.isLoadedHere) return;
		ofRun.delete(key);
		if (this.ofProcess.ageOf(key) >= minAge) this.ofProcess.delete(key);
	}

	private async load(cache: RunCache, key: string, load: () => Promise<Value>): Promise<Value> {
		const ofRun = cache.part(this.ofRuns);
		const loading = load();
		ofRun.set(key, { value: loading, isLoadedHere: true });
		this.ofProcess.set(key, loading);
		const value = await loading.catch((error: unknown) => {
			if (ofRun.get(key)?.value === loading) ofRun.delete(key);
			if (this.ofProcess.get(key) === loading) this.ofProcess.delete(key);
			throw error;
		});
		const maxAge = this.maxAgeOf(value);
		if (maxAge !== undefined && this.ofProcess.get(key) === loading) {
			this.ofProcess.set(key, loading, maxAge);
		}
		return value;
	}
}

/** Returns the cache key of a sheet. It includes the user, because two users may see different fields. */
export function cacheKey({ connection }: { connection: Connection }, sheet: SheetAddress): string {
	const { account, userDigest } = connection;
	return [serviceOf(connection), sheetPath(account, sheet), userDigest].join('\n');
}
