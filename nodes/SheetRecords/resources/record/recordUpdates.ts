import type { IDataObject } from 'n8n-workflow';
import { getOrInsert } from '../../../api/json/objects';
import { readOptionsBy, type ReadOptions } from '../../../api/read/readOptions';
import { StoredRecords } from '../../../api/read/recordsByIds';
import { updateWithRows } from '../../../api/rows/existingRows';
import { isFieldId } from '../../../api/schema/fields';
import { formatSheetPath, type SheetAddress } from '../../../api/values/sheetAddress';
import { isSubtableKey } from '../../../api/values/subtableKeys';
import type { RecordContent } from '../../../api/write/recordContent';
import { holdsChanges } from '../../../api/write/sameValue';
import type { Writing } from '../../../api/write/records';
import { Schema } from '../../../api/schema/schema';
import type { Item } from '../../itemContext';
import { savedRecordJson } from '../../savedRecord';

/** What an item writes into records of a sheet. */
export interface WantedUpdate {
	sheet: SheetAddress;
	values: RecordContent;
	options: Writing & { naming: ReadOptions['naming']; skipUnchanged?: boolean };
}

/** The updates of a run, without those that would change nothing, where the items want them left out. */
export class RecordUpdates {
	/** What records hold, by who reads them, where, and in what form. */
	private readonly stored = new Map<string, StoredRecords>();

	/** Returns the records that are compared with what an item writes; undefined when it writes in any case. */
	storedRecords(item: Item, { sheet, values, options }: WantedUpdate): StoredRecords | undefined {
		if (!options.skipUnchanged || values.files.length > 0) return undefined;
		const withSubtables = values.changes.subtables.size > 0;
		const reading = readingOf(options, withSubtables);
		const group = JSON.stringify([item.authentication, formatSheetPath(sheet), reading]);
		const records = getOrInsert(this.stored, group, () => new StoredRecords(sheet, reading));
		// Rows come with whole records only.
		if (!withSubtables) records.expectFields(values.changes.fields.keys());
		return records;
	}

	/** Updates a record unless that would change nothing. Returns its item. Throws as `updateWithRows`. */
	async update(item: Item, recordId: string, wanted: WantedUpdate): Promise<IDataObject> {
		const { sheet, values, options } = wanted;
		const output = { item, sheet, ...options };
		const content = await this.storedRecords(item, wanted)?.content(item.client, recordId);
		const typesOf = async () => await new Schema(item.client, sheet).types();
		if (content && (await holdsChanges(content, values.changes, typesOf))) {
			// Nobody asked for the rest, which is read unmasked and as markup.
			const isShown = (key: string) =>
				isFieldId(key) ? values.changes.fields.has(key) : !isSubtableKey(key);
			const saved = new Map([...content].filter(([key]) => isShown(key)));
			const record = { recordId, saved, answer: new Map(), offsetHours: options.timeZone };
			return await savedRecordJson(output, record, 'unchanged');
		}
		try {
			const saved = await updateWithRows(item.client, { sheet, recordId }, values, options);
			return await savedRecordJson(output, saved, 'updated');
		} finally {
			// A write that failed may have been carried out, too.
			for (const records of this.stored.values()) records.forget(recordId);
		}
	}
}

/**
 * As values are stored: by ids, unmasked where the user may see them, rich text as its markup, in the
 * offset in which moments are written.
 */
function readingOf({ timeZone }: Writing, withSubtables: boolean): ReadOptions {
	return readOptionsBy(
		'EID',
		...(withSubtables ? [] : [['subtables', 0] as const]),
		['bbcode', true],
		['ignoreMask', true],
		...(timeZone === undefined ? [] : [['tz', timeZone] as const]),
	);
}
