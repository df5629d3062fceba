import type { IDataObject } from 'n8n-workflow';
import { ServiceError, fallbackTo, accessRefusals } from '../../../api/http/serviceError';
import type { JsonObject } from '../../../api/json/orderedJson';
import type { RecordLoader } from '../../../api/read/recordLoader';
import {
	contentOfNewRecord,
	notesOnAbsentRows,
	requireChangedRows,
} from '../../../api/rows/checkedRows';
import { matchRows } from '../../../api/rows/matchRows';
import { SheetFields } from '../../../api/sheet/sheetFields';
import { joinedSentences } from '../../../api/values/text';
import {
	changesOf,
	planCreation,
	planUpdate,
	type Plan,
	type PlanRules,
} from '../../../api/write/plan';
import { noChanges } from '../../../api/write/recordContent';
import { notesOn } from '../../../api/write/savedAsGiven';
import { storedRecordLoader } from '../../../api/write/storedRecord';
import type { Item } from '../../run/itemContext';
import { plannedJson, savedRecordJson } from '../../run/savedRecord';
import { Deferred } from '../../run/operationResult';
import { carryOutCreation, carryOutUpdate, noteUntypedCopy } from './carryOut';
import { deferUpdate, type FinishLater } from './deferredUpdates';
import { unchanged } from './notWritten';
import { changeWarning } from './ownChanges';
import { recordReads, releaseRecords, type RecordReads } from './recordReads';
import { recordUpdate, type RecordUpdate } from './recordUpdate';
import { noteReplacedRows } from './replacedRows';
import { changedBy, type WriteInput } from './writeInput';

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
	if (values.sourceRecordId !== undefined) await noteUntypedCopy(item, sheet);
	const plan = planCreation(values);
	const saved = await carryOutCreation({ item, sheet, plan, options });
	return await savedRecordJson(keys, saved, action, action && changedBy(item, options, []));
}

/**
 * Enqueues the record of an item, so that the records of all items are loaded together. Must be called for each item before the
 * first write. Returns the loader, or undefined if the input is not compared with the stored record.
 */
export function prepareUpdate(
	item: Item,
	input: WriteInput,
	{ isCompared, before, stored }: RecordReads,
	recordId = '',
): RecordLoader | undefined {
	const loader = storedRecordLoader(item.client, input.sheet, stored);
	// Other items share the loader, and may need only some fields. The fields of the old files must be among them.
	if (replacesFiles(input)) loader.needWholeRecords();
	if (!isCompared) return undefined;
	// Rows and record information are only returned with whole records.
	const isNarrow = stored.withoutSubtables && !stored.withInformation && !stored.asReturned;
	if (isNarrow) loader.needFields(input.values.changes.fields.keys());
	else loader.needWholeRecords();
	// A record is loaded right before its write instead if a conflict is an error.
	if (recordId === '' || before === 'single') return loader;
	loader.enqueue(recordId);
	return loader;
}

function replacesFiles({ values, options }: WriteInput): boolean {
	return options.filesMode === 'replace' && values.files.length > 0;
}

/** Updates a record, and returns its output. Throws InputError on a conflict, and the errors of `carryOutUpdate`. */
export async function updateOne(update: RecordUpdate): Promise<IDataObject> {
	const { item, input, stored, key } = update;
	const { sheet, values, options } = input;
	let plan = item.run.journalOf(item.index).begunPlans.get(key) ?? (await currentPlan(update));
	if (options.dryRun) return await planned(update, plan);
	const unwritten = isNothing(plan) ? await unchanged(update, plan) : undefined;
	// Somebody has deleted the record since it was compared. The answer to the write says so.
	if (isNothing(plan) && !unwritten) plan = planUpdate(values, planRules(input));
	const saved = unwritten ?? (await carryOutUpdate({ item, stored, plan, options }));
	const lostRows = noteReplacedRows(item, key, values, plan);
	const warning = joinedSentences([saved.warning, lostRows]) || undefined;
	const changed = changedBy(item, options, unwritten ? [] : plan.changed);
	const action = unwritten ? 'unchanged' : 'updated';
	return await savedRecordJson({ item, sheet, ...options }, { ...saved, warning }, action, changed);
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
	const reads = recordReads(item, input);
	const update = () => recordUpdate({ item, input, reads }, recordId);
	const release = () => releaseRecords(item, input.sheet, reads, [recordId]);
	// A deferred item is not deferred again.
	const finishLater = async () => await updateOne(update()).finally(release);
	const output = await updateOrDefer(update(), finishLater);
	if (!(output instanceof Deferred)) release();
	return output;
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
	const { item, stored, key, returned, together } = update;
	const isBegun = item.run.journalOf(item.index).begunPlans.has(key);
	// Decide now if an earlier item has written the record, because a later one may overwrite it.
	if (isBegun || item.run.writtenKeys.has(key)) return await updateOne(update);
	if (!isNothing(await firstPlan(update))) return await updateOne(update);
	const isReadAgain = returned !== undefined && !together.loadReturned;
	if (!stored.isExpired && !isReadAgain) return await updateOne(update);
	stored.loadLater();
	if (isReadAgain) returned.loadLater();
	return deferUpdate(item, key, finishLater);
}

/** Returns the stored record before the write; undefined if it is not read. */
async function loadBefore({ stored, before }: RecordUpdate): Promise<JsonObject | undefined> {
	if (before === 'none') return undefined;
	if (before === 'together') return await stored.before();
	const loading = stored.readNow();
	return await (before === 'single' ? loading : loading.catch(fallbackTo(undefined)));
}

async function firstPlan(update: RecordUpdate): Promise<Plan> {
	return await (update.firstPlan ??= planFrom(update, loadBefore(update)));
}

/** Returns the plan of an update. An item only counts as unchanged if its record was loaded after all earlier writes of the run. */
async function currentPlan(update: RecordUpdate): Promise<Plan> {
	const { stored } = update;
	const plan = await firstPlan(update);
	return isNothing(plan) && stored.isExpired ? await planFrom(update, stored.reload()) : plan;
}

function isNothing({ steps }: Plan): boolean {
	return steps.length === 0;
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
