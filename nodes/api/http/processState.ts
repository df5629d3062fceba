/**
 * All that this process keeps beyond an execution: how many entries each cache may have, and for how many
 * milliseconds one of them counts. Nothing else in the package has state at module level.
 */
const limits = {
	/** The last turn of each mutex. Entries are deleted when the turn ends. */
	mutexes: { maxEntries: Infinity, ttl: Infinity },
} satisfies Record<string, CacheLimits>;

interface CacheLimits {
	maxEntries: number;
	ttl: number;
}

/** Of caches by their names. */
const caches = new Map<string, ProcessCache<unknown>>();

/** Entries of which the oldest ones are dropped when there are too many, and all after their time. */
export class ProcessCache<Value> {
	/** `at` is in milliseconds of a clock that is never set. */
	private readonly entries = new Map<string, { at: number; value: Value }>();

	constructor(private readonly limits: CacheLimits) {}

	get(key: string): Value | undefined {
		const entry = this.entries.get(key);
		if (!entry) return undefined;
		if (performance.now() - entry.at < this.limits.ttl) return entry.value;
		this.entries.delete(key);
		return undefined;
	}

	/** Keeps the value as the newest entry. */
	set(key: string, value: Value): void {
		this.entries.delete(key);
		this.entries.set(key, { at: performance.now(), value });
		const [oldest] = this.entries.keys();
		if (this.entries.size > this.limits.maxEntries && oldest !== undefined) {
			this.entries.delete(oldest);
		}
	}

	delete(key: string): void {
		this.entries.delete(key);
	}

	clear(): void {
		this.entries.clear();
	}
}

/** Returns the process-wide cache of a name of the table. To be called once for each name, when a module loads. */
export function processCache<Value>(name: keyof typeof limits): ProcessCache<Value> {
	if (caches.has(name)) throw new Error(`The cache '${name}' is declared twice`);
	const cache = new ProcessCache<Value>(limits[name]);
	caches.set(name, cache);
	return cache;
}

/** Forgets everything, for tests. */
export function clearProcessState(): void {
	for (const cache of caches.values()) cache.clear();
}
