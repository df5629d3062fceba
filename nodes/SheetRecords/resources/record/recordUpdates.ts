import type { IDataObject } from 'n8n-workflow';
import { cacheKey, CachePart } from '../../../api/http/runCache';
import { ServiceError, fallbackTo, refusals } from '../../../api/http/serviceError';
import { getOrInsert } from '../../../api/json/objects';
import type { JsonObject } from '../../../api/json/orderedJson';
import { LaterChanges } from '../../../api/write/laterChanges';
import { readOptionsBy, type ReadOptions } from '../../../api/read/readOptions';
import { recordsByIds, type RecordsByIds } from '../../../api/read/recordLoader';
import { absentRows, createWithRows, requireRows } from '../../../api/rows/existingRows';
import { matchRows } from '../../../api/rows/matchRows';
import { plannedChanges } from '../../../api/write/plannedChanges';
import { isFieldId } from '../../../api/schema/fields';
import { Schema } from '../../../api/schema/schema';
import { InputError } from '../../../api/values/inputError';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { isSubtableKey } from '../../../api/values/subtableKeys';
import { contentFor, forNewRecord, isEmpty, noChanges } from '../../../api/write/recordContent';
import type { RecordContent } from '../../../api/write/recordContent';
import type { Writing } from '../../../api/write/records';
import { differingChanges, notesOn } from '../../../api/write/sameValue';
import { updateWithFiles, type FilesMode } from '../../files/fieldFiles';
import type { Item } from '../../run/itemContext';
import { postponed, type Postponed } from '../../run/operationResult';
import { plannedJson, recordPlace, savedRecordJson } from '../../run/savedRecord';

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

/** Who has changed records meanwhile, by sheet and by the offset in which items were read. */
const laterChanges = new CachePart<LaterChanges>();

/** Must be called for each item before the first of them is written: what writes depend on is read together. Returns the records that are compared. */
export function expectUpdate(
	item: Item,
	wanted: WantedUpdate,
	recordId = '',
): RecordsByIds | undefined {
	const { sheet, options } = wanted;
	if (options.onConflict === 'error') changesOf(item, sheet).expect(item.record._update_date);
	const records = comparedRecords(item, wanted);
	if (recordId !== '') records?.expect(recordId);
	return records;
}

/** Creates the record of an item, and returns its item. In a dry run, `name` stands for the record. */
export async function createOne(
	item: Item,
	{ sheet, values, options }: WantedUpdate,
	action?: 'created',
	name = `new ${item.index}`,
): Promise<IDataObject> {
	const keys = { item, sheet, ...options };
	if (options.dryRun) {
		const changes = plannedChanges(new Map(), forNewRecord(values));
		return await plannedJson(keys, name, 'wouldCreate', changes, notesOn(undefined, values));
	}
	const saved = await createWithRows(item.client, sheet, values, options);
	return await savedRecordJson(keys, saved, action);
}

