import type { IDataObject } from 'n8n-workflow';
import { ServiceError, fallbackTo, accessRefusals } from '../../../api/http/serviceError';
import type { JsonObject } from '../../../api/json/orderedJson';
import type { ReadOptions } from '../../../api/read/readOptions';
import { isInformationKey, sourceRecordId } from '../../../api/read/recordKeys';
import type { RecordLoader } from '../../../api/read/recordLoader';
import {
	notesOnAbsentRows,
	createWithRows,
	requireChangedRows,
} from '../../../api/rows/checkedRows';
import { matchRows } from '../../../api/rows/matchRows';
import { isFieldId } from '../../../api/sheet/fields';
import { SheetFields } from '../../../api/sheet/sheetFields';
import { InputError } from '../../../api/values/inputError';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { isSubtableKey } from '../../../api/values/subtableKeys';
import { plannedChanges } from '../../../api/write/plannedChanges';
import { contentFor, forNewRecord, isEmpty, noChanges } from '../../../api/write/recordContent';
import type { RecordChanges, RecordContent } from '../../../api/write/recordContent';
import type { Writing } from '../../../api/write/records';
import { changedKeys, differingChanges } from '../../../api/write/diff';
import { notesOn } from '../../../api/write/savedAsGiven';
import { StoredRecord, storedRecordLoader } from '../../../api/write/storedRecord';
import type { StoredRecordNeeds } from '../../../api/write/storedRecord';
import { updateWithFiles, type FilesMode } from '../../files/fieldFiles';
import type { Item } from '../../run/itemContext';
import type { BegunUpdate } from '../../run/itemJournal';
import type { Deferred } from '../../run/operationResult';
import { plannedJson, recordKey, savedRecordJson } from '../../run/savedRecord';
import { deferUpdate, finishDeferred, type FinishLater } from './deferredUpdates';
import { changeByOthers, hasChangeDate, isWatched, offsetOf, watchedWriting } from './ownChanges';

/** Values of an item for records of a sheet, and the options of the write. */
export interface WriteInput {
	sheet: SheetAddress;
	values: RecordContent;
	options: Writing & {
		naming: ReadOptions['naming'];
		dryRun?: boolean;
		onConflict?: 'error' | 'overwrite';
		skipUnchanged?: boolean;
		filesMode?: FilesMode;
		rowsMode?: 'append' | 'replace' | 'upsert';
	};
}

/** An update of one record by one item. */
interface RecordUpdate {
	item: Item;
	input: WriteInput;
	stored: StoredRecord;
	/** Key of the record in `Run.writtenKeys`. */
	writtenKey: string;
}

/** An input compared with the stored record. */
interface Comparison {
	before: JsonObject;
	/** The whole input, with the IDs of the matched rows. */
	content: RecordContent;
	/** The part of the input that differs. */
	difference: RecordChanges;
	/** IDs of the fields and keys of the subtables that the input changes. */
	changed: string[];
	/** Whether the record already holds all values of the input. */
	isSame: boolean;
	/** Whether the write is skipped. */
	isSkipped: boolean;
}

/** Creates the record of an item, and returns its output. In a dry run, `name` is used in place of the record ID. */
export async function createOne(
	item: Item,
	{ sheet, values, options }: WriteInput,
	action?: 'created',
	name = `new ${item.index}`,
): Promise<IDataObject> {
	const keys = { item, sheet, ...options };
	if (options.dryRun) {
		const changes = plannedChanges(new Map(), forNewRecord(values));
		const notes = [...notesOn(undefined, values), ...notesOnAbsentRows(new Map(), values.changes)];
		return await plannedJson(keys, name, 'wouldCreate', changes, notes);
	}
	const saved = await createWithRows(item.client, sheet, values, options);
	return await savedRecordJson(keys, saved, action, action && changedBy(item, options, []));
}

/**
 * Returns `_changed` of an output: the changed fields, or null if they are not known. Undefined if the options of the items do not
 * make the node read the stored records.
 */
