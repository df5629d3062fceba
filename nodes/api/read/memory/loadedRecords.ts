import type { JsonObject } from '../../json/orderedJson';

/** Age in milliseconds from which a loaded record is no longer recent. */
export const maxRecentAgeMs = 60_000;

/**
 * Requirement on a loaded record: `any` is always enough; `recent` was loaded within a minute; `current` is recent, and the run
 * has written nothing since it was loaded. A write may change other records, too: by a script, or by links between sheets.
 */
export type Freshness = 'any' | 'current' | 'recent';

/** Writes that a run has sent, to all sheets: two sheets may show the same records, as versions of each other. */
export interface RunWrites {
	count: number;
	/** IDs of the written records. Lists may show their former content for a while. */
	readonly ids: Set<string>;
}

export function noWrites(): RunWrites {
	return { count: 0, ids: new Set() };
}

/** A loaded record, with the time of its load and the number of writes of the run before it. */
interface LoadedRecord {
	content: JsonObject;
	/** Monotonic time in ms. */
	loadedAt: number;
	writesBefore: number;
}

/** The records of a sheet that a run has read with the same options. `RecordMemory` makes it, and drops written records. */
export class LoadedRecords {
	private readonly records = new Map<string, LoadedRecord>();

	constructor(private readonly writes: RunWrites) {}

	/** Returns whether a list may be used for a record. It may show the former content of a record that the run has written. */
	mayBeListed(recordId: string): boolean {
		return !this.writes.ids.has(recordId);
	}

	/** Keeps the content that a list returned, unless the run has written the record. */
	addListed(recordId: string, content: JsonObject): void {
		if (this.mayBeListed(recordId)) this.add(recordId, content);
	}

	/** Keeps the content that a single read returned. */
	add(recordId: string, content: JsonObject): void {
		const writesBefore = this.writes.count;
		this.records.set(recordId, { content, loadedAt: performance.now(), writesBefore });
	}

	/** Returns the content of a record; undefined if it is not kept, or not as fresh as required. */
	get(recordId: string, required: Freshness): JsonObject | undefined {
		const record = this.records.get(recordId);
		if (!record || required === 'any') return record?.content;
		if (performance.now() - record.loadedAt >= maxRecentAgeMs) return undefined;
		const isOutdated = required === 'current' && record.writesBefore !== this.writes.count;
		return isOutdated ? undefined : record.content;
	}

	drop(recordId: string): void {
		this.records.delete(recordId);
	}
}
