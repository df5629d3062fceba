import type { IDataObject } from 'n8n-workflow';
import { ServiceError, fallbackTo, accessRefusals } from '../../../api/http/serviceError';
import type { JsonObject } from '../../../api/json/orderedJson';
import type { ReadOptions } from '../../../api/read/readOptions';
import { isInformationKey, sourceOffset } from '../../../api/read/recordKeys';
import type { RecordLoader } from '../../../api/read/recordLoader';
import {
	contentOfNewRecord,
	notesOnAbsentRows,
	requireChangedRows,
} from '../../../api/rows/checkedRows';
import { matchRows } from '../../../api/rows/matchRows';
import { isFieldId } from '../../../api/sheet/fields';
import { SheetFields } from '../../../api/sheet/sheetFields';
import { kindIn } from '../../../api/sheet/kinds/valueKinds';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { isSubtableKey } from '../../../api/values/subtableKeys';
import { isBlank, joinedSentences } from '../../../api/values/text';
import {
	changesOf,
	planCreation,
	planUpdate,
	type Plan,
	type PlanRules,
} from '../../../api/write/plan';
import { contentFor, noChanges, valuesOf } from '../../../api/write/recordContent';
import type { RecordContent } from '../../../api/write/recordContent';
import type { SavedRecord, Writing } from '../../../api/write/records';
import { notesOn } from '../../../api/write/savedAsGiven';
import { StoredRecord, storedRecordLoader } from '../../../api/write/storedRecord';
import type { StoredRecordNeeds } from '../../../api/write/storedRecord';
import type { FilesMode } from '../../files/fieldFiles';
import type { Item } from '../../run/itemContext';
import { plannedJson, recordKey, savedRecordJson } from '../../run/savedRecord';
import { Deferred } from '../../run/operationResult';
import { carryOut } from './carryOut';
import { deferUpdate, type FinishLater } from './deferredUpdates';
import { changeWarning, isAnyWatched, isWatched, mayWarn } from './ownChanges';
import { noteReplacedRows } from './replacedRows';

/** Values of an item for records of a sheet, and the options of the write. */
export interface WriteInput {
	sheet: SheetAddress;
	values: RecordContent & { matchFieldIds?: readonly string[] };
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
export interface RecordUpdate {
	item: Item;
	input: WriteInput;
	stored: StoredRecord;
	/** Key of the record (see `recordKey`). */
	key: string;
	needs: StoredRecordNeeds;
	/** Plan from the first read of the stored record. */
	firstPlan?: Promise<Plan>;
	together: LoadTogether;
}

/** Functions that load a record and others with fewer requests than by IDs. */
export interface LoadTogether {
	/** Loads the stored records again. */
	reload?: () => Promise<unknown>;
	/** Loads the records as returned (see `returnedLoader`). */
	loadReturned?: () => Promise<unknown>;
}

/** Returns the update of a record. */
export function recordUpdate(
	item: Item,
	recordId: string,
	input: WriteInput,
	together: LoadTogether = {},
): RecordUpdate {
	const { sheet } = input;
	const needs = needsOf(item, input);
	const stored = new StoredRecord(item.client, { sheet, recordId }, needs, together.reload);
	const values = contentFor(recordId, input.values);
	const key = recordKey(item, sheet, recordId);
	return { item, input: { ...input, values }, stored, key, needs, together };
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
		const plan = planCreation(await contentOfNewRecord(item.client, sheet, values));
		const notes = [...notesOn(undefined, values), ...notesOnAbsentRows(new Map(), values.changes)];
		return await plannedJson(keys, {
			recordId: name,
			action: 'wouldCreate',
			changes: changesOf(plan),
			notes,
		});
	}
	const plan = planCreation(values);
	const saved = await carryOut({ item, sheet, plan, options, looksForChanges: false });
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
	const isRead = skipUnchanged === true || rowsMode !== 'append' || isAnyWatched(item, onConflict);
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
	const isNarrow = needs.withoutSubtables && !needs.withInformation && !needs.asReturned;
	if (isNarrow) loader.needFields(input.values.changes.fields.keys());
	else loader.needWholeRecords();
	// A record is loaded right before its write instead if a conflict is an error.
	if (recordId === '' || isReadSingly(input)) return loader;
	loader.enqueue(recordId);
	return loader;
}

/**
 * Returns the loader for the outputs of unchanged records, which have the keys of updated ones. Undefined if no record can be
 * unchanged, or if the input is compared with the records as returned, so that no other read is needed.
 */
export function returnedLoader(item: Item, input: WriteInput): RecordLoader | undefined {
	const { options } = input;
	if (options.skipUnchanged !== true || options.dryRun || input.values.files.length > 0)
		return undefined;
	return needsOf(item, input).asReturned ? undefined : loaderAsReturned(item, input);
}

