import type { IDataObject } from 'n8n-workflow';
import { ServiceError } from '../../../api/http/serviceError';
import { numberOrText } from '../../../api/read/record';
import { createWithRows } from '../../../api/rows/existingRows';
import type { Matches } from '../../../api/write/match';
import { sheetParameter } from '../../../ui/sheet';
import type { Item } from '../../itemContext';
import { batchOperation } from '../../operation';
import type { Postponed } from '../../operationResult';
import { matchedValuesParameter, type MatchedValues } from '../../parameters/recordValues';
import { upsertOptions } from '../../parameters/writeOptions';
import { plannedCreation, savedRecordJson } from '../../savedRecord';
import { chosenMatches, MatchGroups, workOnEach } from './matchGroups';
import {
	addOwnWrite,
	comparedRecords,
	createOne,
	expectUnchanged,
	updateOne,
	type WantedUpdate,
} from './recordUpdates';

/** What one item wants: where, which values, and the key by which its record is found. */
interface Wanted extends WantedUpdate {
	values: MatchedValues;
	options: WantedUpdate['options'] & {
		onMultipleMatches?: 'error' | 'updateAll' | 'updateFirst';
		upsertMode?: 'createOnly' | 'createOrUpdate' | 'updateOnly';
	};
}

export const upsert = batchOperation({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update a record',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	parameters: { sheet: sheetParameter, values: matchedValuesParameter, options: upsertOptions },
	prepare(group) {
		const groups = new MatchGroups();
		const groupOf = group((item, wanted) => {
			const { sheet, values, options } = wanted;
			expectUnchanged(item, wanted);
			if (values.recordId !== undefined) {
				if (values.recordId !== '') comparedRecords(item, wanted)?.expect(values.recordId);
				return undefined;
			}
			// Look-ups would match by the times of another offset.
			const isStored = options.timeZone === undefined;
			const compared = isStored ? comparedRecords(item, wanted) : undefined;
			return groups.add(item, sheet, values, compared);
		});
		return async (item, wanted) => {
			const matches = await groupOf(item, wanted);
			if (!matches) return await upsertById(item, wanted, wanted.values.recordId);
			const upsertThis = async () => await upsertOne(item, wanted, matches);
			return await matches.whileLocked(wanted.values.key, upsertThis);
		};
	},
});

/** Creates a record, or updates the one with the id. Throws as `updateOne` when there is none. */
async function upsertById(
	item: Item,
	wanted: Wanted,
	recordId = '',
): Promise<IDataObject | Postponed> {
	const { upsertMode } = wanted.options;
	if (recordId !== '') {
		const isSkipped = upsertMode === 'createOnly';
		return isSkipped ? skipped([recordId]) : await updateOne(item, recordId, wanted);
	}
	if (upsertMode === 'updateOnly') return skipped([]);
	return await createOne(item, wanted, 'created');
}

async function upsertOne(
	item: Item,
	wanted: Wanted,
	matches: Matches,
): Promise<IDataObject | IDataObject[] | Postponed> {
	const { sheet, values, options } = wanted;
	const { key } = values;
	const refresh = async () => await matches.recordIds(key, true);
	const choose = async (recordIds: string[]) =>
		await chosenMatches(recordIds, matches, key, options.onMultipleMatches);
	const updateThese = async (recordIds: string[]) => {
		if (options.upsertMode === 'createOnly') return skipped(recordIds);
		const chosen = await choose(recordIds);
		const mayPostpone = item.comesAgain && chosen.length === 1;
		return await workOnEach(chosen, 'updated', async (recordId) => {
			return await updateOne(item, recordId, wanted, refresh, mayPostpone);
		});
	};
	const updateExisting = async (recordIds: string[]) =>
		await updateThese(recordIds).catch(async (error: unknown) => {
			// Of several records, those before may have been updated: their new rows would be added once more.
			if (!isGone(error) || (await choose(recordIds)).length > 1) throw error;
			const others = await refresh();
			return others.length > 0 ? await updateThese(others) : undefined;
		});
	const existing = await matches.recordIds(key);
	const updated = existing.length > 0 ? await updateExisting(existing) : undefined;
	if (updated) return updated;
	if (options.upsertMode === 'updateOnly') return skipped([]);
	const keys = { item, sheet, ...options };
	if (options.dryRun) return await plannedCreation(keys, values, JSON.stringify(key));
	const create = async () => await createWithRows(item.client, sheet, values, options);
	const saved = await matches.created(key, create).catch(async (error: unknown) => {
		// Another process may have created it meanwhile, in a sheet where the field is unique.
		const isRejected = error instanceof ServiceError && error.kind === 'rejected';
		const createdSince = isRejected ? await refresh() : [];
		if (createdSince.length === 0) throw error;
		return createdSince;
	});
	if (Array.isArray(saved)) return await updateThese(saved);
	addOwnWrite(item, sheet, saved.recordId);
	return await savedRecordJson(keys, saved, 'created');
}

/** Whether a record was deleted since it was found: an error about one of its rows says what to do. */
function isGone(error: unknown): boolean {
	return error instanceof ServiceError && error.kind === 'notFound' && !error.details.remedy;
}

/** The item of what the mode passes over, with the first existing record. */
function skipped([first]: readonly string[]): IDataObject {
	return { ...(first === undefined ? {} : { _recordId: numberOrText(first) }), _action: 'skipped' };
}
