import type { JsonObject } from '../../json/orderedJson';

/** Age in milliseconds from which a loaded record is no longer recent. */
export const maxRecentAgeMs = 60_000;

/**
 * Requirement on a loaded record: `any` is always enough; `recent` was loaded within a minute; `current` is recent, and the run
 * has written nothing since it was loaded. A write may change other records, too: by a script, or by links between sheets.
 */
export type Freshness = 'any' | 'current' | 'recent';

/** Number of writes that a run has sent, to all sheets. */
export interface RunWrites {
	count: number;
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

	/** @param sentIds IDs of the records that the run has written */
	constructor(
		private readonly writes: RunWrites,
		private readonly sentIds: ReadonlySet<string>,
	) {}

	/** Returns whether a list may be used for a record. It may show the former content of a record that the run has written. */
	mayBeListed(recordId: string): boolean {
		return !this.sentIds.has(recordId);
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
