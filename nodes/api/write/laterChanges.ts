import type { Client } from '../http/client';
import { ServiceError } from '../http/serviceError';
import { fromServiceDate, toServiceDate } from '../values/dates';
import { InputError } from '../values/inputError';
import type { SheetAddress } from '../values/sheetAddress';
import { listPages } from '../read/pages';
import { plainReadOptions, type ReadOptions } from '../read/readOptions';
import type { SheetRecord } from '../read/record';
import { getRecord, lastChangedFirst, recordsIn } from '../read/records';
import { listedForRead } from '../read/recordLoader';

/** When a record was changed last, and by whom. */
interface LastChange {
	at: string;
	by: string;
}

/** What was read longer ago, in milliseconds, is read again before a write that depends on it. */
const longestKnown = 10_000;

const noChanges = () => ({ changes: new Map<string, LastChange>(), from: '\uffff', at: -Infinity });

/** Detects changes of a sheet's records since they were read: by one list, or by single reads where these take fewer requests. */
export class LaterChanges {
	private readonly reading: ReadOptions;
	/** The dates of the items. */
	private readonly dates: string[] = [];
	/** The last changes after a date, and when they were read. */
	private listed = noChanges();

	/** @param timeZone hours of `tz` with which the records were read */
	constructor(
		private readonly sheet: SheetAddress,
		private readonly timeZone?: number,
	) {
		const offset = timeZone === undefined ? [] : [['tz', timeZone] as const];
		this.reading = plainReadOptions('EID', ['info', true], ...offset);
	}

	/** Must be called for each record that `since` will be called for, with the `_update_date` of its item. */
	expect(shown: unknown): void {
		const date = this.dateOf(shown);
		if (date !== undefined) this.dates.push(date);
	}

	/** Returns the last change of a record if it is later than the `_update_date` of its item. Throws InputError when that is none. */
	async since(client: Client, recordId: string, shown: unknown): Promise<LastChange | undefined> {
		const date = this.dateOf(shown);
		if (date === undefined) {
			throw new InputError(
				'The item does not say when its record was changed last',
				'Keep _update_date of the read as it is.',
				'readInformation',
			);
		}
		if (performance.now() - this.listed.at > longestKnown) await this.list(client);
		const { changes, from } = this.listed;
		let change = changes.get(recordId);
		if (!change && date <= from) {
			const record = await getRecord(client, { sheet: this.sheet, recordId }, this.reading);
			change = record && this.changeOf(record);
		}
		return change && change.at > date ? change : undefined;
	}

	/** Reads the list back to the oldest date of the items, as far as single reads do not take fewer requests. */
	private async list(client: Client): Promise<void> {
		const { sheet, reading, dates } = this;
		const [oldest = ''] = dates.sort();
		const listed = { ...noChanges(), at: performance.now() };
		const most = dates.length > 1 ? listedForRead * dates.length : 0;
		const request = { sheet, where: [], reading, order: [lastChangedFirst] };
		for await (const page of listPages(client, request, recordsIn, most)) {
			for (const record of page) {
				const change = this.changeOf(record);
				listed.changes.set(record.id, change);
				listed.from = change.at;
			}
			if (listed.from < oldest) break;
		}
		this.listed = listed;
	}

	private changeOf({ id, content }: SheetRecord): LastChange {
		const at = this.dateOf(content.get('_update_date'));
		if (at !== undefined) return { at, by: String(content.get('_update_user') ?? '') };
		throw new ServiceError({
			kind: 'malformed',
			message: `The service does not say when record ${id} was last changed`,
			description: 'So it is not known whether somebody else has changed it, and nothing was sent.',
		});
	}

	/** Returns a date as a text that sorts by time, in the offset of the read; undefined for any other value. */
	private dateOf(value: unknown): string | undefined {
		const { timeZone } = this;
		const written = typeof value === 'string' ? (fromServiceDate(value) ?? value) : value;
		const inOffset = (offsetHours: number) => toServiceDate(written, { offsetHours }, 'dateTime');
		if (timeZone !== undefined) return inOffset(timeZone);
		// Without the account's offset, a time with an offset cannot be compared with the account's times.
		return inOffset(0) === inOffset(1) ? inOffset(0) : undefined;
	}
}
