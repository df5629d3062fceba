import type { Client } from '../http/client';
import { CachePart } from '../http/runCache';
import { getOrInsert } from '../json/objects';
import type { JsonObject } from '../json/orderedJson';
import { formatSheetPath, type SheetAddress } from '../values/sheetAddress';
import { recordMemory, type RecordMemory } from './memory/recordMemory';
import type { Freshness, LoadedRecords } from './memory/loadedRecords';
import type { ReadOptions } from './readOptions';
import type { SheetRecord } from './record';
import { getRecord, lastChangedFirst } from './records';
import { fetchListed } from './recordSearch';

/** Loads records of a sheet by ID for one run, and keeps them. Many enqueued records are loaded together by list pages (the pattern of DataLoader). */
export class RecordLoader {
	private readonly loaded: LoadedRecords;
	/** Record ID → number of loads to come. */
	private readonly queue = new Map<string, number>();
	/** Records that the last list did not return. */
	private readonly unlisted = new Set<string>();
	private readonly fieldIds = new Set<string>();
	private needsWholeRecords = false;

	/** @param memory memory of the sheet's records */
	constructor(
		memory: RecordMemory,
		private readonly sheet: SheetAddress,
		readonly options: ReadOptions,
	) {
		this.loaded = memory.contents();
	}

	/** The options of all reads, with the fields that are needed. */
	get reading(): ReadOptions {
		const { fields = [] } = this.options;
		const needed = this.needsWholeRecords ? [] : [...fields, ...this.fieldIds];
		return { ...this.options, fields: needed };
	}

	/** Announces one load of each record. If more than `maxSingleReads` are enqueued, the first load reads them by list pages. */
	enqueue(...recordIds: readonly string[]): this {
		for (const id of recordIds) this.queue.set(id, (this.queue.get(id) ?? 0) + 1);
		return this;
	}

	/** Adds fields to load. Without any, whole records are loaded. Must be called before the first load. */
	needFields(fieldIds: Iterable<string>): this {
		for (const id of fieldIds) this.fieldIds.add(id);
		return this;
	}

	/** Reads records as a whole, also if `needFields` is called. Call it before the first load. */
	needWholeRecords(): this {
		this.needsWholeRecords = true;
		return this;
	}

	isEnqueued(recordId: string): boolean {
		return this.queue.has(recordId);
	}

	/** Keeps a record of a list that was read elsewhere with the same options. It is ignored if the run has written the record. */
	prime({ id, content }: SheetRecord): void {
		this.loaded.addListed(id, content);
	}

	/** Returns whether lists may be used for a record. They are not used for a record that the run has written. */
	mayBeListed(recordId: string): boolean {
		return this.loaded.mayBeListed(recordId);
	}

	/** Returns whether a record is not kept, or not as fresh as required. */
	isExpired(recordId: string, required: Freshness = 'current'): boolean {
		return this.loaded.get(recordId, required) === undefined;
	}

	/** Returns a record's content: kept if fresh enough, or loaded (see `enqueue`); undefined if missing. Throws ServiceError. */
	async load(
		client: Client,
		recordId: string,
		required: Freshness = 'any',
	): Promise<JsonObject | undefined> {
		const isListed = (id: string) =>
			this.isExpired(id, required) && !this.unlisted.has(id) && this.mayBeListed(id);
		if (isListed(recordId)) {
			const recordIds = [...new Set([recordId, ...this.queue.keys()])].filter(isListed);
			await this.loadByList(client, recordIds);
		}
		this.dequeue(recordId);
		return this.loaded.get(recordId, required) ?? (await this.loadNow(client, recordId));
	}

	/** Loads a record by a single read, and returns its content; undefined if it does not exist. Throws ServiceError. */
	async loadNow(client: Client, recordId: string): Promise<JsonObject | undefined> {
		const record = await getRecord(client, { sheet: this.sheet, recordId }, this.reading);
		if (record) this.loaded.add(record.id, record.content);
		else this.loaded.drop(recordId);
		return record?.content;
	}

	/** Returns the content of an enqueued record, as `load` does. Drops it unless another load of it is enqueued. */
	async loadAndDrop(
		client: Client,
		recordId: string,
		required?: Freshness,
	): Promise<JsonObject | undefined> {
		const content = await this.load(client, recordId, required);
		this.release(recordId);
		return content;
	}

	/** Drops the content of a record unless a load of it is enqueued. Call it when an item has its output. */
	release(recordId: string): void {
		if (!this.queue.has(recordId)) this.loaded.drop(recordId);
	}

	private async loadByList(client: Client, recordIds: readonly string[]): Promise<void> {
		const { sheet, reading } = this;
		const request = { sheet, where: [], reading, order: [lastChangedFirst] };
		const { found } = await fetchListed(client, request, recordIds);
		for (const id of recordIds) this.unlisted.add(id);
		for (const record of found) {
			this.unlisted.delete(record.id);
			this.prime(record);
		}
	}

	private dequeue(recordId: string): void {
		const remaining = (this.queue.get(recordId) ?? 1) - 1;
		if (remaining > 0) this.queue.set(recordId, remaining);
		else this.queue.delete(recordId);
	}
}

const loadersOfRun = new CachePart<RecordLoader>();

/** Returns the run's loader of a sheet's records with these read options. */
export function recordLoader(
	client: Client,
	sheet: SheetAddress,
	options: ReadOptions,
): RecordLoader {
	const name = JSON.stringify([formatSheetPath(sheet), options]);
	const make = () => new RecordLoader(recordMemory(client, sheet), sheet, options);
	return getOrInsert(client.cache.part(loadersOfRun), name, make);
}
