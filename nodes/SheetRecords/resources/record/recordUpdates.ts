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
import { differingChanges } from '../../../api/write/sameValue';
import { notesOn } from '../../../api/write/savedValues';
import type { SavedRecord, Writing } from '../../../api/write/records';
import { Schema } from '../../../api/schema/schema';
import type { Item } from '../../itemContext';
import { plannedCreation, plannedRecord, plannedUpdate, savedRecordJson } from '../../savedRecord';
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

/** An update that seems to change nothing, until its item comes again. */
interface PostponedUpdate {
	planned: PlannedUpdate;
	/** How often the record was written then: when a later item has written it since, its values are to stay. */
	writes: number;
}

/** By the numbers of their items. */
const postponedUpdates: CachePart<PostponedUpdate> = { name: 'postponedUpdates' };

/** Who has changed records meanwhile, by sheet and by the offset in which items were read. */
const laterChanges: CachePart<LaterChanges> = { name: 'laterChanges' };
/** How often this run has written a record. */
const ownWrites: CachePart<number> = { name: 'ownWrites' };

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

/** Creates the record of an item; a dry run only gives it an id by which later items find it. */
export async function createOne(
	{ client, index }: Item,
	{ sheet, values, options }: WantedUpdate,
): Promise<SavedRecord> {
	if (options.dryRun) return { recordId: `new ${index}`, answer: new Map() };
	return await createWithRows(client, sheet, values, options);
}

/** Returns the item of a created record. */
export async function createdJson(
	item: Item,
	{ sheet, values, options }: WantedUpdate,
	saved: SavedRecord,
	action?: 'created',
): Promise<IDataObject> {
	const keys = { item, sheet, ...options };
	return options.dryRun
		? await plannedCreation(keys, values, saved.recordId)
		: await savedRecordJson(keys, saved, action);
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
	const waiting = client.cache.part(postponedUpdates);
	const before = waiting.get(String(item.index));
	const writes = ownWritesOf(client, placeOf(client, sheet, recordId));
	if (before && before.writes < writes) return before.planned;
	const plan = async (mustBeFresh: boolean) => {
		const read = async () => await records.content(client, recordId, mustBeFresh);
		const stored =
			plannedRecord({ item, sheet }, recordId) ??
			(await read().catch(fallbackTo(undefined, ...refusals)));
		if (!stored && (values.rowRules || options.dryRun)) throw notShown(recordId);
		return stored ? await updateOf(item, recordId, wanted, stored) : { content: values };
	};
	const isOutdated = records.isOutdated(recordId);
	if (isOutdated) await refresh?.();
	const planned = await plan(isOutdated);
	if (!planned.stored || records.isFresh(recordId)) return planned;
	if (mayPostpone) {
		records.expect(recordId);
		waiting.set(String(item.index), { planned, writes });
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
	stored: JsonObject,
): Promise<PlannedUpdate> {
	const schema = new Schema(client, sheet);
	const matched = await matchRows(schema, { sheet, recordId }, values, stored);
	const notes = [...(values.notes ?? []), ...absentRows(stored, values.changes)];
	const content = { ...matched, notes, isCompared: true };
	const changes = await differingChanges(stored, content.changes, async () => await schema.types());
	if (options.dryRun) {
		await requireRows(client, { sheet, recordId }, stored, content);
		return { content: { ...content, changes }, before: stored };
	}
	if (!isEmpty(changes) || content.files.length > 0) return { content: { ...content, changes } };
	return options.skipUnchanged || isEmpty(content.changes) ? { content, stored } : { content };
}

function placeOf(client: Item['client'], sheet: SheetAddress, recordId: string): string {
	return `${cacheKey(client, sheet)} ${recordId}`;
}

function ownWritesOf({ cache }: Item['client'], place: string): number {
	return cache.part(ownWrites).get(place) ?? 0;
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
	const place = placeOf(client, sheet, recordId);
	client.cache.part(ownWrites).set(place, ownWritesOf(client, place) + 1);
}

/** Throws InputError when somebody else has changed a record since its item was read, where the user minds. */
async function requireUnchanged(
	item: Item,
	{ sheet, options }: WantedUpdate,
	recordId: string,
): Promise<void> {
	const { client, record } = item;
	const isOwn = ownWritesOf(client, placeOf(client, sheet, recordId)) > 0;
	if (options.onConflict !== 'error' || isOwn) return;
	const { _update_date: shown } = record;
	const later = await changesOf(item, sheet).since(client, recordId, shown);
	if (!later) return;
	throw new InputError(
		`Record ${recordId} was changed by ${later.by} at ${later.at}, after it was read for this item (${String(shown)})`,
		'It was not written. Read it again, and decide which of the values are to stay.',
	);
}