export function changedBy(
	item: Item,
	{ skipUnchanged, rowsMode = 'append', onConflict }: WriteInput['options'],
	changed: readonly string[] | null = null,
): readonly string[] | null | undefined {
	const isRead = skipUnchanged === true || rowsMode !== 'append' || isWatched(item, onConflict);
	return isRead ? changed : undefined;
}

/**
 * Enqueues the record of an item, so that the records of all items are loaded together. Must be called for each item before the
 * first write. Returns the loader, or undefined if the input is not compared with the stored record.
 */
export function prepareUpdate(
	item: Item,
	input: WriteInput,
	recordId = '',
): RecordLoader | undefined {
	if (!isCompared(input)) return undefined;
	const needs = needsOf(item, input);
	const loader = storedRecordLoader(item.client, input.sheet, needs);
	// Rows and record information are only returned with whole records.
	const isNarrow = needs.withoutSubtables && !needs.withInformation;
	if (isNarrow) loader.needFields(input.values.changes.fields.keys());
	else loader.needWholeRecords();
	// A record is loaded right before its write instead if a conflict is an error.
	if (recordId !== '' && !isReadSingly(input)) loader.enqueue(recordId);
	return loader;
}

/**
 * Updates a record, and returns its output. A comparison with the stored record only decides whether to write: somebody may have
 * changed the record since it was read, so all values of the input are sent.
 * Throws InputError on a conflict, and the errors of `updateWithFiles`.
 *
 * @param reloadTogether loads this record and others again, with fewer requests than by IDs
 * @param finishLater runs the item again. If an item seems unchanged, but another write may have changed its record since it
 * was loaded, the item is deferred. After all other items, such records are loaded again together. Without `finishLater`, the
 * record is loaded again immediately.
 */
export async function updateOne(
	item: Item,
	recordId: string,
	input: WriteInput,
	reloadTogether?: () => Promise<unknown>,
): Promise<IDataObject>;
export async function updateOne(
	item: Item,
	recordId: string,
	input: WriteInput,
	reloadTogether: (() => Promise<unknown>) | undefined,
	finishLater: FinishLater,
): Promise<IDataObject | Deferred>;
export async function updateOne(
	item: Item,
	recordId: string,
	input: WriteInput,
	reloadTogether?: () => Promise<unknown>,
	finishLater?: FinishLater,
): Promise<IDataObject | Deferred> {
	const address = { sheet: input.sheet, recordId };
	const stored = new StoredRecord(item.client, address, needsOf(item, input), reloadTogether);
	const writtenKey = recordKey(item, input.sheet, recordId);
	const values = contentFor(recordId, input.values);
	const update: RecordUpdate = { item, input: { ...input, values }, stored, writtenKey };
	const begun = item.run.journalOf(item.index).begunUpdates.get(writtenKey);
	if (begun) return await write(update, begun);

	let comparison = await compare(update, loadBefore(update));
	if (comparison?.isSkipped && stored.isExpired) {
		if (finishLater && !item.run.writtenKeys.has(writtenKey)) {
			stored.loadLater();
			return deferUpdate(item, writtenKey, finishLater);
		}
		comparison = await compare(update, stored.reload());
	}
	if (!comparison) return await write(update, { content: values });
	if (input.options.dryRun) return await planned(update, comparison);
	if (comparison.isSkipped) return await unchanged(update, comparison.before, comparison.content);
	return await write(update, { content: contentToSend(comparison), changed: comparison.changed });
}

/** Returns whether the write depends on the stored record. */
function isCompared({ values, options }: WriteInput): boolean {
	const maySkip = options.skipUnchanged === true && values.files.length === 0;
	return maySkip || values.rowRules !== undefined || options.dryRun === true;
}

/**
 * Returns whether the stored record is loaded right before the write: a conflict is an error, and neither Skip Unchanged nor Dry
 * Run loads the records of all items together.
 */
