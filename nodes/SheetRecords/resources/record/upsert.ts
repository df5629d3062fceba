import type { IDataObject } from 'n8n-workflow';
import { ServiceError, fallbackTo } from '../../../api/http/serviceError';
import type { MatchKey, MatchLookUp } from '../../../api/write/match';
import { planCreation, type Plan } from '../../../api/write/plan';
import { sheetParameter } from '../../../shared/parameters/sheet';
import type { Item } from '../../run/itemContext';
import { batchOperation } from '../../run/operation';
import { Deferred } from '../../run/operationResult';
import { matchedValuesParameter } from '../../parameters/recordValues';
import { upsertOptions } from '../../parameters/writeOptions';
import { noteReplacedRows } from '../../run/recordHistory';
import { recordKey, savedRecordJson } from '../../run/savedRecord';
import { createToUpdate } from './carryOut';
import { chosenMatches, hasWritten, loadTogether, matchesOf, workOnEach } from './matchGroups';
import type { FinishLater } from './deferredUpdates';
import { recordReads, releaseRecords, returnedLoader } from './recordReads';
import type { ItemWrite } from './recordUpdate';
import { createOne, prepareUpdate, updateById, updateNow, updateOrDefer } from './recordUpdates';
import {
	existingRecords,
	prepareCreateOnly,
	skipped,
	type KeyLookUp,
	type UpsertInput,
} from './skippedUpserts';
import { changedBy } from './writeInput';

export const upsert = batchOperation({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update a record',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	writesEachItem: true,
	parameters: { sheet: sheetParameter, values: matchedValuesParameter, options: upsertOptions },
	addToBatch(item, input) {
		const { sheet, values, options } = input;
		if (options.upsertMode === 'createOnly') return prepareCreateOnly(item, input);
		const reads = recordReads(item, input);
		const compared = prepareUpdate(item, input, reads, values.recordId);
		if (values.recordId !== undefined) return undefined;
		const matches = matchesOf(item, sheet, values, compared);
		// A look-up with a time zone would not find the stored times.
		const isShifted = options.offsetHours !== undefined;
		const returned = compared && !isShifted ? returnedLoader(item, sheet, reads) : undefined;
		const ofReturned = returned && matchesOf(item, sheet, values, returned);
		return {
			matches,
			together: {
				reload: compared && (async () => await matches.recordIdsNow(values.key)),
				loadReturned: ofReturned && loadTogether(ofReturned, values.key),
			},
		};
	},
	async run(item, input, getBatch) {
		const { sheet, values } = input;
		const { recordId, key } = values;
		const { upsertMode } = input.options;
		const reads = recordReads(item, input);
		const lookUp = await getBatch();
		if (lookUp) {
			const { matches } = lookUp;
			const upsert = async (finish?: FinishLater) => {
				const output = await upsertOne({ item, input, reads, ...lookUp, finishLater: finish });
				if (!(output instanceof Deferred)) {
					releaseRecords(item, sheet, reads, matches.finish(key));
				}
				return output;
			};
			const finishLater: FinishLater = async (isLocked) =>
				isLocked ? await upsert() : await matches.whileLocked(key, async () => await upsert());
			return await matches.whileLocked(key, async () => await upsert(finishLater));
		}
		// A given record ID must exist. Only an empty one creates a record.
		if (recordId) {
			if (upsertMode === 'createOnly') {
				const release = () => releaseRecords(item, sheet, reads, [recordId]);
				const existing = existingRecords(item, input);
				return await skipped(item, input, [recordId], existing).finally(release);
			}
			return await updateById(item, recordId, input);
		}
		return upsertMode === 'updateOnly'
			? await skipped(item, input, [])
			: await createOne(item, input, 'created');
	},
});

/** An item whose record is looked up by its key. */
interface MatchedItem extends ItemWrite, KeyLookUp {
	input: UpsertInput;
	/** Runs the item again (see `updateOrDefer`). A deferred item is not deferred again. */
	finishLater?: FinishLater;
}

type Output = IDataObject | IDataObject[];

