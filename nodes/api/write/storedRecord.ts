import type { Client } from '../http/client';
import type { JsonObject } from '../json/orderedJson';
import type { Freshness } from '../read/memory/loadedRecords';
import { plainReadOptions, readOptionsBy, type ReadOptions } from '../read/readOptions';
import { recordLoader, type RecordLoader } from '../read/recordLoader';
import { getRecord } from '../read/records';
import type { QueryParameter } from '../values/query';
import type { RecordAddress, SheetAddress } from '../values/sheetAddress';
import { lastChangeOf, type LastChange } from './conflicts';

/** The parts of the stored record that a write needs. */
export interface StoredRecordNeeds {
	/** Offset from UTC, in hours, of the times; undefined for the account's time zone. */
	offsetHours?: number;
	withoutSubtables?: boolean;
	/** Whether to load the record as answers to writes return it: as a whole, masked, and with rich text as HTML. */
	asReturned?: boolean;
	/** Whether to load the last change, too. Set only if `before` is loaded right before the write, and in a dry run. */
	withInformation?: boolean;
}

/**
 * Returns the read options for stored records, keyed by ID. Unless they are needed as returned, values are unmasked if the user may
 * see them, and rich text is markup.
 */
function storedReadOptions({
	offsetHours,
	withoutSubtables,
	withInformation,
	asReturned,
}: StoredRecordNeeds): ReadOptions {
	const asStored: QueryParameter[] = [
		['bbcode', true],
		['ignoreMask', true],
	];
	return readOptionsBy(
		'EID',
		...(withoutSubtables && !asReturned ? [['subtables', 0] as const] : []),
		...(asReturned ? [] : asStored),
		...(withInformation ? [['info', true] as const] : []),
		...offsetParameters(offsetHours),
	);
}

/**
 * A record before and after a write. Writes access the stored record only in this way. It is loaded when needed: at most once
 * before the write, and at most once after it.
 */
export class StoredRecord {
	/** Made before the write, because the loader must know of it. */
	private readonly loader: RecordLoader;
	private content?: { before?: JsonObject };
	private contentAfter?: Promise<JsonObject | undefined>;

	/** @param reloadTogether loads this record and others into the loader again, with fewer requests than by IDs */
	constructor(
		private readonly client: Client,
		readonly address: RecordAddress,
		private readonly needs: StoredRecordNeeds = {},
		private readonly reloadTogether?: () => Promise<unknown>,
	) {
		this.loader = storedRecordLoader(client, address.sheet, needs);
	}

	/** Returns the record before the write, at most a minute old; undefined if it does not exist. Throws ServiceError. */
	async before(): Promise<JsonObject | undefined> {
		this.content ??= { before: await this.load('recent') };
		return this.content.before;
	}

	/** Returns the record after all writes of the run until now; undefined if it does not exist. Throws ServiceError. */
	async current(): Promise<JsonObject | undefined> {
		return await this.load('current');
	}

	/** The record before the write if it was loaded; otherwise undefined. */
	get loadedBefore(): JsonObject | undefined {
		return this.content?.before;
	}

	/** Keeps the record that an earlier attempt of Retry On Fail loaded before its write, unless it was loaded again. */
	keepBefore(before: JsonObject | undefined): void {
		if (before) this.content ??= { before };
	}

	/** Whether the record is not loaded, or was loaded over a minute ago or before another write of the run. */
	get isExpired(): boolean {
		return this.loader.isExpired(this.address.recordId);
	}

	/** Returns `before` loaded again, together with other expired records. Throws ServiceError. */
	async reload(): Promise<JsonObject | undefined> {
		await this.primeLoader();
		const before = await this.loader.load(this.client, this.address.recordId, 'current');
		this.content = { before };
		return before;
	}

	/** Loads `before` again with a single read. Throws ServiceError. */
	async readNow(): Promise<JsonObject | undefined> {
		const before = await this.loader.loadNow(this.client, this.address.recordId);
		this.content = { before };
		return before;
	}

	/** Drops `before`, and enqueues another load, so that the record is loaded together with others. */
	loadLater(): void {
		this.content = undefined;
		this.loader.enqueue(this.address.recordId);
	}

	/**
	 * Returns the last change of the record, or undefined if there is no record. It is read at this moment unless `before` has it.
	 * Throws ServiceError if the record does not show it.
	 *
	 * @param offsetHours offset from UTC of the date; undefined for the account's time zone
	 */
	async lastChange(offsetHours: number | undefined): Promise<LastChange | undefined> {
		const { client, address, needs, content } = this;
		const hasDate = needs.withInformation === true && needs.offsetHours === offsetHours;
		if (!hasDate || !content) return await fetchLastChange(client, address, offsetHours);
		return content.before && lastChangeOf(address.recordId, content.before, offsetHours);
	}

	private async load(required: Freshness): Promise<JsonObject | undefined> {
		const { client, loader, address } = this;
		if (loader.isExpired(address.recordId, required)) await this.primeLoader();
		return await loader.load(client, address.recordId, required);
	}

	/** Calls `reloadTogether`, and throws its errors. Does nothing if the run has written the record: lists may be outdated. */
	private async primeLoader(): Promise<void> {
		if (this.loader.mayBeListed(this.address.recordId)) await this.reloadTogether?.();
	}

	/** Must be called before each write, so that `after` is loaded again. */
	beginWrite(): void {
		this.contentAfter = undefined;
	}

	/** Returns the record after the latest write. Returns undefined if it cannot be loaded, because the write itself has succeeded. */
	async after(): Promise<JsonObject | undefined> {
		this.contentAfter ??= fetchContent(this.client, this.address).catch(() => undefined);
		return await this.contentAfter;
	}
}

/** Returns the run's loader of stored records for writes with these needs. */
export function storedRecordLoader(
	client: Client,
	sheet: SheetAddress,
	needs: StoredRecordNeeds = {},
): RecordLoader {
	const loader = recordLoader(client, sheet, storedReadOptions(needs));
	return needs.asReturned ? loader.needWholeRecords() : loader;
}

/**
 * Fetches the last change of a record; undefined if there is no record. Throws ServiceError, also if the record does not show it.
 *
 * @param offsetHours offset from UTC of the date; undefined for the account's time zone
 */
export async function fetchLastChange(
	client: Client,
	record: RecordAddress,
	offsetHours: number | undefined,
): Promise<LastChange | undefined> {
	const options = plainReadOptions('EID', ['info', true], ...offsetParameters(offsetHours));
	const content = await fetchContent(client, record, options);
	return content && lastChangeOf(record.recordId, content, offsetHours);
}

/** Fetches a record, and returns whether it exists. Throws ServiceError. */
export async function recordExists(client: Client, record: RecordAddress): Promise<boolean> {
	return (await fetchContent(client, record, plainReadOptions('EID'))) !== undefined;
}

async function fetchContent(
	client: Client,
	record: RecordAddress,
	options = storedReadOptions({}),
): Promise<JsonObject | undefined> {
	return (await getRecord(client, record, options))?.content;
}

function offsetParameters(offsetHours: number | undefined) {
	return offsetHours === undefined ? [] : [['tz', offsetHours] as const];
}