function isReadSingly({ options: { onConflict, skipUnchanged, dryRun } }: WriteInput): boolean {
	return onConflict === 'error' && !skipUnchanged && !dryRun;
}

function needsOf(item: Item, input: WriteInput): StoredRecordNeeds {
	const { changes, files } = input.values;
	const { offsetHours, dryRun, onConflict, skipUnchanged } = input.options;
	const hasRowChanges = changes.subtables.size + changes.deletedRows.size > 0;
	const hasRowFiles = files.some(({ rowId }) => rowId !== undefined);
	// If a conflict is an error, an update with Skip Unchanged reads the last change again right before the write.
	const isRereadLater = onConflict === 'error' && skipUnchanged === true && !dryRun;
	return {
		offsetHours,
		withoutSubtables: !dryRun && !hasRowChanges && !hasRowFiles,
		withInformation: isWatched(item, onConflict) && !isRereadLater,
	};
}

/**
 * Returns the stored record if the write depends on it, or if a read is needed anyway for the date of its last change. In the
 * latter case, a failed read returns undefined if a conflict is no error.
 */
async function loadBefore({ item, input, stored }: RecordUpdate): Promise<JsonObject | undefined> {
	if (isCompared(input))
		return isReadSingly(input) ? await stored.readNow() : await stored.before();
	// A read in another time zone than that of the item does not show its change date.
	const hasDate = offsetOf(item.record) === input.options.offsetHours;
	if (!hasDate || input.options.skipUnchanged) return undefined;
	if (isReadSingly(input)) return await stored.readNow();
	return mayWarn(item, stored) ? await stored.readNow().catch(fallbackTo(undefined)) : undefined;
}

/** Returns whether an output warns of changes since the item was read: the item has their date, and is of the same record. */
function mayWarn(item: Item, { address }: StoredRecord): boolean {
	const sourceId = sourceRecordId(item.record) ?? address.recordId;
	return hasChangeDate(item) && sourceId === address.recordId;
}

/** Compares the input with the stored record. Undefined if they are not compared, or if the record is missing or unreadable. */
async function compare(
	{ item, input, stored }: RecordUpdate,
	loading: Promise<JsonObject | undefined>,
): Promise<Comparison | undefined> {
	const { values, options } = input;
	const before = await loading.catch(fallbackTo(undefined, ...accessRefusals));
	if (!before) {
		if (values.rowRules || options.dryRun) throw unreadableRecord(stored.address.recordId);
		return undefined;
	}
	const sheetFields = new SheetFields(item.client, input.sheet);
	const matched = await matchRows(sheetFields, stored.address, values, before);
	const notes = [...(values.notes ?? []), ...notesOnAbsentRows(before, values.changes)];
	const content = { ...matched, notes, isCompared: true };
	const changes = differingChanges(before, content.changes, content.kinds);
	const isSame = isEmpty(changes) && content.files.length === 0;
	const isSkipped = isSame && (options.skipUnchanged === true || isEmpty(content.changes));
	const changed = changedKeys(before, changes, content.files);
	return { before, content, difference: changes, changed, isSame, isSkipped };
}

/** Returns the whole input. If it differs from the stored record, leaves out rows to delete that the record does not have. */
function contentToSend({ content, difference, isSame }: Comparison): RecordContent {
	if (isSame) return content;
	return { ...content, changes: { ...content.changes, deletedRows: difference.deletedRows } };
}

/**
 * Writes the content, and returns the output of the saved record. If the update fails after one of its writes was confirmed, stores
 * it for the next attempt of Retry On Fail.
 */
