import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../api/http/client';
import { Journal } from '../../api/http/journal';
import type { ServiceError } from '../../api/http/serviceError';
import { getOrInsert } from '../../api/json/objects';
import type { SheetAddress } from '../../api/values/sheetAddress';
import type { LastChange } from '../../api/write/conflicts';
import type { Plan } from '../../api/write/plan';
import { Hints } from './hints';
import type { OperationResult } from './operationResult';

/** Journal of all attempts of Retry On Fail for one item that has no result yet. */
export class ItemJournal {
	readonly steps = new Journal();
	/**
	 * Record key (see `recordKey`) → a plan that failed after one of its steps was confirmed. The next attempt finishes this plan. It
	 * must not compare the input with the stored record again, because the record already contains a part of the plan.
	 */
	readonly begunPlans = new Map<string, Plan>();
	/**
	 * The plan of the record that the item has created, although it has no result yet. The next attempt returns this creation: looking
	 * the record up would find it, and its rows and files would be added again.
	 */
	begunCreation?: Plan;
	/**
	 * Whether the look-up of the item's records has shown that the item needs no write. A later item may write these records, so the
	 * next attempt must not look them up again.
	 */
	isDecided = false;
	/** Record ID → output of a finished write, for an item that writes several records. */
	readonly outputs = new Map<string, IDataObject>();
}

/** A change of a record, with the offset of its date. */
export interface DatedChange extends LastChange {
	offsetHours: number | undefined;
}

/** Writes of all attempts of a run to a record, and the latest change by others. */
interface RecordHistory {
	/** File fields that were emptied for new files → index of the item for which files were removed; undefined if there were none. */
	readonly emptiedFields: Map<string, number | undefined>;
	/** IDs of the subtables whose rows an item has replaced (Rows Mode). */
	readonly replacedSubtables: Set<string>;
	/** Place of a value → the value that was written last after an item had failed, and the index of its item. */
	readonly newerValues: Map<string, { index: number; text: string }>;
	/** The latest write of this run, if changes by others are looked for. */
	ownChange?: DatedChange;
	/** Whether the date of the run's last write to the record is not known. */
	isLastWriteUndated: boolean;
	/** The latest change that was not made by this run, read before a write. */
	foreignChange?: DatedChange;
}

/** Settings that decide which subtables an item of a read has, and in which form. */
interface ReadSettings {
	simplify?: boolean;
	subtables?: boolean;
	listing?: boolean;
	comment?: boolean;
	onlyFields?: readonly string[];
	downloadFiles?: readonly string[];
}

/** Journal that survives a Retry On Fail attempt, so that finished writes are not sent twice. n8n repeats all items if one fails. */
export class RunJournal {
	readonly hints = new Hints();
	/** Monotonic time of the first attempt in ms (performance.now()). */
	readonly begunAt = performance.now();
	/** Numbers of requests that the clients of each attempt have sent. */
	readonly sent = new Set<Client['cache']['sent']>();
	/** Results and errors of items that must not run again: they were written, or it is unknown whether they were. */
	readonly settled = new Map<number, OperationResult | ServiceError>();
	/** Whether an item has failed, and n8n may run it again although later items have run. */
	hasFailure = false;
	/** Index of an item whose output is records → their group: the sheet, and the settings of the read. */
	readonly recordGroups = new Map<number, string>();
	private readonly items = new Map<number, ItemJournal>();
	private readonly records = new Map<string, RecordHistory>();

	/** Returns the journal of an item that has no result yet. */
	ofItem(index: number): ItemJournal {
		return getOrInsert(this.items, index, () => new ItemJournal());
	}

	/** Returns the history of a record. `key` is that of `recordKey`. */
	ofRecord(key: string): RecordHistory {
		return getOrInsert(this.records, key, () => {
			return {
				emptiedFields: new Map(),
				replacedSubtables: new Set(),
				newerValues: new Map(),
				isLastWriteUndated: false,
			};
		});
	}

	/** Stores that the output of an item is records of a sheet. By these settings, they may lack some of their subtables. */
	noteRecords(
		index: number,
		sheet: SheetAddress,
		{ simplify, subtables, listing, comment, onlyFields = [], downloadFiles }: ReadSettings = {},
	): void {
		// The fields of files are read beside the chosen ones.
		const fields = onlyFields.length > 0 ? [onlyFields, downloadFiles] : [];
		const settings = [simplify, subtables, listing, comment, fields];
		this.recordGroups.set(index, JSON.stringify([sheet, settings]));
	}

	/** Stores the result or error of an item, which must not run again. */
	settle(index: number, result: OperationResult | ServiceError): void {
		this.settled.set(index, result);
		this.items.delete(index);
	}
}
