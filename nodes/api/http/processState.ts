const minute = 60_000;

/** Limits of a cache, and what reading does to its entries. */
interface CacheRules {
	/** Maximum number of entries. The oldest ones are dropped first. */
	maxEntries: number;
	/** Age in ms after which an entry no longer counts. Writing an entry starts its age again. */
	maxAge: number;
	/** Whether reading renews an entry: it becomes the newest one, and its age starts again. */
	readingRenews: boolean;
}

const renewed = { readingRenews: true };
const notRenewed = { readingRenews: false };

/** All caches that outlive an execution. Each belongs to this process and is empty after a start of n8n. */
export const processState = {
	/** Promise that resolves when the last caller in the queue has released a mutex. The entry is then deleted. */
	mutexes: { maxEntries: Infinity, maxAge: Infinity, ...notRenewed },
	/** The turn of the event loop that the last caller in the queue waits for. */
	eventLoopTurns: { maxEntries: 1, maxAge: Infinity, ...notRenewed },
	rateLimits: { maxEntries: 1_000, maxAge: Infinity, ...renewed },
	/** Accounts whose answers contained Ragic's spelling. */
	ragicAccounts: { maxEntries: 5_000, maxAge: Infinity, ...renewed },
	/** Rejected logins, and when each may be tried again. */
	refusedLogins: { maxEntries: 1_000, maxAge: 60 * minute, ...notRenewed },
	/**
	 * Knowledge about the fields of a sheet, per user. Each part has an age of its own, which reading does not renew. All sheets
	 * together keep 200,000 fields.
	 */
	sheetFields: { maxEntries: 1_000, maxAge: Infinity, ...renewed },
	/** One `ProcessMemory`: written values, and records that are gone. It takes 32 MB at most, and keeps a record for an hour. */
	recordMemory: { maxEntries: 1, maxAge: Infinity, ...notRenewed },
	/**
	 * Keys of records whose creation by an upsert has an unknown outcome. For this time, such a record may exist although filters do
	 * not find it.
	 */
	uncertainCreations: { maxEntries: 5_000, maxAge: 10 * minute, ...notRenewed },
	publicKeys: { maxEntries: 200, maxAge: Infinity, ...renewed },
	/** The JSON spelling that the last valid signature of an account was made with. */
	signedSpellings: { maxEntries: 500, maxAge: Infinity, ...notRenewed },
	/** Digests of the latest deliveries to each trigger, up to 2,000 records per trigger. */
	recentDeliveries: { maxEntries: 500, maxAge: Infinity, ...renewed },
	/** The number of deliveries to each trigger that are being read. */
	fetchedDeliveries: { maxEntries: 500, maxAge: Infinity, ...renewed },
	/** Warnings that were just logged. */
	warnings: { maxEntries: 1_000, maxAge: minute, ...notRenewed },
	/** The polls of each node: whether one is running, and what the last ones did. */
	polls: { maxEntries: 5_000, maxAge: Infinity, ...renewed },
} satisfies Record<string, CacheRules>;

type CacheName = keyof typeof processState;

/** A value whose parts have ages of their own. */
export interface ExpiringValue {
	/** Frees the parts that are too old. Must not throw. */
	dropExpired(): void;
}

const caches = new Map<CacheName, ProcessCache<unknown>>();

/** State that belongs to an object of n8n. It is freed with the object, so it needs no limits and is never cleared. */
type ObjectStateName =
	/** Deadlines of the requests in progress, by the sleep function that they wait with. */
	| 'deadlines'
	/** Parsed regular expressions of filters, by their conditions. */
	| 'patterns'
	/** Digests of the records that a poll has read, by their content. */
	| 'recordDigests'
	/** Journals of node executions, by their execution data. */
	| 'runJournals';

const objectStates = new Set<ObjectStateName>();

/** A cache with the rules of `processState`. `ProcessCache.get` renews an entry only where the rules say `readingRenews`. */
export class ProcessCache<Value> {
	/** `at` is monotonic time in ms. */
	private readonly entries = new Map<string, { value: Value; at: number; maxAge: number }>();

	constructor(private readonly rules: CacheRules) {}

	/** Returns the value of a key; undefined if it does not exist or is too old. */
	get(key: string): Value | undefined {
		const entry = this.entries.get(key);
		if (!entry) return undefined;
		if (this.ageOf(key) >= entry.maxAge) {
			this.entries.delete(key);
			return undefined;
		}
		if (this.rules.readingRenews) this.set(key, entry.value, entry.maxAge);
		return entry.value;
	}

	/** Returns the ms since the value of a key was written or renewed; Infinity if there is no value. Renews nothing. */
	ageOf(key: string): number {
		const entry = this.entries.get(key);
		return entry ? performance.now() - entry.at : Infinity;
	}

	/** Keeps the value as the newest entry; for a shorter time than the rules say if `maxAge` is given, in ms. */
	set(key: string, value: Value, maxAge = this.rules.maxAge): void {
		this.entries.delete(key);
		this.entries.set(key, { value, at: performance.now(), maxAge });
		const [oldest = key] = this.entries.keys();
		if (this.entries.size > this.rules.maxEntries) this.entries.delete(oldest);
	}

	/** Returns all values, including expired values. Renews nothing. */
	values(): Value[] {
		return [...this.entries.values()].map(({ value }) => value);
	}

	/** Frees the values, and the parts of values, that are too old. Renews nothing. */
	dropExpired(): void {
		for (const [key, { value, maxAge }] of this.entries) {
			if (this.ageOf(key) >= maxAge) this.entries.delete(key);
			else if (isExpiring(value)) value.dropExpired();
		}
	}

	delete(key: string): void {
		this.entries.delete(key);
	}

	clear(): void {
		this.entries.clear();
	}
}

function isExpiring(value: unknown): value is ExpiringValue {
	return typeof value === 'object' && value !== null && 'dropExpired' in value;
}

/**
 * Drops expired values of all caches after a garbage collection, which frees the unused object that `awaitCollection` creates. An
 * idle process would keep them, because it uses no cache. Nodes may not use timers.
 */
const collections = new FinalizationRegistry(() => {
	awaitCollection();
	for (const cache of caches.values()) cache.dropExpired();
});

function awaitCollection(): void {
	collections.register({}, undefined);
}

awaitCollection();

/** Returns the process-wide cache with a name in `processState`. Call it when a module loads; a second call for a name throws. */
export function processCache<Value>(name: CacheName): ProcessCache<Value> {
	if (caches.has(name)) throw new Error(`The cache '${name}' is declared twice`);
	const cache = new ProcessCache<Value>(processState[name]);
	caches.set(name, cache);
	return cache;
}

/** Returns the map of a state in `ObjectStateName`. Call it when a module loads; a second call for a name throws. */
export function objectState<Key extends object, Value>(name: ObjectStateName): WeakMap<Key, Value> {
	if (objectStates.has(name)) throw new Error(`The state '${name}' is declared twice`);
	objectStates.add(name);
	return new WeakMap<Key, Value>();
}

/** Clears the caches with these names, or all caches. For tests. */
export function clearProcessState(...names: CacheName[]): void {
	for (const [name, cache] of caches) {
		if (names.length === 0 || names.includes(name)) cache.clear();
	}
}
