import { rowsOf } from '../../../api/read/record';
import { createWithRows, updateWithRows } from '../../../api/rows/checkedRows';
import { SheetFields } from '../../../api/sheet/sheetFields';
import { rowPlace, type FilePlace, type ValueNote } from '../../../api/write/recordContent';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { joinedSentences } from '../../../api/values/text';
import type { Plan, Step } from '../../../api/write/plan';
import { deleteRecord, type SavedRecord, type Writing } from '../../../api/write/records';
import type { StoredRecord } from '../../../api/write/storedRecord';
import {
	addFilesOfNewRecord,
	addFilesOfNewRows,
	emptyFields,
	withEmptiedFields,
} from '../../files/fieldFiles';
import type { Item } from '../../run/itemContext';
import { noteNewerValues, requireNewestValues, writtenTexts } from '../../run/recordHistory';
import { recordKey } from '../../run/savedRecord';
import { finishDeferred } from './deferredUpdates';
import { changeWarning, watchedWriting, type ConflictOption } from './ownChanges';

type WatchedWriting = Writing & { onConflict?: ConflictOption };

/** A write to an existing record by one item. */
interface Write<Options extends Writing = Writing> {
	item: Item;
	stored: StoredRecord;
	plan: Plan;
	options: Options;
}

/** A new record of one item. */
interface Creation<Options extends Writing = Writing> {
	item: Item;
	sheet: SheetAddress;
	plan: Plan;
	options: Options;
}

/**
 * Carries out the plan for an existing record step by step, and returns the saved record. Throws InputError for files that cannot be
 * replaced, and ServiceError.
 */
export async function carryOut(write: Write): Promise<SavedRecord> {
	const { item, stored } = write;
	await finishDeferred(item, recordKey(item, stored.address));
	return await carryOutSteps(write);
}

/**
 * Carries out the plan of an update as `carryOut` does. Looks for changes by others since the item was read, and keeps the own change in the journal, so that
 * later items do not take it for a change by others. Also throws InputError on a conflict.
 */
export async function carryOutUpdate(write: Write<WatchedWriting>): Promise<SavedRecord> {
	const { item, stored, plan, options } = write;
	const key = recordKey(item, stored.address);
	await finishDeferred(item, key);
	requireNewestValues(item, key, () => writtenTexts(plan.difference));
	const warning = await changeWarning(item, stored, options);
	const writing = watchedWriting(item, stored.address.sheet, options);
	const saved = await carryOutSteps({ ...write, options: writing });
	if (!writing.afterWrite) item.run.journal.ofRecord(key).isLastWriteUndated = true;
	return { ...saved, warning: joinedSentences([saved.warning, warning]) || undefined };
}

/**
 * Creates the record of a plan, and returns it as saved. The journal of the item keeps the plan of a confirmed creation. Throws as
 * `createWithRows`.
 */
export async function carryOutCreation({
	item,
	sheet,
	plan,
	options,
}: Creation): Promise<SavedRecord> {
	const journal = item.run.journalOf(item.index);
	const confirmedBefore = journal.steps.count;
	const creating = createWithRows(item.client, sheet, plan.content, options);
	return await creating.finally(() => {
		if (journal.steps.count > confirmedBefore) journal.begunCreation = plan;
	});
}

/**
 * Creates a record that later items may find and update: keeps the own change in the journal, as `carryOutUpdate` does, and
 * the files of the record.
 */
export async function createToUpdate(creation: Creation<WatchedWriting>): Promise<SavedRecord> {
	const { item, sheet, plan, options } = creation;
	const writing = watchedWriting(item, sheet, options);
	const saved = await carryOutCreation({ ...creation, options: writing });
	const { recordId } = saved;
	await addFilesOfNewRecord(item, sheet, plan.content, saved);
	noteWritten(item, recordKey(item, { sheet, recordId }), plan, saved);
	return saved;
}

/**
 * Carries out the steps of a plan. The journal of the item keeps confirmed steps. If a step fails after another one was confirmed,
 * the journal also keeps the plan, so that the next attempt of Retry On Fail finishes it.
 */
async function carryOutSteps(write: Write): Promise<SavedRecord> {
	const { item, stored, plan } = write;
	const key = recordKey(item, stored.address);
	const { steps, begunPlans } = item.run.journalOf(item.index);
	const confirmedBefore = steps.count;
	const saved = await sendSteps(write).catch((error: unknown) => {
		if (steps.count > confirmedBefore) begunPlans.set(key, plan);
		throw error;
	});
	noteWritten(item, key, plan, saved);
	return saved;
}

/** Sends the steps of a plan. Returns the result of the last step, with the words of the service and the notes of all steps. */
async function sendSteps(write: Write): Promise<SavedRecord> {
	const { item, stored, plan, options } = write;
	const { address } = stored;
	const emptied: FilePlace[] = [];
	const warnings = new Set<string | undefined>();
	const notes: ValueNote[] = [];
	let saved: SavedRecord = { recordId: address.recordId };
	for (const step of plan.steps) {
		if (step.what === 'emptyFiles') {
			const emptying = await emptyFields(item, stored, step.content, options);
			emptied.push(...emptying.places);
			notes.push(...(emptying.notes ?? []));
			warnings.add(emptying.warning);
		} else if (step.what === 'deleteRecord') {
			const words = await deleteRecord(item.client, address);
			saved = { ...saved, warning: words || undefined };
		} else {
			saved = await sendChange(write, step, emptied);
		}
	}
	const warning = joinedSentences(warnings.add(saved.warning)) || undefined;
	return { ...saved, warning, notes: [...notes, ...(saved.notes ?? [])] };
}

/** Sends a `change`. `emptied` are the fields whose files were removed before it. */
async function sendChange(
	{ item, stored, plan, options }: Write,
	{ content }: Extract<Step, { content: unknown }>,
	emptied: readonly FilePlace[],
): Promise<SavedRecord> {
	stored.keepBefore(plan.before);
	const updating = updateWithRows(item.client, stored, content, options);
	const saved = await updating.catch(async (error: unknown) => {
		throw await withEmptiedFields(error, item, stored.address.sheet, { emptied, content });
	});
	const replacesFiles = plan.steps.some(({ what }) => what === 'emptyFiles');
	if (replacesFiles && content.isCompared) await addFilesOfNewRows(item, stored, content, saved);
	return saved;
}

/**
 * Notes in the run that a plan was carried out. If the stored record was read before, rows that are new in the saved one count as
 * created by the plan.
 *
 * @param key key of the record (see `recordKey`)
 */
function noteWritten(
	item: Item,
	key: string,
	{ before, content: { changes } }: Plan,
	{ saved = new Map() }: SavedRecord,
): void {
	item.run.writtenKeys.add(key);
	noteNewerValues(item, key, () => {
		const texts = writtenTexts(changes);
		for (const subtableId of before ? changes.subtables.keys() : []) {
			for (const rowId of rowsOf(saved, subtableId)?.keys() ?? []) {
				const isNew = before && !rowsOf(before, subtableId)?.has(rowId);
				if (isNew) texts.set(rowPlace(subtableId, rowId), 'created');
			}
		}
		return texts;
	});
}

/**
 * Adds a hint that a copy of a record may contain automatic numbers and computed values, if the user may not read which fields hold
 * them. Throws ServiceError if the service cannot be reached.
 */
export async function noteUntypedCopy(
	{ client, run }: Pick<Item, 'client' | 'run'>,
	sheet: SheetAddress,
): Promise<void> {
	const known = await new SheetFields(client, sheet).loadKindsIfKnown();
	if (!known?.isTyped) run.hints.isCopiedUntyped = true;
}
