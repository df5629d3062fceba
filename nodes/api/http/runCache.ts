import { textDigest } from '../json/canonicalJson';
import { getOrInsert } from '../json/objects';
import { sheetPath, type SheetAddress } from '../values/sheetAddress';
import { serviceOf, type Connection } from './connection';
import type { ProcessCache } from './processState';
import { ServiceError } from './serviceError';

/** One kind of values that runs cache. The values of a run are gone with the run; reading renews nothing. */
export class CachePart<Value> {
	private readonly valuesOfRuns = new WeakMap<RunCache, Map<string, Value>>();

	/** Returns the values that a run has cached, by their keys. */
	of(run: RunCache): Map<string, Value> {
		return getOrInsert(this.valuesOfRuns, run, () => new Map());
	}
}

/** The state that all clients of one run share. It is the key of the values in each `CachePart`. */
export class RunCache {
	/** The time that the service took for all requests, in ms, without waits before them. */
	serviceMilliseconds = 0;
	/** How long requests waited after the service had refused some, and the last reason. */
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
 * Values that are loaded from the service: a run keeps the first one that it gets, and runs of the process share them
 * for as long as the rules of the process cache say. Reading renews nothing. Failures are not kept.
 */
export class SharedCache<Value> {
	/** `isLoadedHere`: this run loaded the value, so the value is as new as the run needs it. */
	private readonly ofRuns = new CachePart<{ value: Promise<Value>; isLoadedHere: boolean }>();

	/** @param maxAgeOf returns for how many ms the process keeps a loaded value; undefined for the time in the rules */
	constructor(
		private readonly ofProcess: ProcessCache<Promise<Value>>,
		private readonly maxAgeOf: (value: Value) => number | undefined,
	) {}

	/** Returns the value of the run, else that of the process, else what `load` yields. Throws what `load` throws. */
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
			// The run that loads the value was canceled, but this run was not: load again.
			if (ofRun.get(key)?.value === known) ofRun.delete(key);
			return await this.get({ cache }, key, load);
		});
	}

	/**
	 * Drops a value that this run did not load, so that it is loaded again: that of the process only if it is older than
	 * `maxAge`, in ms. Other runs keep theirs.
	 */
	forget({ cache }: { cache: RunCache }, key: string, maxAge: number): void {
		const ofRun = cache.part(this.ofRuns);
		if (ofRun.get(key)?.isLoadedHere) return;
		ofRun.delete(key);
		if (this.ofProcess.ageOf(key) >= maxAge) this.ofProcess.delete(key);
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

/** Returns the key of a sheet in caches. Two users may see different fields, so each user has separate keys. */
export function cacheKey({ connection }: { connection: Connection }, sheet: SheetAddress): string {
	const { account, credentialType, user } = connection;
	const path = sheetPath(account, sheet);
	return textDigest([serviceOf(connection), path, credentialType, user].join('\n'));
}
