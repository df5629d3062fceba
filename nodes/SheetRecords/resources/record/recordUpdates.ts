import type { IDataObject } from 'n8n-workflow';
import type { CachePart } from '../../../api/http/runCache';
import { ServiceError, fallbackTo, refusals } from '../../../api/http/serviceError';
import type { JsonObject } from '../../../api/json/orderedJson';
import { readOptionsBy, type ReadOptions } from '../../../api/read/readOptions';
import { recordsByIds, type RecordsByIds } from '../../../api/read/recordsByIds';
import { absentRows, requireRows } from '../../../api/rows/existingRows';
import { matchRows } from '../../../api/rows/matchRows';
import { isFieldId } from '../../../api/schema/fields';
import { formatSheetPath, type SheetAddress } from '../../../api/values/sheetAddress';
import { isSubtableKey } from '../../../api/values/subtableKeys';
import { contentFor, isEmpty, type RecordContent } from '../../../api/write/recordContent';
import { differingChanges } from '../../../api/write/sameValue';
import { notesOn } from '../../../api/write/savedValues';
import type { Writing } from '../../../api/write/records';
import { Schema } from '../../../api/schema/schema';
import type { Item } from '../../itemContext';
import { plannedRecord, plannedUpdate } from '../../plannedRecord';
import { updateWithFiles, type FilesMode } from '../../fieldFiles';
import { postponed, type Postponed } from '../../operationResult';
import { savedRecordJson } from '../../savedRecord';
import { addOwnWrite, requireUnchanged } from './conflicts';

/** What an item writes into records of a sheet. */
export interface WantedUpdate {
	sheet: SheetAddress;
	values: RecordContent;
	options: Writing & {
		naming: ReadOptions['naming'];
		dryRun?: boolean;
		onConflict?: 'error' | 'overwrite';
		skipUnchanged?: boolean;
		filesMode?: FilesMode;
	};
}

/** What is written to a record; where that is nothing, what it holds. */
interface PlannedUpdate {
	content: RecordContent;
	held?: JsonObject;
	/** What it holds, where the update is only planned. */
	before?: JsonObject;
}

/** An update that seems to change nothing, until its item comes again. */
interface PostponedUpdate {
	/** The sheet and the record. */
	place: string;
	planned: PlannedUpdate;
	/** Whether a later item has written the record since, whose values are to stay. */
	isOvertaken?: boolean;
}

/** By the numbers of their items. */
const postponedUpdates: CachePart<PostponedUpdate> = { name: 'postponedUpdates' };

/** Returns the records that are compared with what an item writes; undefined when it writes in any case. */
export function comparedRecords(
	{ client }: Item,
	{ sheet, values, options }: WantedUpdate,
): RecordsByIds | undefined {
	const maySkip = options.skipUnchanged && values.files.length === 0;
	if (!maySkip && !values.rowRules && !options.dryRun) return undefined;
	const { subtables, deletedRows } = values.changes;
	const withSubtables = options.dryRun === true || subtables.size + deletedRows.size > 0;
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
	const planned = await planUpdate(item, recordId, { ...wanted, values }, refresh, mayPostpone);
	if (planned === postponed) return planned;
	const { content, held, before } = planned;
	if (!held) {
		await requireUnchanged(item, wanted, recordId);
		if (before) {
			const replacesFiles = options.filesMode === 'replace';
			return await plannedUpdate(output, recordId, content, before, replacesFiles);
		}
		const saved = await updateWithFiles(item, { sheet, recordId }, content, options);
		for (const other of item.client.cache.part(postponedUpdates).values()) {
			if (other.place === placeOf(sheet, recordId)) other.isOvertaken = true;
		}
		addOwnWrite(item, sheet, recordId);
		return await savedRecordJson(output, saved, 'updated');
	}
	// Nobody asked for the rest, which is read unmasked and as markup.
	const isShown = (key: string) =>
		isFieldId(key) ? values.changes.fields.has(key) : !isSubtableKey(key);
	const saved = new Map([...held].filter(([key]) => isShown(key)));
	const notes = notesOn(held, content);
	const record = { recordId, saved, answer: new Map(), notes, offsetHours: options.timeZone };
	return await savedRecordJson(output, record, 'unchanged');
}

/**
 * Returns what has to be written of what an item wants: where the record is read anyway, only what it does not hold.
 * Before nothing is written, the record is read again unless it was just read.
 */
async function planUpdate(
	item: Item,
	recordId: string,
	wanted: WantedUpdate,
	refresh: (() => Promise<unknown>) | undefined,
	mayPostpone: boolean,
): Promise<PlannedUpdate | Postponed> {
	const { sheet, values, options } = wanted;
	const { client } = item;
	const records = comparedRecords(item, wanted);
	if (!records) return { content: values };
	const waiting = client.cache.part(postponedUpdates);
	const before = waiting.get(String(item.index));
	if (before?.isOvertaken) return before.planned;
	const plan = async (mustBeFresh: boolean) => {
		const read = async () => await records.content(client, recordId, mustBeFresh);
		const held =
			plannedRecord({ item, sheet }, recordId) ??
			(await read().catch(fallbackTo(undefined, ...refusals)));
		if (!held && (values.rowRules || options.dryRun)) throw notShown(recordId);
		return held ? await updateOf(item, recordId, wanted, held) : { content: values };
	};
	const isOutdated = records.isOutdated(recordId);
	if (isOutdated) await refresh?.();
	const planned = await plan(isOutdated);
	if (!planned.held || records.isFresh(recordId)) return planned;
	if (mayPostpone) {
		records.expect(recordId);
		waiting.set(String(item.index), { place: placeOf(sheet, recordId), planned });
		return postponed;
	}
	await refresh?.();
	return await plan(true);
}

/** Returns what has to be written to a record that holds certain values. */
async function updateOf(
	{ client }: Item,
	recordId: string,
	{ sheet, values, options }: WantedUpdate,
	held: JsonObject,
): Promise<PlannedUpdate> {
	const schema = new Schema(client, sheet);
	const matched = await matchRows(schema, { sheet, recordId }, values, held);
	const notes = [...(values.notes ?? []), ...absentRows(held, values.changes)];
	const content = { ...matched, notes, isCompared: true };
	const changes = await differingChanges(held, content.changes, async () => await schema.types());
	if (options.dryRun) {
		await requireRows(client, { sheet, recordId }, held, content);
		return { content: { ...content, changes }, before: held };
	}
	if (!isEmpty(changes) || content.files.length > 0) return { content: { ...content, changes } };
	return options.skipUnchanged || isEmpty(content.changes) ? { content, held } : { content };
}

function placeOf(sheet: SheetAddress, recordId: string): string {
	return `${formatSheetPath(sheet)}/${recordId}`;
}

/** What is written cannot be compared with a record that is not shown. */
export function notShown(recordId: string): ServiceError {
	return new ServiceError({
		kind: 'notFound',
		message: `There is no record ${recordId} on this sheet, or this user may not read it`,
		description:
			'It may have been deleted, or be on another sheet. Rows are matched, and a dry run is made, with what the record holds.',
	});
}

/**
 * As values are stored: by ids, unmasked where the user may see them, rich text as its markup, in the
 * offset in which moments are written.
 */
export function readingOf({ timeZone }: Writing, withSubtables: boolean): ReadOptions {
	return readOptionsBy(
		'EID',
		...(withSubtables ? [] : [['subtables', 0] as const]),
		['bbcode', true],
		['ignoreMask', true],
		...(timeZone === undefined ? [] : [['tz', timeZone] as const]),
	);
}