/** Returns the loader for records as the answer to a write returns them. */
export function loaderAsReturned({ client }: Item, { sheet, options }: WriteInput): RecordLoader {
	const { offsetHours } = options;
	return storedRecordLoader(client, sheet, { offsetHours, asReturned: true }).needWholeRecords();
}

/** Updates a record, and returns its output. Throws InputError on a conflict, and the errors of `carryOut`. */
export async function updateOne(update: RecordUpdate): Promise<IDataObject> {
	const { item, input, stored, key } = update;
	const { sheet, options } = input;
	let plan = item.run.journalOf(item.index).begunPlans.get(key);
	if (!plan) {
		plan = await firstPlan(update);
		if (isNothing(plan) && stored.isExpired) plan = await planFrom(update, stored.reload());
		if (options.dryRun) return await planned(update, plan);
		const output = isNothing(plan) ? await unchanged(update, plan) : undefined;
		if (output) {
			noteReplacedRows(item, key, input.values, plan);
			return output;
		}
		// Somebody has deleted the record since it was compared. The answer to the write says so.
		if (isNothing(plan)) plan = planUpdate(input.values, planRules(input));
	}
	const saved = await carryOut({ item, sheet, stored, plan, options, looksForChanges: true });
	const lostRows = noteReplacedRows(item, key, input.values, plan);
	const warning = joinedSentences([saved.warning, lostRows]) || undefined;
	const changed = changedBy(item, options, plan.changed);
	const keys = { item, sheet, ...options };
	return await savedRecordJson(keys, { ...saved, warning }, 'updated', changed);
}

/**
 * Updates a record that an item gives by its ID. The item may be deferred (see `updateOrDefer`). The loaded content is dropped when
 * the item has its output.
 */
export async function updateById(
	item: Item,
	recordId: string,
	input: WriteInput,
): Promise<IDataObject | Deferred> {
	const update = () => recordUpdate(item, recordId, input);
	const release = () => releaseRecords(item, input, [recordId]);
	// A deferred item is not deferred again.
	const finishLater = async () => await updateOne(update()).finally(release);
	const output = await updateOrDefer(update(), finishLater);
	if (!(output instanceof Deferred)) release();
	return output;
}

/** Drops the loaded contents of records, unless other items have enqueued them. */
export function releaseRecords(item: Item, input: WriteInput, recordIds: readonly string[]): void {
	const loader = storedRecordLoader(item.client, input.sheet, needsOf(item, input));
	const returned = returnedLoader(item, input);
	for (const recordId of recordIds) {
		loader.release(recordId);
		returned?.release(recordId);
	}
}

/**
 * Updates a record as `updateOne` does, or defers the item if it seems unchanged, and its record must be loaded again: the run has
 * written since it was loaded, or the output needs another read. After all other items, such records are loaded together.
 *
 * @param finishLater runs the item again
 */
export async function updateOrDefer(
	update: RecordUpdate,
	finishLater: FinishLater,
): Promise<IDataObject | Deferred> {
	const { item, input, stored, key, together } = update;
	const isBegun = item.run.journalOf(item.index).begunPlans.has(key);
	// Decide now if an earlier item has written the record, because a later one may overwrite it.
	if (isBegun || item.run.writtenKeys.has(key)) return await updateOne(update);
	if (!isNothing(await firstPlan(update))) return await updateOne(update);
	const returned = together.loadReturned ? undefined : returnedLoader(item, input);
	if (!stored.isExpired && !returned) return await updateOne(update);
	stored.loadLater();
	returned?.enqueue(stored.address.recordId);
	return deferUpdate(item, key, finishLater);
}

async function firstPlan(update: RecordUpdate): Promise<Plan> {
	return await (update.firstPlan ??= planFrom(update, loadBefore(update)));
}

function isNothing({ steps }: Plan): boolean {
	return steps.length === 0;
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
	const maySkip = skipUnchanged === true && !dryRun && files.length === 0;
	return {
		withoutSubtables: !dryRun && !hasRowChanges && !hasRowFiles,
		withInformation: isWatched(item, onConflict) && !isRereadLater,
		// A read with an offset shows other times than the stored ones.
		asReturned: maySkip && offsetHours === undefined && showsStored(input),
	};
}

/** Returns whether a record as returned has the stored values of all fields in the input: none is masked or rich text, or may be. */
function showsStored({ values: { changes, kinds, matchFieldIds = [] } }: WriteInput): boolean {
	// Any form of a record shows whether a field is empty.
	const filled = [...valuesOf(changes)].filter(({ value }) => !isBlank(value));
	const fieldIds = filled.map(({ fieldId }) => fieldId);
	return [...fieldIds, ...matchFieldIds].every(
		(fieldId) => !kindIn(kinds, { fieldId }).is('masked', 'richText', 'unknown'),
	);
}

/**
 * Returns the stored record if the write depends on it, or if a read is needed anyway for the date of its last change. In the
 * latter case, a failed read returns undefined if a conflict is no error.
 */
