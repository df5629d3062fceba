import type { Client } from '../../http/client';
import { processCache } from '../../http/processState';
import { CachePart } from '../../http/runCache';
import { getOrInsert } from '../../json/objects';
import type { JsonObject, JsonValue } from '../../json/orderedJson';
import { sheetPath, type SheetAddress } from '../../values/sheetAddress';
import { isMasked } from '../../values/text';
import { LoadedRecords, noWrites, type RunWrites } from './loadedRecords';
import { processMemory } from './processMemory';

/** Keys of records whose creation has an unknown outcome. */
const uncertainCreations = processCache<true>('uncertainCreations');

/**
 * Knowledge of this process about the records of a sheet. It is the only owner of such knowledge: which values were written, which
 * records are gone, which contents this run has read, and which creations have an unknown outcome.
 * - Written values and uncertain creations are known to all users of the account. Filters do not find them yet.
 * - A record is gone only for the users who deleted it or whose read showed it, because another user may see it.
 * - Contents belong to the run. After a write of the run they are not current any more: a script, or a link between sheets, may
 *   have changed other records, too.
 */
export class RecordMemory {
	private readonly loaded: LoadedRecords[] = [];

	/**
	 * @param sheetKey key of the sheet, the same for all users of the account (see `sheetKey`)
	 * @param runWrites writes of the run to any sheet
	 */
	constructor(
		private readonly sheetKey: string,
		private readonly userDigest: string,
		private readonly runWrites: RunWrites = noWrites(),
	) {}

	/** Returns a new cache for the contents that the run reads with certain read options. */
	contents(): LoadedRecords {
		const contents = new LoadedRecords(this.runWrites);
		this.loaded.push(contents);
		return contents;
	}

	/** Must be called after each write that was sent, even if it failed, because it may have been carried out. Without an ID for a new record. */
	sent(recordId?: string): void {
		this.runWrites.count++;
		if (recordId === undefined) return;
		this.runWrites.ids.add(recordId);
		for (const contents of this.loaded) contents.drop(recordId);
	}

	/** Must be called after each confirmed write, with the sent values, and with the saved record if the answer contains it. */
	wrote(recordId: string, fields: Iterable<[string, JsonValue]>, saved?: JsonObject): void {
		processMemory().addWritten(this.sheetKey, recordId, fields, saved);
	}

	/** Adds values that a single read returned, so that `find` finds them. A mask is not the stored value. */
	read(recordId: string, fields: Iterable<[string, JsonValue]>): void {
		this.wrote(
			recordId,
			[...fields].filter(([, value]) => !isMasked(value)),
		);
	}

	/**
	 * Must be called if a record is gone for this user: after a confirmed deletion, or if a single read does not find it. Never call
	 * it for an error response to a write, which may be about a row or a file.
	 */
	deleted(recordId: string): void {
		processMemory().addGone(this.sheetKey, recordId, this.userDigest);
	}

	/** Returns whether a record is gone for any user, so that it must be read before it is used. People may have restored it since. */
	mayBeGone(recordId: string): boolean {
		return processMemory().goneFor(this.sheetKey, recordId).size > 0;
	}

	/** Returns the normal forms that were written to a field, or undefined if they are not known. */
	writtenForms(recordId: string, fieldId: string): readonly string[] | undefined {
		return processMemory().formsOf(this.sheetKey, recordId, fieldId);
	}

	/**
	 * Returns the IDs of the written records that may match a key. Leaves out records that are gone for this user. Filters may not
	 * find the records yet.
	 *
	 * @param key field ID → normal forms of its value
	 */
	find(key: ReadonlyMap<string, readonly string[]>): string[] {
		const memory = processMemory();
		const isGone = (id: string) => memory.goneFor(this.sheetKey, id).has(this.userDigest);
		return memory.find(this.sheetKey, key).filter((id) => !isGone(id));
	}

	/** Returns whether a creation of a record with this key has an unknown outcome, so that the record may exist. */
	isUncertain(creationKey: string): boolean {
		return uncertainCreations.get(creationKey) === true;
	}

	/** Must be called before a creation is sent, with true, and with false when its outcome is known. */
	setUncertain(creationKey: string, isUncertain: boolean): void {
		if (isUncertain) uncertainCreations.set(creationKey, true);
		else uncertainCreations.delete(creationKey);
	}
}

const memoriesOfRun = new CachePart<RecordMemory>();
const writesOfRun = new CachePart<RunWrites>();

/** Returns the memory of a sheet's records, for the user and the run of the client. */
export function recordMemory(client: Client, sheet: SheetAddress): RecordMemory {
	const key = sheetKey(client, sheet);
	const writes = getOrInsert(client.cache.part(writesOfRun), 'all sheets', noWrites);
	return getOrInsert(
		client.cache.part(memoriesOfRun),
		key,
		() => new RecordMemory(key, client.connection.userDigest, writes),
	);
}

/** Returns a cache key of a sheet that is the same for all users of the account (unlike `cacheKey`). */
export function sheetKey({ connection }: Client, sheet: SheetAddress): string {
	const { baseUrl, account } = connection;
	return `${baseUrl}${sheetPath(account, sheet)}`;
}