/** Updates the records that match the item's key, or creates a record. Returns the output. */
async function upsertOne(matched: MatchedItem): Promise<Output | Deferred> {
	const { item, input, matches } = matched;
	const { key } = input.values;
	const { begunCreation } = item.run.journalOf(item.index);
	if (begunCreation) return await createAs(begunCreation, item, input, matches);
	const existing = await matches.recordIds(key);
	if (existing.length > 0 || hasWritten(item)) {
		const updated = await updateUnlessGone(matched, existing);
		if (updated) return updated;
		// The record was deleted after the look-up: look its key up once more.
		const remaining = await matches.recordIdsNow(key);
		if (remaining.length > 0) return await updateMatches(matched, remaining);
	}
	return await createMatch(matched);
}

/** Updates the records that match the item's key. Returns undefined if there is only one to update, and it is gone. */
async function updateUnlessGone(
	matched: MatchedItem,
	existing: string[],
): Promise<Output | Deferred | undefined> {
	const { item, input, matches } = matched;
	const isFirstOnly = input.options.onMultipleMatches === 'updateFirst';
	// If there are several records, some may already be updated. Repeating those updates would add their new rows twice.
	const isSingle = !hasWritten(item) && (existing.length === 1 || isFirstOnly);
	const [first = ''] = existing;
	const updating = updateMatches(matched, existing);
	return await (isSingle ? matches.unlessGone(first, updating) : updating);
}

/** Updates the records that match the item's key, as far as the options select them. Create Only skips them. */
async function updateMatches(matched: MatchedItem, existing: string[]): Promise<Output | Deferred> {
	const { item, input, matches, loadExisting, finishLater } = matched;
	const { values, options } = input;
	if (options.upsertMode === 'createOnly') {
		return [await skipped(item, input, existing, loadExisting)];
	}
	const { key } = values;
	const recordIds = await chosenMatches(existing, matches, key, options.onMultipleMatches);
	const [first = ''] = recordIds;
	if (recordIds.length === 1 && finishLater && !hasWritten(item)) {
		const updated = await updateOrDefer(matched, first, finishLater);
		return updated instanceof Deferred ? updated : [updated];
	}
	const update = async (recordId: string) => await updateNow(matched, recordId);
	return await workOnEach(item, { recordIds, matches, key }, 'updated', update);
}

/** Creates the record of an item whose key matches none. Update Only skips it. */
async function createMatch(matched: MatchedItem): Promise<Output | Deferred> {
	const { item, input, matches } = matched;
	const { values, options } = input;
	const { key } = values;
	if (options.upsertMode === 'updateOnly') return await skipped(item, input, []);
	await matches.requireCertainty(key);
	if (options.dryRun) return await createOne(item, input, 'created', JSON.stringify(key));
	const creating = createAs(planCreation(values), item, input, matches);
	return await creating.catch(async (error: unknown) => {
		// If the match field is unique, the service rejects a record that another process has created in the meantime.
		if (!(error instanceof ServiceError) || error.kind !== 'rejected') throw error;
		const created = await matches.recordIdsNow(key).catch(fallbackTo(undefined));
		// The failed look-up says nothing about the record, so the rejection is the error.
		if (!created) throw error;
		if (created.length === 0) throw await asRejectedCreation(error, matches, key);
		return await updateMatches(matched, created);
	});
}

/** Adds to a rejection that the key matched no record, because a user who expected an update looks for the cause in the values. */
async function asRejectedCreation(
	error: ServiceError,
	matches: MatchLookUp,
	key: MatchKey,
): Promise<ServiceError> {
	const reason = `No record matches ${await matches.describe(key)}, so the item was to create one.`;
	return error.with({ description: [error.details.description, reason].filter(Boolean).join(' ') });
}

/** Creates the record of a key by a plan, and returns its output. If an earlier attempt of the item has created it, nothing is sent. */
async function createAs(
	plan: Plan,
	item: Item,
	{ sheet, values, options }: UpsertInput,
	matches: MatchLookUp,
): Promise<IDataObject> {
	const create = async () => await createToUpdate({ item, sheet, plan, options });
	const saved = await matches.create(values.key, create);
	const { recordId } = saved;
	noteReplacedRows(item, recordKey(item, { sheet, recordId }), values, plan);
	const changed = changedBy(item, options, []);
	return await savedRecordJson({ item, sheet, ...options }, saved, 'created', changed);
}
