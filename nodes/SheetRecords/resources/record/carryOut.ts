import { createWithRows, updateWithRows } from '../../../api/rows/checkedRows';
import type { FilePlace } from '../../../api/write/recordContent';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { joinedSentences } from '../../../api/values/text';
import type { Plan, Step } from '../../../api/write/plan';
import { deleteRecord, type SavedRecord, type Writing } from '../../../api/write/records';
import { StoredRecord } from '../../../api/write/storedRecord';
import {
	addFilesOfNewRecord,
	addFilesOfNewRows,
	emptyFields,
	withEmptiedFields,
} from '../../files/fieldFiles';
import type { Item } from '../../run/itemContext';
import { recordKey } from '../../run/savedRecord';
import { finishDeferred } from './deferredUpdates';
import { noteNewerValues, requireNewestValues } from './newerValues';
import { changeWarning, watchedWriting, type ConflictOption } from './ownChanges';

/** A write to one record by one item. */
export interface Write {
	item: Item;
	sheet: SheetAddress;
	/** The record before the write; undefined for a new record. */
	stored?: StoredRecord;
	plan: Plan;
	options: Writing & { onConflict?: ConflictOption };
	/**
	 * Whether changes by others since the item was read are looked for, and the own change is kept in the journal, so that later
	 * items do not take it for a change by others.
	 */
	looksForChanges: boolean;
}

/**
 * Carries out a plan step by step, and returns the saved record. All writes of records go through this function; the operations
 * for subtable rows send theirs themselves. The journal of the item keeps confirmed steps. If a step fails after another one was
 * confirmed, the journal also keeps the plan, so that the next attempt of Retry On Fail finishes it. Throws InputError on a conflict
 * and for files that cannot be replaced, and ServiceError.
 */
export async function carryOut(write: Write): Promise<SavedRecord> {
	const { item, sheet, stored, plan } = write;
	if (!stored) return await createPlanned(write);
	const { recordId } = stored.address;
	const key = recordKey(item, sheet, recordId);
	const { steps, begunPlans } = item.run.journalOf(item.index);
	await finishDeferred(item, key);
	if (write.looksForChanges) requireNewestValues(item, key, plan);
	const warning = write.looksForChanges
		? await changeWarning(item, stored, write.options)
		: undefined;
	const confirmedBefore = steps.count;
	const saving = carryOutSteps(write, stored);
	const saved = await saving.catch((error: unknown) => {
		if (steps.count > confirmedBefore) begunPlans.set(key, plan);
		throw error;
	});
	noteWritten(write, recordId);
	const warnings = joinedSentences([saved.warning, warning]);
	return { ...saved, warning: warnings || undefined };
}

/** Carries out the steps for an existing record. Returns the result of the last step. */
async function carryOutSteps(write: Write, stored: StoredRecord): Promise<SavedRecord> {
	const { item, sheet, plan, options, looksForChanges } = write;
	const { address } = stored;
	const writing = looksForChanges ? watchedWriting(item, sheet, options) : options;
	const emptied: FilePlace[] = [];
	let saved: SavedRecord = { recordId: address.recordId, answer: new Map() };
	for (const step of plan.steps) {
		if (step.what === 'emptyFiles') {
			emptied.push(...(await emptyFields(item, stored, step.content, writing)));
		} else if (step.what === 'deleteRecord') {
			const words = await deleteRecord(item.client, address);
			saved = { ...saved, warning: words || undefined };
		} else {
			saved = await change({ ...write, options: writing }, stored, step, emptied);
		}
	}
	return saved;
}

/** Sends a `change`. `emptied` are the fields whose files were removed before it. */
async function change(
	{ item, plan, options }: Write,
	stored: StoredRecord,
	{ content }: Extract<Step, { content: unknown }>,
	emptied: readonly FilePlace[],
): Promise<SavedRecord> {
	const updating = updateWithRows(item.client, stored, content, options);
	const saved = await updating.catch(async (error: unknown) => {
		throw await withEmptiedFields(error, item, stored.address.sheet, { emptied, content });
	});
	const replacesFiles = plan.steps.some(({ what }) => what === 'emptyFiles');
	if (replacesFiles && content.isCompared) await addFilesOfNewRows(item, stored, content, saved);
	return saved;
}

/** Creates the record of a plan. */
async function createPlanned({ item, sheet, plan, ...write }: Write): Promise<SavedRecord> {
	const { content } = plan;
	const { options, looksForChanges } = write;
	const journal = item.run.journalOf(item.index);
	const writing = looksForChanges ? watchedWriting(item, sheet, options) : options;
	const confirmedBefore = journal.steps.count;
	const creating = createWithRows(item.client, sheet, content, writing);
	const saved = await creating.finally(() => {
		if (journal.steps.count > confirmedBefore) journal.begunCreation = plan;
	});
	if (!looksForChanges) return saved;
	await addFilesOfNewRecord(item, sheet, content, saved);
	noteWritten({ item, sheet, plan }, saved.recordId);
	return saved;
}

/** Notes in the run that a plan was carried out. */
function noteWritten({ item, sheet, plan }: Pick<Write, 'item' | 'plan' | 'sheet'>, id: string) {
	const key = recordKey(item, sheet, id);
	item.run.writtenKeys.add(key);
	noteNewerValues(item, key, plan);
}
