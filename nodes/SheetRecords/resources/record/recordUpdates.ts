import type { IDataObject } from 'n8n-workflow';
import { cacheKey, type CachePart } from '../../../api/http/runCache';
import { getOrInsert } from '../../../api/json/objects';
import { LaterChanges } from '../../../api/read/laterChanges';
import { InputError } from '../../../api/values/inputError';
import { ServiceError, fallbackTo, refusals } from '../../../api/http/serviceError';
import type { JsonObject } from '../../../api/json/orderedJson';
import { readOptionsBy, type ReadOptions } from '../../../api/read/readOptions';
import { recordsByIds, type RecordsByIds } from '../../../api/read/recordsByIds';
import { absentRows, createWithRows, requireRows } from '../../../api/rows/existingRows';
import { matchRows } from '../../../api/rows/matchRows';
import { isFieldId } from '../../../api/schema/fields';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { isSubtableKey } from '../../../api/values/subtableKeys';
import { contentFor, isEmpty, type RecordContent } from '../../../api/write/recordContent';
import { differingChanges, notesOn } from '../../../api/write/sameValue';
import type { Writing } from '../../../api/write/records';
import { Schema } from '../../../api/schema/schema';
import type { Item } from '../../itemContext';
import { plannedCreation, plannedUpdate, savedRecordJson } from '../../savedRecord';
import { updateWithFiles, type FilesMode } from '../../fieldFiles';
import { postponed, type Postponed } from '../../operationResult';

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

/** What is written to a record; where that is nothing, its content. */
interface PlannedUpdate {
	content: RecordContent;
	stored?: JsonObject;
	/** Its content, where the update is only planned. */
	before?: JsonObject;
}

/** Who has changed records meanwhile, by sheet and by the offset in which items were read. */
const laterChanges: CachePart<LaterChanges> = { name: 'laterChanges' };
/** Records that this run has written. */
const ownWrites: CachePart<true> = { name: 'ownWrites' };

/** Returns the records that are compared with what an item writes; undefined when it writes in any case. */
export function comparedRecords(
	{ client }: Item,
	{ sheet, values, options }: WantedUpdate,
): RecordsByIds | undefined {
	const maySkip = options.skipUnchanged && values.files.length === 0;
	if (!maySkip && !values.rowRules && !options.dryRun) return undefined;
	const { subtables, deletedRows } = values.changes;
	const withSubtables = options.dryRun === true || subtables.size + deletedRows.size > 0;
	return recordsByIds(client, sheet, readingOf(options, withSubtables));
}

/** Creates the record of an item, and returns its item. */
export async function createOne(
	item: Item,
	{ sheet, values, options }: WantedUpdate,
	action?: 'created',
): Promise<IDataObject> {
	const keys = { item, sheet, ...options };
	if (options.dryRun) return await plannedCreation(keys, values);
	const saved = await createWithRows(item.client, sheet, values, options);
	return await savedRecordJson(keys, saved, action);
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
	const { content, stored, before } = planned;
	if (!stored) {
		await requireUnchanged(item, wanted, recordId);
		if (before) {
			const replacesFiles = options.filesMode === 'replace';
			return await plannedUpdate(output, recordId, content, before, replacesFiles);
		}
		const saved = await updateWithFiles(item, { sheet, recordId }, content, options);
		addOwnWrite(item, sheet, recordId);
		return await savedRecordJson(output, saved, 'updated');
	}
	// Nobody asked for the rest, which is read unmasked and as markup.
	const isShown = (key: string) =>
		isFieldId(key) ? values.changes.fields.has(key) : !isSubtableKey(key);
	const saved = new Map([...stored].filter(([key]) => isShown(key)));
	const notes = notesOn(stored, content);
	const record = { recordId, saved, answer: new Map(), notes, offsetHours: options.timeZone };
	return await savedRecordJson(output, record, 'unchanged');
}