async function write(update: RecordUpdate, begun: BegunUpdate): Promise<IDataObject> {
	const { item, input, stored, writtenKey } = update;
	const { sheet, options } = input;
	const { writes, begunUpdates } = item.run.journalOf(item.index);
	await finishDeferred(item, writtenKey);
	const warning = await checkConflict(update);
	const confirmedBefore = writes.count;
	const writing = watchedWriting(item, sheet, options);
	const saving = updateWithFiles(item, stored, begun.content, writing);
	const saved = await saving.catch((error: unknown) => {
		if (writes.count > confirmedBefore) begunUpdates.set(writtenKey, begun);
		throw error;
	});
	item.run.writtenKeys.add(writtenKey);
	const warnings = [saved.warning, warning].filter(Boolean).join(' ');
	const withWarning = { ...saved, warning: warnings || undefined };
	const changed = changedBy(item, options, begun.changed);
	return await savedRecordJson({ item, sheet, ...options }, withWarning, 'updated', changed);
}

/** Returns the output of a skipped write: the stored values of the fields in the input. */
async function unchanged(
	{ item, input, stored }: RecordUpdate,
	before: JsonObject,
	content: RecordContent,
): Promise<IDataObject> {
	const { fields } = input.values.changes;
	// Return no other values, because they were loaded unmasked, and with rich text as markup.
	const isReturned = (key: string) =>
		isFieldId(key) ? fields.has(key) : !isSubtableKey(key) && !isInformationKey(key);
	const record = {
		recordId: stored.address.recordId,
		saved: new Map([...before].filter(([key]) => isReturned(key))),
		answer: new Map(),
		notes: notesOn(before, content),
		offsetHours: input.options.offsetHours,
	};
	const { sheet, options } = input;
	const changed = changedBy(item, options, []);
	return await savedRecordJson({ item, sheet, ...options }, record, 'unchanged', changed);
}

/** Returns the output of a dry run. */
async function planned(
	update: RecordUpdate,
	{ before, content, difference }: Comparison,
): Promise<IDataObject> {
	const { item, input, stored } = update;
	const { sheet, options } = input;
	requireChangedRows(stored.address, before, content);
	await checkConflict(update);
	const planned = { ...content, changes: difference };
	const changes = plannedChanges(before, planned, options.filesMode === 'replace');
	const isSame = changes.before.size + changes.after.size === 0;
	const leftOut = notesOn(before, { ...content, changes: noChanges() });
	const action = isSame ? 'unchanged' : 'wouldUpdate';
	const keys = { item, sheet, ...options };
	return await plannedJson(keys, stored.address.recordId, action, changes, leftOut);
}

/**
 * Looks for a change by somebody else since the item was read. Throws InputError if there is one and 'On Conflict' is set to an
 * error. Otherwise returns a warning; undefined if there is no such change, or if the item does not say when it was read.
 */
async function checkConflict(update: RecordUpdate): Promise<string | undefined> {
	const { item, input, stored, writtenKey } = update;
	const { record } = item;
	const { ownChanges, undatedWrites } = item.run.outcomes;
	const isError = input.options.onConflict === 'error';
	// If the date of the run's own write is not known, that write must not be taken for a change by somebody else.
	const isOwn = undatedWrites.has(writtenKey) && !ownChanges.has(writtenKey);
	if (!isError && (isOwn || !mayWarn(item, stored))) return undefined;
	const finding = changeByOthers(item, writtenKey, async (hours) => await stored.lastChange(hours));
	const change = await (isError ? finding : finding.catch(fallbackTo(undefined)));
	if (!change) return undefined;
	const what = `Record ${stored.address.recordId} was changed by ${change.by} at ${change.at}, after it was read for this item (${String(record._update_date)})`;
	if (!isError) return `${what}. The values of this item were written anyway.`;
	throw new InputError(
		what,
		'The record was not written. Read it again and decide which values to keep.',
	);
}

/** Returns the error for a record that the write depends on but that cannot be read. */
export function unreadableRecord(recordId: string): ServiceError {
	return new ServiceError({
		kind: 'notFound',
		message: `There is no record ${recordId} on this sheet, or this user may not read it`,
		description:
			'The record may have been deleted or belong to another sheet. To match rows or to make a dry run, the node must read the record.',
	});
}
