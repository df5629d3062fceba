import type { IDataObject } from 'n8n-workflow';
import { ServiceError } from '../../../api/http/serviceError';
import { getOrInsert } from '../../../api/json/objects';
import { numberOrText } from '../../../api/read/record';
import type { StoredRecords } from '../../../api/read/recordsByIds';
import { InputError } from '../../../api/values/inputError';
import { formatSheetPath } from '../../../api/values/sheetAddress';
import { Matches, type MatchKey } from '../../../api/write/match';
import { createWithRows } from '../../../api/rows/existingRows';
import { sheetParameter } from '../../../ui/sheet';
import type { Item } from '../../itemContext';
import { batchOperation } from '../../operation';
import { matchedValuesParameter, type MatchedValues } from '../../parameters/recordValues';
import { upsertOptions } from '../../parameters/writeOptions';
import { savedRecordJson } from '../../savedRecord';
import { RecordUpdates, type WantedUpdate } from './recordUpdates';

/** What one item wants: where, which values, and the key by which its record is found. */
interface Wanted extends WantedUpdate {
	values: MatchedValues;
	options: WantedUpdate['options'] & {
		onMultipleMatches?: 'error' | 'updateAll' | 'updateFirst';
		upsertMode?: 'createOnly' | 'createOrUpdate' | 'updateOnly';
	};
}

/** Items that share look-ups: those with the same match fields of the same sheet. */
interface Group {
	keys: MatchKey[];
	/** Receives what look-ups return, to be compared with what is written. */
	stored?: StoredRecords;
	matches?: Matches;
}

export const upsert = batchOperation({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update a record',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	parameters: { sheet: sheetParameter, values: matchedValuesParameter, options: upsertOptions },
	prepare(group) {
		const updates = new RecordUpdates();
		const groups = new Map<string, Group>();
		const groupOf = group((item, wanted) => {
			const { sheet, values, options } = wanted;
			// Look-ups would match by the times of another offset.
			const isStored = options.timeZone === undefined;
			const stored = isStored ? updates.storedRecords(item, wanted) : undefined;
			const where = [item.authentication, formatSheetPath(sheet), ...values.matchFieldIds];
			const name = JSON.stringify([stored?.form, ...where]);
			const group = getOrInsert(groups, name, (): Group => ({ keys: [], stored }));
			group.keys.push(values.key);
			return group;
		});
		return async (item, wanted) => {
			const { key, matchFieldIds } = wanted.values;
			const matched = await groupOf(item, wanted);
			const { keys, stored } = matched;
			matched.matches ??= new Matches(item.client, wanted.sheet, matchFieldIds, keys, stored);
			const { matches } = matched;
			const upsertThis = async () => await upsertOne(item, wanted, matches, updates);
			return await matches.whileLocked(key, upsertThis);
		};
	},
});

async function upsertOne(
	item: Item,
	wanted: Wanted,
	matches: Matches,
	updates: RecordUpdates,
): Promise<IDataObject | IDataObject[]> {
	const { sheet, values, options } = wanted;
	const { key } = values;
	const refresh = async () => await matches.recordIds(key, true);
	const updateThese = async (recordIds: string[]) =>
		options.upsertMode === 'createOnly'
			? skipped(recordIds)
			: await update(item, wanted, updates, recordIds, refresh);
	const updateExisting = async (recordIds: string[]) =>
		await updateThese(recordIds).catch(async (error: unknown) => {
			// Of several records, those before may have been updated: their new rows would be added once more.
			if (!isGone(error) || chosenRecords(wanted, recordIds).length > 1) throw error;
			const others = await refresh();
			return others.length > 0 ? await updateThese(others) : undefined;
		});
	const existing = await matches.recordIds(key);
	const updated = existing.length > 0 ? await updateExisting(existing) : undefined;
	if (updated) return updated;
	if (options.upsertMode === 'updateOnly') return skipped([]);
	const create = async () => await createWithRows(item.client, sheet, values, options);
	const saved = await matches.created(key, create).catch(async (error: unknown) => {
		// Another process may have created it meanwhile, in a sheet where the field is unique.
		const isRejected = error instanceof ServiceError && error.kind === 'rejected';
		const createdSince = isRejected ? await refresh() : [];
		if (createdSince.length === 0) throw error;
		return createdSince;
	});
	if (Array.isArray(saved)) return await updateThese(saved);
	updates.forget(saved.recordId);
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

async function update(
	item: Item,
	wanted: Wanted,
	updates: RecordUpdates,
	existing: string[],
	refresh: () => Promise<unknown>,
): Promise<IDataObject[]> {
	const json: IDataObject[] = [];
	const updated: string[] = [];
	for (const recordId of chosenRecords(wanted, existing)) {
		const output = await updates.update(item, recordId, wanted, refresh).catch((error: unknown) => {
			throw afterOthers(error, recordId, updated);
		});
		if (output._action === 'updated') updated.push(recordId);
		json.push(output);
	}
	return json;
}

/** Updating all matches may fail in the middle: the records before are changed already. */
function afterOthers(error: unknown, recordId: string, updated: readonly string[]): unknown {
	if (!(error instanceof ServiceError) || updated.length === 0) return error;
	const { description = '' } = error.details;
	const others = `It failed at record ${recordId}; updated before it: ${updated.join(', ')}.`;
	return error.with({ description: `${others} ${description}`.trim() });
}

function chosenRecords({ values, options }: Wanted, existing: string[]): string[] {
	const { onMultipleMatches } = options;
	if (existing.length < 2 || onMultipleMatches === 'updateAll') return existing;
	if (onMultipleMatches === 'updateFirst') return existing.slice(0, 1);
	const key = values.key.map((value) => `'${value}'`).join(' and ');
	const shown = `${existing.slice(0, 5).join(', ')}${existing.length > 5 ? ', …' : ''}`;
	throw new InputError(
		`${existing.length} records match ${key}: ${shown}`,
		"Match on more fields, or set the option 'On Multiple Matches'.",
	);
}
