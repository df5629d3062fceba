import type { IDataObject } from 'n8n-workflow';
import { fallbackTo, refusals } from '../../../api/http/serviceError';
import type { JsonObject } from '../../../api/json/orderedJson';
import { readOptionsBy, type ReadOptions } from '../../../api/read/readOptions';
import { recordsByIds, type RecordsByIds } from '../../../api/read/recordsByIds';
import { isFieldId } from '../../../api/schema/fields';
import type { SheetAddress } from '../../../api/values/sheetAddress';
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

/** Returns the records that are compared with what an item writes; undefined when it writes in any case. */
export function comparedRecords(
	{ client }: Item,
	{ sheet, values, options }: WantedUpdate,
): RecordsByIds | undefined {
	if (!options.skipUnchanged || values.files.length > 0) return undefined;
	const withSubtables = values.changes.subtables.size > 0;
	const records = recordsByIds(client, sheet, readingOf(options, withSubtables));
	// Rows come with whole records only.
	if (!withSubtables) records.expectFields(values.changes.fields.keys());
	return records;
}

/**
 * Updates a record unless that would change nothing and the item wants it left out then. Returns its item, or postpones
 * it where that seems so by values that are not fresh: after the others, many are read again together. Throws as
 * `updateWithFiles`.
 *
 * @param refresh reads the record again, together with others
 */
export async function updateOne(
	item: Item,
	recordId: string,
	wanted: WantedUpdate,
	refresh?: () => Promise<unknown>,
	mayPostpone = item.comesAgain,
): Promise<IDataObject | Postponed> {
	const { sheet, options } = wanted;
	const values = contentFor(recordId, wanted.values);
	const output = { item, sheet, ...options };
	const content = await sameContent(item, recordId, { ...wanted, values }, refresh, mayPostpone);
	if (content === postponed) return content;
	if (!content) {
		const saved = await updateWithFiles(item, { sheet, recordId }, values, options);
		return await savedRecordJson(output, saved, 'updated');
	}
	// Nobody asked for the rest, which is read unmasked and as markup.
	const isShown = (key: string) =>
		isFieldId(key) ? values.changes.fields.has(key) : !isSubtableKey(key);
	const saved = new Map([...content].filter(([key]) => isShown(key)));
	const notes = notesOn(content, values);
	const record = { recordId, saved, answer: new Map(), notes, offsetHours: options.timeZone };
	return await savedRecordJson(output, record, 'unchanged');
}

/** Returns what a record holds if that is all that would be written; it is read again unless it was just read. */
async function sameContent(
	item: Item,
	recordId: string,
	wanted: WantedUpdate,
	refresh: (() => Promise<unknown>) | undefined,
	mayPostpone: boolean,
): Promise<JsonObject | Postponed | undefined> {
	const records = comparedRecords(item, wanted);
	const typesOf = async () => await new Schema(item.client, wanted.sheet).types();
	const known = async (mustBeFresh: boolean) => {
		const reading = records?.content(item.client, recordId, mustBeFresh);
		const content = await reading?.catch(fallbackTo(undefined, ...refusals));
		const isSame = content && (await holdsChanges(content, wanted.values.changes, typesOf));
		return isSame ? content : undefined;
	};
	const content = await known(false);
	if (!content || records?.isFresh(recordId)) return content;
	if (mayPostpone) {
		records?.expect(recordId);
		return postponed;
	}
	await refresh?.();
	return await known(true);
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
