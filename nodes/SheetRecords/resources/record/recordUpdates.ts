import type { IDataObject } from 'n8n-workflow';
import { ServiceError, fallbackTo, accessRefusals } from '../../../api/http/serviceError';
import type { JsonObject } from '../../../api/json/orderedJson';
import type { ReadOptions } from '../../../api/read/readOptions';
import type { RecordLoader } from '../../../api/read/recordLoader';
import {
	notesOnAbsentRows,
	createWithRows,
	requireChangedRows,
} from '../../../api/rows/checkedRows';
import { matchRows } from '../../../api/rows/matchRows';
import { isFieldId } from '../../../api/schema/fields';
import { Schema } from '../../../api/schema/schema';
import { InputError } from '../../../api/values/inputError';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { isSubtableKey } from '../../../api/values/subtableKeys';
import { plannedChanges } from '../../../api/write/plannedChanges';
import { contentFor, forNewRecord, isEmpty, noChanges } from '../../../api/write/recordContent';
import type { RecordChanges, RecordContent } from '../../../api/write/recordContent';
import type { Writing } from '../../../api/write/records';
import { differingChanges } from '../../../api/write/diff';
import { notesOn } from '../../../api/write/savedAsGiven';
import { StoredRecord, storedRecordLoader } from '../../../api/write/storedRecord';
import type { StoredRecordNeeds } from '../../../api/write/storedRecord';
import { updateWithFiles, type FilesMode } from '../../files/fieldFiles';
import type { Item } from '../../run/itemContext';
import type { Deferred } from '../../run/operationResult';
import { plannedJson, recordKey, savedRecordJson } from '../../run/savedRecord';
import { deferUpdate, finishDeferred, type FinishLater } from './deferredUpdates';
import { itemChangeDate, watchedWriting } from './ownChanges';

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
	return await savedRecordJson(keys, saved, action);
}

/**
 * Enqueues the record of an item, so that the records of all items are loaded together. Must be called for each item before the
 * first write. Returns the loader, or undefined if the input is not compared with the stored record.
 */
export function prepareUpdate(
	{ client }: Item,
	input: WriteInput,
	recordId = '',
): RecordLoader | undefined {
	if (!isCompared(input)) return undefined;
	const needs = needsOf(input);
	const loader = storedRecordLoader(client, input.sheet, needs);
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
	const stored = new StoredRecord(item.client, address, needsOf(input), reloadTogether);
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
	if (!comparison) return await write(update, values);
	if (input.options.dryRun) return await planned(update, comparison);
	if (comparison.isSkipped) return await unchanged(update, comparison.before, comparison.content);
	return await write(update, contentToSend(comparison));
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

function needsOf(input: WriteInput): StoredRecordNeeds {
	const { changes, files } = input.values;
	const { offsetHours, dryRun, onConflict } = input.options;
	const hasRowChanges = changes.subtables.size + changes.deletedRows.size > 0;
	const hasRowFiles = files.some(({ rowId }) => rowId !== undefined);
	return {
		offsetHours,
		withoutSubtables: !dryRun && !hasRowChanges && !hasRowFiles,
		withInformation: isReadSingly(input) || (onConflict === 'error' && dryRun),
	};
}

async function loadBefore({ input, stored }: RecordUpdate): Promise<JsonObject | undefined> {
	if (!isCompared(input)) return undefined;
	return isReadSingly(input) ? await stored.readNow() : await stored.before();
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
	const schema = new Schema(item.client, input.sheet);
	const matched = await matchRows(schema, stored.address, values, before);
	const notes = [...(values.notes ?? []), ...notesOnAbsentRows(before, values.changes)];
	const content = { ...matched, notes, isCompared: true };
	const changes = differingChanges(before, content.changes, content.kinds);
	const isSame = isEmpty(changes) && content.files.length === 0;
	const isSkipped = isSame && (options.skipUnchanged === true || isEmpty(content.changes));
	return { before, content, difference: changes, isSame, isSkipped };
}

/** Returns the whole input. If it differs from the stored record, leaves out rows to delete that the record does not have. */
function contentToSend({ content, difference, isSame }: Comparison): RecordContent {
	if (isSame) return content;
	return { ...content, changes: { ...content.changes, deletedRows: difference.deletedRows } };
}

/**
 * Writes the content, and returns the output of the saved record. If the update fails after one of its writes was confirmed, stores
 * the content for the next attempt of Retry On Fail.
 */
async function write(update: RecordUpdate, content: RecordContent): Promise<IDataObject> {
	const { item, input, stored, writtenKey } = update;
	const { writes, begunUpdates } = item.run.journalOf(item.index);
	await finishDeferred(item, writtenKey);
	await requireNoConflict(update);
	const confirmedBefore = writes.count;
	const options = watchedWriting(item, input.sheet, input.options);
	const saved = await updateWithFiles(item, stored, content, options).catch((error: unknown) => {
		if (writes.count > confirmedBefore) begunUpdates.set(writtenKey, content);
		throw error;
	});
	item.run.writtenKeys.add(writtenKey);
	return await savedRecordJson({ item, sheet: input.sheet, ...input.options }, saved, 'updated');
}

/** Returns the output of a skipped write: the stored values of the fields in the input. */
async function unchanged(
	{ item, input, stored }: RecordUpdate,
	before: JsonObject,
	content: RecordContent,
): Promise<IDataObject> {
	const { fields } = input.values.changes;
	// Return no other values, because they were loaded unmasked, and with rich text as markup.
	const isReturned = (key: string) => (isFieldId(key) ? fields.has(key) : !isSubtableKey(key));
	const record = {
		recordId: stored.address.recordId,
		saved: new Map([...before].filter(([key]) => isReturned(key))),
		answer: new Map(),
		notes: notesOn(before, content),
		offsetHours: input.options.offsetHours,
	};
	return await savedRecordJson({ item, sheet: input.sheet, ...input.options }, record, 'unchanged');
}

/** Returns the output of a dry run. */
async function planned(
	update: RecordUpdate,
	{ before, content, difference }: Comparison,
): Promise<IDataObject> {
	const { item, input, stored } = update;
	const { sheet, options } = input;
	requireChangedRows(stored.address, before, content);
	await requireNoConflict(update);
	const planned = { ...content, changes: difference };
	const changes = plannedChanges(before, planned, options.filesMode === 'replace');
	const isSame = changes.before.size + changes.after.size === 0;
	const leftOut = notesOn(before, { ...content, changes: noChanges() });
	const action = isSame ? 'unchanged' : 'wouldUpdate';
	const keys = { item, sheet, ...options };
	return await plannedJson(keys, stored.address.recordId, action, changes, leftOut);
}

/**
 * Throws InputError if 'On Conflict' is set to an error, and the record changed after the item was read and after the latest write
 * of this run.
 */
async function requireNoConflict(update: RecordUpdate): Promise<void> {
	const { item, input, stored, writtenKey } = update;
	const { record, run } = item;
	if (input.options.onConflict !== 'error') return;
	const known = run.outcomes.ownChanges.get(writtenKey) ?? itemChangeDate(item);
	const change = await stored.lastChange(known.offsetHours);
	if (!change || change.at <= known.at) return;
	throw new InputError(
		`Record ${stored.address.recordId} was changed by ${change.by} at ${change.at}, after it was read for this item (${String(record._update_date)})`,
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