async function loadBefore({ item, input, stored }: RecordUpdate): Promise<JsonObject | undefined> {
	if (isCompared(input))
		return isReadSingly(input) ? await stored.readNow() : await stored.before();
	// The change date of an item that was read with a UTC offset is not the stored one.
	const hasDate = sourceOffset(item.record) === undefined;
	if (!hasDate || input.options.skipUnchanged) return undefined;
	if (isReadSingly(input)) return await stored.readNow();
	return mayWarn(item, stored) ? await stored.readNow().catch(fallbackTo(undefined)) : undefined;
}

/**
 * Returns the plan of an update. The input is not compared if the write does not depend on the stored record, or if the record is
 * missing or unreadable.
 *
 * @param loading the stored record, or undefined
 */
async function planFrom(
	{ item, input, stored }: RecordUpdate,
	loading: Promise<JsonObject | undefined>,
): Promise<Plan> {
	const { values, options, sheet } = input;
	const rules = planRules({ options });
	const before = await loading.catch(fallbackTo(undefined, ...accessRefusals));
	if (!before) {
		if (values.rowRules || options.dryRun) throw unreadableRecord(stored.address.recordId);
		return planUpdate(values, rules);
	}
	const matched = await matchRows(
		new SheetFields(item.client, sheet),
		stored.address,
		values,
		before,
	);
	const notes = [...(values.notes ?? []), ...notesOnAbsentRows(before, values.changes)];
	return planUpdate({ ...matched, notes, isCompared: true }, rules, before);
}

function planRules({ options }: Pick<WriteInput, 'options'>): PlanRules {
	return {
		replacesFiles: options.filesMode === 'replace',
		skipsUnchanged: options.skipUnchanged === true,
	};
}

/**
 * Returns the output of a record that already holds all values of the input. It has the keys of an updated record. Returns undefined
 * if the record does not exist any more.
 */
async function unchanged(update: RecordUpdate, plan: Plan): Promise<IDataObject | undefined> {
	const { item, input, stored } = update;
	const { before = new Map(), content } = plan;
	const returned = await loadReturned(update, before);
	if (!returned) return undefined;
	const { recordId } = stored.address;
	const record = { recordId, content: returned, notes: notesOn(before, content) };
	return await notWrittenJson(item, input, record, 'unchanged');
}

/**
 * Returns the output of an item that is not written, with the keys of an updated record. `content` is the record as an answer to its
 * update would return it.
 */
export async function notWrittenJson(
	item: Item,
	{ sheet, options }: WriteInput,
	{ content, ...record }: Pick<SavedRecord, 'notes' | 'recordId'> & { content: JsonObject },
	action: 'skipped' | 'unchanged',
): Promise<IDataObject> {
	item.run.journalOf(item.index).isDecided = true;
	const saved = new Map([...content].filter(([key]) => !isInformationKey(key)));
	const { offsetHours } = options;
	const changed = changedBy(item, options, []);
	const read = { ...record, saved, answer: new Map(), offsetHours };
	return await savedRecordJson({ item, sheet, ...options }, read, action, changed);
}

/**
 * Returns a record as an answer to its update would return it; only the given fields of the stored record if it cannot be read so.
 * Returns undefined if the record does not exist any more. `before` is the stored record.
 */
async function loadReturned(
	{ item, input, stored, needs, together }: RecordUpdate,
	before: JsonObject,
): Promise<JsonObject | undefined> {
	if (needs.asReturned) return before;
	const loader = returnedLoader(item, input);
	const ofBefore = givenFields(before, input.values);
	if (!loader) return ofBefore;
	const { recordId } = stored.address;
	if (loader.isExpired(recordId) && loader.mayBeListed(recordId)) {
		await together.loadReturned?.().catch(fallbackTo(undefined));
	}
	return await loader.load(item.client, recordId, 'current').catch(fallbackTo(ofBefore));
}

/** Returns the fields of the input. The others are left out, because they were loaded unmasked, and with rich text as markup. */
function givenFields(before: JsonObject, { changes }: RecordContent): JsonObject {
	const isGiven = (key: string) => (isFieldId(key) ? changes.fields.has(key) : !isSubtableKey(key));
	return new Map([...before].filter(([key]) => isGiven(key)));
}

/** Returns the output of a dry run. */
async function planned(update: RecordUpdate, plan: Plan): Promise<IDataObject> {
	const { item, input, stored } = update;
	const { sheet, options } = input;
	const { before = new Map(), content } = plan;
	requireChangedRows(stored.address, before, content);
	// A record that is not written cannot conflict.
	const warning = isNothing(plan) ? undefined : await changeWarning(item, stored, options);
	const changes = changesOf(plan, options.filesMode === 'replace');
	const isSame = changes.before.size + changes.after.size === 0;
	const notes = notesOn(before, { ...content, changes: noChanges() });
	const action = isSame ? 'unchanged' : 'wouldUpdate';
	const { recordId } = stored.address;
	const keys = { item, sheet, ...options };
	return await plannedJson(keys, { recordId, action, changes, notes, warning });
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
