import type { JsonValue } from '../wire/orderedJson';
import type { QueryParameter } from '../wire/query';
import type { SheetRecord } from '../wire/record';
import type { SheetAddress } from '../wire/sheetAddress';
import { whereParameter } from '../wire/where';
import type { WhereCondition } from '../wire/where';
import type { Client } from './client';
import { listPage } from './records';

/** The values that a record must hold, one for each of the match fields. */
export type MatchKey = readonly string[];

/** Servers and proxies on the way accept addresses of about 8,000 characters. */
const longestConditions = 7_000;
const pageLength = 1_000;
const lookUpParameters: QueryParameter[] = [
	['naming', 'EID'],
	['subtables', 0],
	['version', '2025-01-01'],
];

/**
 * Finds existing records for many keys with few requests: the service combines several `eq` on one
 * field with OR, and different fields with AND (specification, filter rules 6 and 8). A batch is asked
 * for when the first of its keys is.
 *
 * A record whose values equal a key to the letter is its match. What else the service calls equal, such
 * as other capitals or 5.00 for 5, counts for a key that has no such record, after asking for it alone.
 */
export class Matches {
	private readonly batches = new Map<string, Promise<Map<string, string[]>>>();
	private readonly keysOfBatch = new Map<string, MatchKey[]>();
	private readonly created = new Map<string, string[]>();
	/** A page shorter than one already seen was not cut short by a silent cap. */
	private longestPage = 0;

	/** @param keys every key that will be asked for */
	constructor(
		private readonly client: Client,
		private readonly sheet: SheetAddress,
		private readonly fieldIds: readonly string[],
		keys: readonly MatchKey[],
	) {
		for (const batch of this.packed(keys)) {
			for (const key of batch) this.keysOfBatch.set(keyText(key), batch);
		}
	}

	/**
	 * The ids of the records that match a key, in the order of the service, those created since included.
	 *
	 * @throws ServiceError
	 */
	async recordIds(key: MatchKey): Promise<string[]> {
		const text = keyText(key);
		const batch = this.keysOfBatch.get(text) ?? [key];
		const batchText = batch.map(keyText).join();
		const found = this.batches.get(batchText) ?? this.lookUp(batch);
		this.batches.set(batchText, found);
		return [...((await found).get(text) ?? []), ...(this.created.get(text) ?? [])];
	}

	/** Remembers a new record: the service may take a while until its filters find it. */
	addCreated(key: MatchKey, recordId: string): void {
		const text = keyText(key);
		this.created.set(text, [...(this.created.get(text) ?? []), recordId]);
	}

	/** Batches of different keys whose conditions fit into one address. */
	private packed(keys: readonly MatchKey[]): MatchKey[][] {
		const batches: MatchKey[][] = [];
		const packed = new Set<string>();
		let room = 0;
		for (const key of keys) {
			if (packed.has(keyText(key))) continue;
			packed.add(keyText(key));
			const length = this.conditions([key]).map(whereParameter).join('&').length + 1;
			if (length > room) {
				batches.push([]);
				room = longestConditions;
			}
			batches[batches.length - 1]?.push(key);
			room -= length;
		}
		return batches;
	}

	private async lookUp(batch: readonly MatchKey[]): Promise<Map<string, string[]>> {
		const records = await this.read(this.conditions(batch));
		const found = new Map(batch.map((key): [string, string[]] => [keyText(key), []]));
		let hasStrays = false;
		for (const record of records) {
			const values = this.valuesOf(record);
			const ids = found.get(keyText(values));
			if (ids) ids.push(record.id);
			else hasStrays ||= !this.isCombination(values, batch);
		}
		if (!hasStrays) return found;
		for (const key of batch) {
			const ids = found.get(keyText(key));
			if (ids?.length === 0) ids.push(...(await this.equalIds(key, batch, records)));
		}
		return found;
	}

	/** What the service calls equal to a key that no record equals to the letter. */
	private async equalIds(
		key: MatchKey,
		batch: readonly MatchKey[],
		records: readonly SheetRecord[],
	): Promise<string[]> {
		const equal = batch.length === 1 ? records : await this.read(this.conditions([key]));
		return equal.map(({ id }) => id);
	}

	private conditions(keys: readonly MatchKey[]): WhereCondition[] {
		return this.fieldIds.flatMap((fieldId, index) =>
			[...new Set(keys.map((key) => key[index] ?? ''))].map((value) => ({
				fieldId,
				operator: 'eq',
				value,
			})),
		);
	}

	private async read(where: WhereCondition[]): Promise<SheetRecord[]> {
		const request = { sheet: this.sheet, where, parameters: lookUpParameters };
		const records = new Map<string, SheetRecord>();
		for (let offset = 0; ;) {
			const page = await listPage(this.client, request, offset, pageLength);
			for (const record of page) records.set(record.id, record);
			if (page.length === 0 || page.length < this.longestPage) return [...records.values()];
			this.longestPage = page.length;
			offset += page.length;
		}
	}

	private valuesOf({ content }: SheetRecord): MatchKey {
		return this.fieldIds.map((fieldId) => valueText(content.get(fieldId)));
	}

	/** OR within and AND across fields also find values of different keys together: those are no match. */
	private isCombination(values: MatchKey, batch: readonly MatchKey[]): boolean {
		return values.every((value, index) => batch.some((key) => key[index] === value));
	}
}

function keyText(key: MatchKey): string {
	return JSON.stringify(key);
}

function valueText(value: JsonValue | undefined): string {
	if (Array.isArray(value) && value.length === 1) return valueText(value[0]);
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}
