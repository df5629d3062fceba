import { isObject } from '../api/json/objects';

/** Thrown for a stored value that no version of the package wrote. */
export class DamagedState extends Error {}

/** Format of the stored state of a trigger. */
export interface StateFormat<State> {
	/** Version of the stored form. It changes whenever an older version of the package could not read a new state. */
	version: number;
	/** Returns the stored form: a value that JSON keeps unchanged. */
	toStored(state: State): unknown;
	/** Returns the state of a stored form of this version. Throws DamagedState if a member has another type. */
	parse(stored: unknown): State;
	/** Version → function that returns a stored form of this version as one of the next version. May throw DamagedState. */
	migrations: Readonly<Record<number, (stored: unknown) => unknown>>;
}

/** Reads and writes the state that a trigger keeps in n8n's static data, as one JSON text beside its version. */
export class StateCodec<State> {
	constructor(private readonly format: StateFormat<State>) {}

	get version(): number {
		return this.format.version;
	}

	/** Returns the state as JSON text. */
	serialize(state: State): string {
		return JSON.stringify(this.format.toStored(state));
	}

	/**
	 * Returns the state in a text of this version, or of an older version that can be migrated. Returns undefined if the text is
	 * damaged, or of a version that this package does not know.
	 */
	parse(text: unknown, version: unknown = this.version): State | undefined {
		try {
			return this.format.parse(this.migrated(JSON.parse(parseText(text)), parseNumber(version)));
		} catch {
			return undefined;
		}
	}

	/** Returns a stored form of this version. Throws DamagedState if there is no way from its version. */
	private migrated(stored: unknown, version: number): unknown {
		if (version === this.version) return stored;
		const migrate = this.format.migrations[version];
		if (!migrate) throw new DamagedState();
		return this.migrated(migrate(stored), version + 1);
	}
}

/** A map of at most `maxEntries` entries. The entry that was set longest ago is dropped first. Setting moves an entry to the end. */
export class LatestMap<Key, Value> extends Map<Key, Value> {
	/** @param entries the entries from the oldest to the latest */
	constructor(
		private readonly maxEntries: number,
		entries: Iterable<readonly [Key, Value]> = [],
	) {
		super();
		for (const [key, value] of entries) this.set(key, value);
	}

	override set(key: Key, value: Value): this {
		this.delete(key);
		super.set(key, value);
		const [oldest] = this.keys();
		if (this.size > this.maxEntries && oldest !== undefined) this.delete(oldest);
		return this;
	}
}

export function parseMembers(stored: unknown): Record<string, unknown> {
	if (isObject(stored)) return stored;
	throw new DamagedState();
}

export function parseText(stored: unknown): string {
	if (typeof stored === 'string') return stored;
	throw new DamagedState();
}

export function parseNumber(stored: unknown): number {
	if (typeof stored === 'number') return stored;
	throw new DamagedState();
}

export function parseList<Value>(stored: unknown, parse: (stored: unknown) => Value): Value[] {
	if (Array.isArray(stored)) return stored.map(parse);
	throw new DamagedState();
}

/** Returns the value of an optional member; undefined if the member is missing. */
export function parseOptional<Value>(
	stored: unknown,
	parse: (stored: unknown) => Value,
): Value | undefined {
	return stored === undefined ? undefined : parse(stored);
}

/** Returns a map that is stored as a list of entries, because an object would sort record IDs. */
export function parseEntries<Value>(
	stored: unknown,
	parse: (stored: unknown) => Value,
): Array<[string, Value]> {
	return parseList(stored, (entry): [string, Value] => {
		const [key, value] = parseList(entry, (member) => member);
		return [parseText(key), parse(value)];
	});
}

/** Returns record IDs that are stored as one text, which is shorter than a list. */
export function parseIds(stored: unknown): Set<string> {
	return new Set(parseText(stored).split(' ').filter(Boolean));
}