/**
 * Updates a record, of one that is read anyway what it does not hold, and returns its item. Where that is nothing by values
 * that are not fresh, the item is postponed: after the others, many are read again together. Throws as `updateWithFiles`.
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
	const { client, run } = item;
	const record = { sheet, recordId };
	const output = { item, sheet, ...options };
	const place = recordPlace(item, sheet, recordId);
	const values = contentFor(recordId, wanted.values);
	const write = async (content: RecordContent) => {
		await requireUnchanged(item, wanted, recordId);
		const saved = await updateWithFiles(item, record, content, options);
		run.ownWrites.add(place);
		return await savedRecordJson(output, saved, 'updated');
	};
	const leave = async (content: RecordContent, stored: JsonObject) => {
		// Nobody asked for the rest, which is read unmasked and as markup.
		const isShown = (key: string) =>
			isFieldId(key) ? values.changes.fields.has(key) : !isSubtableKey(key);
		const saved = new Map([...stored].filter(([key]) => isShown(key)));
		const said = { notes: notesOn(stored, content), offsetHours: options.timeZone };
		const unchanged = { recordId, saved, answer: new Map(), ...said };
		return await savedRecordJson(output, unchanged, 'unchanged');
	};
	const records = comparedRecords(item, wanted);
	if (!records) return await write(values);
	const isOwn = run.ownWrites.has(place);
	const mustBeFresh = !mayPostpone || isOwn || records.isOutdated(recordId);
	if (mustBeFresh && !records.isFresh(recordId)) await refresh?.();
	const reading = records.content(client, recordId, mustBeFresh);
	const stored = await reading.catch(fallbackTo(undefined, ...refusals));
	if (!stored && (values.rowRules || options.dryRun)) throw notShown(recordId);
	if (!stored) return await write(values);
	// What a later item has written since is to stay.
	if (isOwn && !item.comesAgain) return await leave(values, stored);

	const schema = new Schema(client, sheet);
	const matched = await matchRows(schema, record, values, stored);
	const notes = [...(values.notes ?? []), ...absentRows(stored, values.changes)];
	const content = { ...matched, notes, isCompared: true };
	const changes = await differingChanges(stored, content.changes, async () => await schema.types());
	const differing = { ...content, changes };
	if (options.dryRun) {
		requireRows(record, stored, content);
		await requireUnchanged(item, wanted, recordId);
		const planned = plannedChanges(stored, differing, options.filesMode === 'replace');
		const isSame = planned.before.size + planned.after.size === 0;
		const leftOut = notesOn(stored, { ...content, changes: noChanges() });
		const action = isSame ? 'unchanged' : 'wouldUpdate';
		return await plannedJson(output, recordId, action, planned, leftOut);
	}
	if (!isEmpty(changes) || content.files.length > 0) return await write(differing);
	if (!options.skipUnchanged && !isEmpty(content.changes)) return await write(content);
	if (records.isFresh(recordId)) return await leave(content, stored);
	records.expect(recordId);
	return postponed;
}

/** Returns the records that are compared with what an item writes; undefined when it writes in any case. */
function comparedRecords(
	{ client }: Item,
	{ sheet, values, options }: WantedUpdate,
): RecordsByIds | undefined {
	const maySkip = options.skipUnchanged && values.files.length === 0;
	if (!maySkip && !values.rowRules && !options.dryRun) return undefined;
	const { subtables, deletedRows } = values.changes;
	const withSubtables = options.dryRun === true || subtables.size + deletedRows.size > 0;
	return recordsByIds(client, sheet, storedForm(options, withSubtables));
}

/** As values are stored: by ids, unmasked where the user may see them, as markup, in the offset in which moments are written. */
export function storedForm({ timeZone }: Writing, withSubtables: boolean): ReadOptions {
	return readOptionsBy(
		'EID',
		...(withSubtables ? [] : [['subtables', 0] as const]),
		['bbcode', true],
		['ignoreMask', true],
		...(timeZone === undefined ? [] : [['tz', timeZone] as const]),
	);
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

function changesOf({ client, record }: Item, sheet: SheetAddress): LaterChanges {
	const hours = typeof record._timeZone === 'number' ? record._timeZone : undefined;
	const name = `${cacheKey(client, sheet)} ${hours}`;
	const make = () => new LaterChanges(sheet, hours);
	return getOrInsert(client.cache.part(laterChanges), name, make);
}

/** Throws InputError when somebody else has changed a record since its item was read, where the user minds. */
async function requireUnchanged(
	item: Item,
	{ sheet, options }: WantedUpdate,
	recordId: string,
): Promise<void> {
	const { client, record, run } = item;
	const isOwn = run.ownWrites.has(recordPlace(item, sheet, recordId));
	if (options.onConflict !== 'error' || isOwn) return;
	const later = await changesOf(item, sheet).since(client, recordId, record._update_date);
	if (!later) return;
	throw new InputError(
		`Record ${recordId} was changed by ${later.by} at ${later.at}, after it was read for this item (${String(record._update_date)})`,
		'It was not written. Read it again, and decide which of the values are to stay.',
	);
}
