import { fallbackTo, accessRefusals, ServiceError } from '../../../api/http/serviceError';
import type { JsonObject } from '../../../api/json/orderedJson';
import { notesOnAbsentRows } from '../../../api/rows/checkedRows';
import { matchRows } from '../../../api/rows/matchRows';
import { SheetFields } from '../../../api/sheet/sheetFields';
import { planUpdate, type Plan, type PlanRules } from '../../../api/write/plan';
import { contentFor } from '../../../api/write/recordContent';
import { StoredRecord } from '../../../api/write/storedRecord';
import type { Item } from '../../run/itemContext';
import { recordKey } from '../../run/savedRecord';
import type { RecordReads } from './recordReads';
import type { WriteInput } from './writeInput';

/** The write of an item to one record or several. */
export interface ItemWrite {
	item: Item;
	input: WriteInput;
	reads: RecordReads;
	together?: LoadTogether;
}

/** Functions that load a record and others with fewer requests than by IDs. */
export interface LoadTogether {
	/** Loads the stored records again. */
	reload?: () => Promise<unknown>;
	/** Loads the records for the outputs of unchanged ones. */
	loadReturned?: () => Promise<unknown>;
}

/** An update of one record by one item. */
export interface RecordUpdate {
	item: Item;
	input: WriteInput;
	stored: StoredRecord;
	/** The record as an answer to its update returns it, for the output if it is unchanged. Undefined if `stored` is enough. */
	returned?: StoredRecord;
	/** Key of the record (see `recordKey`). */
	key: string;
	before: RecordReads['before'];
	together: LoadTogether;
}

/** Returns the update of a record. */
export function recordUpdate(
	{ item, input, reads, together = {} }: ItemWrite,
	recordId: string,
): RecordUpdate {
	const { client } = item;
	const address = { sheet: input.sheet, recordId };
	const { before, sourceId = recordId, asReturned, readsUnchanged } = reads;
	const isSource = sourceId === recordId;
	return {
		item,
		input: { ...input, values: contentFor(recordId, input.values) },
		stored: new StoredRecord(client, address, reads.stored, together.reload),
		returned: readsUnchanged
			? new StoredRecord(client, address, asReturned, together.loadReturned)
			: undefined,
		key: recordKey(item, address),
		before: before === 'singleIfPossible' && !isSource ? 'none' : before,
		together,
	};
}

/**
 * Returns the plan of an update: that of an earlier attempt of the item, if it has begun. An item only counts as unchanged if its
 * record was loaded after all earlier writes of the run.
 */
export async function planNow(update: RecordUpdate): Promise<Plan> {
	return await currentPlan(update, await firstPlan(update));
}

/**
 * Returns the plan as `planNow` does. Returns undefined if the record seems unchanged and must be read again to decide it: the run
 * has written since the record was loaded, or the output needs another read. Enqueues these reads, so that the records of all such
 * items are loaded together.
 */
export async function planUnlessReadLater(update: RecordUpdate): Promise<Plan | undefined> {
	const plan = await firstPlan(update);
	const { item, key, stored, returned, together } = update;
	const isReadAgain = returned !== undefined && !together.loadReturned;
	// Decide now if an earlier item has written the record, because a later one may overwrite it.
	const mayWait = isNothing(plan) && !item.run.writtenKeys.has(key);
	if (!mayWait || !(stored.isExpired || isReadAgain)) return await currentPlan(update, plan);
	stored.loadLater();
	if (isReadAgain) returned.loadLater();
	return undefined;
}

/** Returns the plan, or another one by a new read if the plan has nothing to write and the record was loaded too long ago. */
async function currentPlan(update: RecordUpdate, plan: Plan): Promise<Plan> {
	const { stored } = update;
	return isNothing(plan) && stored.isExpired ? await planFrom(update, stored.reload()) : plan;
}

/** Returns the stored record before the write; undefined if it is not read. */
async function loadBefore({ stored, before }: RecordUpdate): Promise<JsonObject | undefined> {
	if (before === 'none') return undefined;
	if (before === 'together') return await stored.before();
	const loading = stored.readNow();
	return await (before === 'single' ? loading : loading.catch(fallbackTo(undefined)));
}

/** Returns the plan from the first read of the record, which other items may share. */
async function firstPlan(update: RecordUpdate): Promise<Plan> {
	const { item, key } = update;
	const begunPlan = item.run.journalOf(item.index).begunPlans.get(key);
	return begunPlan ?? (await planFrom(update, loadBefore(update)));
}

/** Returns whether a plan has nothing to write. */
export function isNothing({ steps }: Plan): boolean {
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
	const before = await loading.catch(fallbackTo(undefined, ...accessRefusals));
	if (!before) {
		if (values.rowRules || options.dryRun) throw unreadableRecord(stored.address.recordId);
		return uncomparedPlan(input);
	}
	const matched = await matchRows(
		new SheetFields(item.client, sheet),
		stored.address,
		values,
		before,
	);
	const notes = [...(values.notes ?? []), ...notesOnAbsentRows(before, values.changes)];
	return planUpdate({ ...matched, notes, isCompared: true }, planRules(options), before);
}

/** Returns the plan of an update that sends all values of the input. */
export function uncomparedPlan({ values, options }: WriteInput): Plan {
	return planUpdate(values, planRules(options));
}

function planRules(options: WriteInput['options']): PlanRules {
	return {
		replacesFiles: options.filesMode === 'replace',
		skipsUnchanged: options.skipUnchanged === true,
	};
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
