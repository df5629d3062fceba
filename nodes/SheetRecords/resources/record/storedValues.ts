import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../api/http/client';
import { readingBy, type Reading } from '../../../api/read/readOptions';
import { StoredRecords } from '../../../api/read/storedRecords';
import type { Writing } from '../../../api/write/writeOptions';
import { isFieldId } from '../../../api/schema/fields';
import {
	formatSheetPath,
	type RecordAddress,
	type SheetAddress,
} from '../../../api/values/sheetAddress';
import { isSubtableKey } from '../../../api/values/subtableKeys';
import { holdsChanges } from '../../../api/write/unchanged';
import type { Item } from '../../operation';
import type { RecordValues } from '../../parameters/recordValues';
import { savedRecordJson } from '../../savedRecord';
import { SheetFields } from '../../../ui/sheetFields';
import { getOrInsert } from '../../../api/json/objects';

/** What an item writes, as far as it tells what to compare with. */
interface Compared {
	sheet: SheetAddress;
	values: RecordValues;
	options: Writing & { naming: Reading['naming']; skipUnchanged?: boolean };
}

/** What the records of a run hold, to leave out writes that would change nothing. */
export class StoredValues {
	/** By who reads them, where, and in what form. */
	private readonly records = new Map<string, StoredRecords>();

	/** The records that are compared with what an item writes; undefined when it writes in any case. */
	of(item: Item, { sheet, values, options }: Compared): StoredRecords | undefined {
		if (!options.skipUnchanged || values.files.length > 0) return undefined;
		const withSubtables = values.changes.subtables.size > 0;
		const reading = readingOf(options, withSubtables);
		const group = JSON.stringify([item.authentication, formatSheetPath(sheet), reading]);
		const records = getOrInsert(this.records, group, () => new StoredRecords(sheet, reading));
		// Rows come with whole records only.
		if (!withSubtables) records.expectFields(values.changes.fields.keys());
		return records;
	}

	/**
	 * The item of a record that holds all that is to be written, with those fields; undefined when it has to be
	 * written. Throws ServiceError when the service is not reached.
	 */
	async unchanged(
		item: Item,
		client: Client,
		recordId: string,
		compared: Compared,
	): Promise<IDataObject | undefined> {
		const content = await this.of(item, compared)?.content(client, recordId);
		if (!content) return undefined;
		const { sheet, values, options } = compared;
		const typesOf = async () => await new SheetFields(client, sheet).typesByField();
		if (!(await holdsChanges(content, values.changes, typesOf))) return undefined;
		// Nobody asked for the rest, which is read unmasked and as markup.
		const saved = new Map(
			[...content].filter(([key]) =>
				isFieldId(key) ? values.changes.fields.has(key) : !isSubtableKey(key),
			),
		);
		const { timeZone: offsetHours } = options;
		const record = { recordId, saved, answer: new Map(), offsetHours };
		const json = await savedRecordJson({ item, client, sheet, ...options }, record);
		return { ...json, _action: 'unchanged' };
	}

	/** What `write` yields; what is known of the record is forgotten, whether or not it was written. */
	async whileWritten<T>({ recordId }: RecordAddress, write: () => Promise<T>): Promise<T> {
		try {
			return await write();
		} finally {
			for (const records of this.records.values()) records.forget(recordId);
		}
	}
}

/**
 * As values are stored: by ids, unmasked where the user may see them, rich text as its markup, in the
 * offset in which moments are written.
 */
function readingOf({ timeZone }: Writing, withSubtables: boolean): Reading {
	return readingBy(
		'EID',
		...(withSubtables ? [] : [['subtables', 0] as const]),
		['bbcode', true],
		['ignoreMask', true],
		...(timeZone === undefined ? [] : [['tz', timeZone] as const]),
	);
}
