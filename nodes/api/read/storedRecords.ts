import type { JsonObject } from '../json/orderedJson';
import type { SheetRecord } from './record';
import { refusals, fallbackTo } from '../http/serviceError';
import type { SheetAddress } from '../values/sheetAddress';
import type { Client } from '../http/client';
import type { Reading } from './readOptions';
import { getRecord } from './records';
import { readListed } from './recordsByIds';

/** What records of a sheet held when they were last seen. */
export class StoredRecords {
	private readonly contents = new Map<string, JsonObject>();
	private readonly written = new Set<string>();
	/** Those that are sure to be asked for, and were not looked for yet. */
	private expected = new Set<string>();
	private readonly fields = new Set<string>();

	constructor(
		private readonly sheet: SheetAddress,
		readonly form: Reading,
	) {}

	/** In what form records are read: with all fields that were said to be of interest. */
	get reading(): Reading {
		return { ...this.form, fields: [...this.fields] };
	}

	/** Fields that will be compared; to be said before the first record is read. */
	expectFields(fieldIds: Iterable<string>): void {
		for (const fieldId of fieldIds) this.fields.add(fieldId);
	}

	/** A record that will be asked for: many are read together. */
	expect(recordId: string): void {
		this.expected.add(recordId);
	}

	/** Takes in what a look-up has brought along, unless a write may be newer: lists lag behind. */
	see({ id, content }: SheetRecord): void {
		if (!this.written.has(id)) this.contents.set(id, content);
	}

	/** Has to be called when a record is written, or may have been: from then on it is read anew each time. */
	forget(recordId: string): void {
		this.contents.delete(recordId);
		this.written.add(recordId);
	}

	/**
	 * What a record holds, read by itself unless it was seen. Expected records are looked for in the list first.
	 *
	 * @returns undefined when there is no such record, and when the user may not read it
	 * @throws ServiceError when the service is not reached
	 */
	async content(client: Client, recordId: string): Promise<JsonObject | undefined> {
		const { sheet, reading, expected } = this;
		if (expected.has(recordId)) {
			this.expected = new Set();
			for (const record of (await readListed(client, sheet, expected, reading, Infinity)).found) {
				this.see(record);
			}
		}
		const known = this.contents.get(recordId);
		if (known) return known;
		const record = await getRecord(client, { sheet, recordId }, reading).catch(
			fallbackTo(undefined, ...refusals),
		);
		if (record) this.see(record);
		return record?.content;
	}
}