/** Returns what has to be written: of a record that is read anyway only what it does not hold, and nothing only if that was just read. */
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
	const isOwn = isOwnWrite(item, sheet, recordId);
	const mustBeFresh = !mayPostpone || isOwn || records.isOutdated(recordId);
	if (mustBeFresh && !records.isFresh(recordId)) await refresh?.();
	const stored = await records
		.content(client, recordId, mustBeFresh)
		.catch(fallbackTo(undefined, ...refusals));
	if (!stored && (values.rowRules || options.dryRun)) throw notShown(recordId);
	if (!stored) return { content: values };
	// What a later item has written since is to stay.
	if (isOwn && !item.comesAgain) return { content: values, stored };
	const planned = await updateOf(item, recordId, wanted, stored);
	if (!planned.stored || records.isFresh(recordId)) return planned;
	records.expect(recordId);
	return postponed;
}

/** Returns what has to be written to a record that holds certain values. */
async function updateOf(
	{ client }: Item,
	recordId: string,
	{ sheet, values, options }: WantedUpdate,
	stored: JsonObject,
): Promise<PlannedUpdate> {
	const schema = new Schema(client, sheet);
	const matched = await matchRows(schema, { sheet, recordId }, values, stored);
	const notes = [...(values.notes ?? []), ...absentRows(stored, values.changes)];
	const content = { ...matched, notes, isCompared: true };
	const changes = await differingChanges(stored, content.changes, async () => await schema.types());
	if (options.dryRun) {
		requireRows({ sheet, recordId }, stored, content);
		return { content: { ...content, changes }, before: stored };
	}
	if (!isEmpty(changes) || content.files.length > 0) return { content: { ...content, changes } };
	return options.skipUnchanged || isEmpty(content.changes) ? { content, stored } : { content };
}

function placeOf(client: Item['client'], sheet: SheetAddress, recordId: string): string {
	return `${cacheKey(client, sheet)} ${recordId}`;
}

function isOwnWrite({ client }: Item, sheet: SheetAddress, recordId: string): boolean {
	return client.cache.part(ownWrites).has(placeOf(client, sheet, recordId));
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

/** As values are stored: by ids, unmasked where the user may see them, as markup, in the offset in which moments are written. */
export function readingOf({ timeZone }: Writing, withSubtables: boolean): ReadOptions {
	return readOptionsBy(
		'EID',
		...(withSubtables ? [] : [['subtables', 0] as const]),
		['bbcode', true],
		['ignoreMask', true],
		...(timeZone === undefined ? [] : [['tz', timeZone] as const]),
	);
}

function changesOf({ client, record }: Item, sheet: SheetAddress): LaterChanges {
	const hours = typeof record._timeZone === 'number' ? record._timeZone : undefined;
	const name = `${cacheKey(client, sheet)} ${hours}`;
	const make = () => new LaterChanges(sheet, hours);
	return getOrInsert(client.cache.part(laterChanges), name, make);
}

/** Must be called for each item before the first of them is written: changes are looked for together. */
export function expectUnchanged(item: Item, { sheet, options }: WantedUpdate): void {
	if (options.onConflict === 'error') changesOf(item, sheet).expect(item.record._update_date);
}

/** Must be called when an item was written: for later items, that is no conflict. */
export function addOwnWrite({ client }: Item, sheet: SheetAddress, recordId: string): void {
	client.cache.part(ownWrites).set(placeOf(client, sheet, recordId), true);
}

/** Throws InputError when somebody else has changed a record since its item was read, where the user minds. */
async function requireUnchanged(
	item: Item,
	{ sheet, options }: WantedUpdate,
	recordId: string,
): Promise<void> {
	const { client, record } = item;
	if (options.onConflict !== 'error' || isOwnWrite(item, sheet, recordId)) return;
	const { _update_date: shown } = record;
	const later = await changesOf(item, sheet).since(client, recordId, shown);
	if (!later) return;
	throw new InputError(
		`Record ${recordId} was changed by ${later.by} at ${later.at}, after it was read for this item (${String(shown)})`,
		'It was not written. Read it again, and decide which of the values are to stay.',
	);
}
