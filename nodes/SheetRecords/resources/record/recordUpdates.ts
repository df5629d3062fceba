import type { IDataObject } from 'n8n-workflow';
import { getOrInsert } from '../../../api/json/objects';
import type { JsonObject } from '../../../api/json/orderedJson';
import { readOptionsBy, type ReadOptions } from '../../../api/read/readOptions';
import { StoredRecords } from '../../../api/read/recordsByIds';
import { isFieldId } from '../../../api/schema/fields';
import { formatSheetPath, type SheetAddress } from '../../../api/values/sheetAddress';
import { isSubtableKey } from '../../../api/values/subtableKeys';
import { contentFor, type RecordContent } from '../../../api/write/recordContent';
import { holdsChanges } from '../../../api/write/sameValue';
import { notesOn } from '../../../api/write/savedValues';
import type { Writing } from '../../../api/write/records';
import { Schema } from '../../../api/schema/schema';
import type { Item } from '../../itemContext';
import { updateWithFiles, type FilesMode } from '../../fieldFiles';
import { postponed, type Postponed } from '../../operationResult';
import { savedRecordJson } from '../../savedRecord';

/** What an item writes into records of a sheet. */
export interface WantedUpdate {
	sheet: SheetAddress;
	values: RecordContent;
	options: Writing & {
		naming: ReadOptions['naming'];
		skipUnchanged?: boolean;
		filesMode?: FilesMode;
	};
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

	/**
	 * Updates a record unless that would change nothing. Returns its item, or postpones it where that seems so by values
	 * that are not fresh: after the others, many are read again together. Throws as `updateWithFiles`.
	 *
	 * @param refresh reads the record again, together with others
	 */
	async update(
		item: Item,
		recordId: string,
		wanted: WantedUpdate,
		refresh?: () => Promise<unknown>,
		mayPostpone = item.comesAgain,
	): Promise<IDataObject | Postponed> {
		const { sheet, options } = wanted;
		const values = contentFor(recordId, wanted.values);
		const output = { item, sheet, ...options };
		const own = { ...wanted, values };
		const content = await this.sameContent(item, recordId, own, refresh, mayPostpone);
		if (content === postponed) return content;
		if (content) {
			// Nobody asked for the rest, which is read unmasked and as markup.
			const isShown = (key: string) =>
				isFieldId(key) ? values.changes.fields.has(key) : !isSubtableKey(key);
			const saved = new Map([...content].filter(([key]) => isShown(key)));
			const notes = notesOn(content, values);
			const record = { recordId, saved, answer: new Map(), notes, offsetHours: options.timeZone };
			return await savedRecordJson(output, record, 'unchanged');
		}
		try {
			const saved = await updateWithFiles(item, { sheet, recordId }, values, options);
			return await savedRecordJson(output, saved, 'updated');
		} finally {
			this.forget(recordId);
		}
	}

	/** Has to be called when a record was written. A write that failed may have been carried out, too. */
	forget(recordId: string): void {
		for (const records of this.stored.values()) records.forget(recordId);
	}

	/** Returns what a record holds if that is all that would be written; it is read again unless it was just read. */
	private async sameContent(
		item: Item,
		recordId: string,
		wanted: WantedUpdate,
		refresh: (() => Promise<unknown>) | undefined,
		mayPostpone: boolean,
	): Promise<JsonObject | Postponed | undefined> {
		const stored = this.storedRecords(item, wanted);
		const typesOf = async () => await new Schema(item.client, wanted.sheet).types();
		const known = async (mustBeFresh: boolean) => {
			const content = await stored?.content(item.client, recordId, mustBeFresh);
			const isSame = content && (await holdsChanges(content, wanted.values.changes, typesOf));
			return isSame ? content : undefined;
		};
		const content = await known(false);
		if (!content || stored?.isFresh(recordId)) return content;
		if (mayPostpone) {
			stored?.expect(recordId);
			return postponed;
		}
		await refresh?.();
		return await known(true);
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
