import type { IDataObject } from 'n8n-workflow';
import type { RecordLoader } from '../../../api/read/recordLoader';
import {
	contentOfNewRecord,
	notesOnAbsentRows,
	requireChangedRows,
} from '../../../api/rows/checkedRows';
import { joinedSentences } from '../../../api/values/text';
import { changesOf, planCreation, type Plan } from '../../../api/write/plan';
import { noChanges } from '../../../api/write/recordContent';
import { notesOn } from '../../../api/write/savedAsGiven';
import { storedRecordLoader } from '../../../api/write/storedRecord';
import type { Item } from '../../run/itemContext';
import { noteNewerValues, noteReplacedRows, writtenTexts } from '../../run/recordHistory';
import { plannedJson, savedRecordJson } from '../../run/savedRecord';
import { Deferred } from '../../run/operationResult';
import { carryOutCreation, carryOutUpdate, noteUntypedCopy } from './carryOut';
import { deferUpdate, type FinishLater } from './deferredUpdates';
import { unchanged } from './notWritten';
import { changeWarning } from './ownChanges';
import { recordReads, releaseRecords, type RecordReads } from './recordReads';
import {
	isNothing,
	planNow,
	planUnlessReadLater,
	recordUpdate,
	uncomparedPlan,
	type ItemWrite,
	type RecordUpdate,
} from './recordUpdate';
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
export async function updateNow(write: ItemWrite, recordId: string): Promise<IDataObject> {
	const update = recordUpdate(write, recordId);
	const plan = await planNow(update);
	return await updateOne(update, plan);
}

/**
 * Updates a record as `updateNow` does, or defers the item if its record must be loaded again to decide whether it is unchanged.
 * After all other items, such records are loaded together.
 *
 * @param finishLater runs the item again
 */
export async function updateOrDefer(
	write: ItemWrite,
	recordId: string,
	finishLater: FinishLater,
): Promise<IDataObject | Deferred> {
	const update = recordUpdate(write, recordId);
	const plan = await planUnlessReadLater(update);
	return plan ? await updateOne(update, plan) : deferUpdate(write.item, update.key, finishLater);
}

/** Updates a record that an item gives by its ID as `updateOrDefer` does. Drops the loaded content when the item has its output. */
export async function updateById(
	item: Item,
	recordId: string,
	input: WriteInput,
): Promise<IDataObject | Deferred> {
	const reads = recordReads(item, input);
	const write = { item, input, reads };
	const release = () => releaseRecords(item, input.sheet, reads, [recordId]);
	// A deferred item is not deferred again.
	const finishLater = async () => await updateNow(write, recordId).finally(release);
	const output = await updateOrDefer(write, recordId, finishLater);
	if (!(output instanceof Deferred)) release();
	return output;
}

/** Carries out the plan of an update, and returns the output of the record. */
async function updateOne(update: RecordUpdate, intended: Plan): Promise<IDataObject> {
	const { item, input, stored, key } = update;
	const { sheet, values, options } = input;
	if (options.dryRun) return await planned(update, intended);
	const unwritten = isNothing(intended) ? await unchanged(update, intended) : undefined;
	if (unwritten) noteNewerValues(item, key, () => writtenTexts(intended.content.changes));
	// If somebody has deleted the record since it was compared, all values are sent. The answer says so.
	const plan = isNothing(intended) && !unwritten ? uncomparedPlan(input) : intended;
	const saved = unwritten ?? (await carryOutUpdate({ item, stored, plan, options }));
	const lostRows = noteReplacedRows(item, key, values, plan);
	const warning = joinedSentences([saved.warning, lostRows]) || undefined;
	const changed = changedBy(item, options, unwritten ? [] : plan.changed);
	const action = unwritten ? 'unchanged' : 'updated';
	return await savedRecordJson({ item, sheet, ...options }, { ...saved, warning }, action, changed);
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
