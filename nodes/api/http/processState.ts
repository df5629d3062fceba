const minute = 60_000;

/** All that this process keeps beyond an execution: how many entries each cache may have, and for how many milliseconds one counts. */
export const processState = {
	/** The end of the last turn of each mutex. Entries are deleted when the turn ends. */
	mutexes: { maxEntries: Infinity, ttl: Infinity },
	rateLimits: { maxEntries: 5_000, ttl: Infinity },
	/** Logins that were refused, and when each may be tried again. */
	refusedLogins: { maxEntries: 1_000, ttl: 60 * minute },
	/** The fields of sheets, for each user apart. */
	fieldLists: { maxEntries: 200, ttl: minute },
	/** The fields of sheets by the names that reads give them, for each user apart. */
	readNames: { maxEntries: 200, ttl: minute },
	/** The last known names of a sheet's fields, for each user. */
	lastNames: { maxEntries: 200, ttl: Infinity },
	/** What was written to the latest 2,000 records of each of the latest sheets, for an hour. */
	writtenRecords: { maxEntries: 50, ttl: 60 * minute },
	publicKeys: { maxEntries: 200, ttl: Infinity },
	/** How the signed texts of accounts were spelt last. */
	signedSpellings: { maxEntries: 500, ttl: Infinity },
	/** What the latest deliveries to each trigger said: up to 2,000 records for each. */
	recentDeliveries: { maxEntries: 500, ttl: Infinity },
	/** How many deliveries to each trigger are being read. */
	fetchedDeliveries: { maxEntries: 500, ttl: Infinity },
	/** The warnings that were just logged. */
	warnings: { maxEntries: 1_000, ttl: minute },
	/** Whether a node is polling, and how many polls ago it looked for deleted records. */
	polls: { maxEntries: 5_000, ttl: Infinity },
} satisfies Record<string, { maxEntries: number; ttl: number }>;

type CacheName = keyof typeof processState;

const caches = new Map<CacheName, ProcessCache<unknown>>();

/** Entries of which the oldest ones are dropped when there are too many, and all after their time. */
export class ProcessCache<Value> {
	/** `at` is in milliseconds of a clock that is never set. */
	private readonly entries = new Map<string, { at: number; value: Value }>();

	constructor(private readonly limits: (typeof processState)[CacheName]) {}

	get(key: string): Value | undefined {
		const entry = this.entries.get(key);
		if (entry && performance.now() - entry.at < this.limits.ttl) return entry.value;
		this.entries.delete(key);
		return undefined;
	}

	/** Keeps the value as the newest entry. */
	set(key: string, value: Value): void {
		this.entries.delete(key);
		this.entries.set(key, { at: performance.now(), value });
		const [oldest = key] = this.entries.keys();
		if (this.entries.size > this.limits.maxEntries) this.entries.delete(oldest);
	}

	delete(key: string): void {
		this.entries.delete(key);
	}

	clear(): void {
		this.entries.clear();
	}
}

/** Returns the process-wide cache of a name of the table. To be called once for each name, when a module loads. */
export function processCache<Value>(name: CacheName): ProcessCache<Value> {
	if (caches.has(name)) throw new Error(`The cache '${name}' is declared twice`);
	const cache = new ProcessCache<Value>(processState[name]);
	caches.set(name, cache);
	return cache;
}

/** Returns a store of values that go with the objects they belong to, such as the data of a run. */
export function processWeakMap<Key extends object, Value>(): WeakMap<Key, Value> {
	return new WeakMap();
}

/** Clears all caches, or those of these names, for tests. */
export function clearProcessState(...names: CacheName[]): void {
	for (const [name, cache] of caches) {
		if (names.length === 0 || names.includes(name)) cache.clear();
	}
}
