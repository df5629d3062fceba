import type { IDataObject } from 'n8n-workflow';
import { ServiceError } from '../../../api/http/serviceError';
import { numberOrText } from '../../../api/read/record';
import { createWithRows } from '../../../api/rows/existingRows';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import type { Matches } from '../../../api/write/match';
import { sheetParameter } from '../../../shared/parameters/sheet';
import type { Item } from '../../run/itemContext';
import { batchOperation } from '../../run/operation';
import { postponed, type Postponed } from '../../run/operationResult';
import { matchedValuesParameter, type MatchedValues } from '../../parameters/recordValues';
import { upsertOptions } from '../../parameters/writeOptions';
import { recordPlace, savedRecordJson } from '../../run/savedRecord';
import { chosenMatches, matchesOf, workOnEach } from './matchGroups';
import { createOne, expectUpdate, updateOne } from './recordUpdates';

/** What one item wants: where, which values, and the key by which its record is found. */
interface Wanted {
	sheet: SheetAddress;
	values: MatchedValues;
	options: Awaited<ReturnType<typeof upsertOptions.parse>>;
}

export const upsert = batchOperation({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update a record',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	parameters: { sheet: sheetParameter, values: matchedValuesParameter, options: upsertOptions },
	group(item, wanted) {
		const { sheet, values, options } = wanted;
		const compared = expectUpdate(item, wanted, values.recordId);
		if (values.recordId !== undefined) return undefined;
		// Look-ups would match by the times of another offset.
		return matchesOf(item, sheet, values, options.timeZone === undefined ? compared : undefined);
	},
	async run(item, wanted, group) {
		const { recordId, key } = wanted.values;
		const { upsertMode } = wanted.options;
		const matches = await group();
		if (matches) {
			return await matches.whileLocked(key, async () => await upsertOne(item, wanted, matches));
		}
		if (recordId) {
			const isSkipped = upsertMode === 'createOnly';
			return isSkipped ? skipped([recordId]) : await updateOne(item, recordId, wanted);
		}
		return upsertMode === 'updateOnly' ? skipped([]) : await createOne(item, wanted, 'created');
	},
});

async function upsertOne(
	item: Item,
	wanted: Wanted,
	matches: Matches,
): Promise<IDataObject | IDataObject[] | Postponed> {
	const { sheet, values, options } = wanted;
	const { key } = values;
	const refresh = async () => await matches.recordIds(key, true);
	// One that is gone is looked up once more; nothing comes of it where there is no record to update.
	const update = async (existing: string[], isAgain = false): ReturnType<typeof workOnEach> => {
		if (existing.length === 0) return [];
		if (options.upsertMode === 'createOnly') return [skipped(existing)];
		const chosen = await chosenMatches(existing, matches, key, options.onMultipleMatches);
		const mayPostpone = item.comesAgain && chosen.length === 1;
		const work = async (recordId: string) =>
			await updateOne(item, recordId, wanted, refresh, mayPostpone);
		return await workOnEach(chosen, 'updated', work).catch(async (error: unknown) => {
			// Of several records, those before may have been updated: their new rows would be added once more.
			if (isAgain || !isGone(error) || chosen.length > 1) throw error;
			return await update(await refresh(), true);
		});
	};
	const updated = await update(await matches.recordIds(key));
	if (updated === postponed || updated.length > 0) return updated;
	if (options.upsertMode === 'updateOnly') return skipped([]);
	if (options.dryRun) return await createOne(item, wanted, 'created', JSON.stringify(key));
	const create = async () => await createWithRows(item.client, sheet, values, options);
	const saved = await matches.created(key, create).catch(async (error: unknown) => {
		// Another process may have created it meanwhile, in a sheet where the field is unique.
		const isRejected = error instanceof ServiceError && error.kind === 'rejected';
		const createdSince = isRejected ? await refresh() : [];
		if (createdSince.length === 0) throw error;
		return createdSince;
	});
	if (Array.isArray(saved)) return await update(saved, true);
	item.run.ownWrites.add(recordPlace(item, sheet, saved.recordId));
	return await savedRecordJson({ item, sheet, ...options }, saved, 'created');
}

/** Whether a record was deleted since it was found: an error about one of its rows says what to do. */
function isGone(error: unknown): boolean {
	return error instanceof ServiceError && error.kind === 'notFound' && !error.details.remedy;
}

/** The item of what the mode passes over, with the first existing record. */
function skipped([first]: readonly string[]): IDataObject {
	return { ...(first === undefined ? {} : { _recordId: numberOrText(first) }), _action: 'skipped' };
}
