import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../api/http/client';
import { Matches } from '../../../api/write/match';
import { createRecord } from '../../../api/write/records';
import { updateWithRows } from '../../../api/rows/existingRows';
import type { Reading } from '../../../api/read/readOptions';
import type { StoredRecords } from '../../../api/read/storedRecords';
import type { Writing } from '../../../api/write/writeOptions';
import { sheetParameter } from '../../../ui/sheet';
import { InputError } from '../../../api/values/inputError';
import type { MatchKey } from '../../../api/write/match';
import { numberOrText } from '../../../api/read/record';
import { ServiceError } from '../../../api/http/serviceError';
import { formatSheetPath, type SheetAddress } from '../../../api/values/sheetAddress';
import { jointOperation, type Item } from '../../operation';
import { matchedValuesParameter, type MatchedValues } from '../../parameters/matchedValues';
import { upsertOptions } from '../../parameters/writeOptions';
import { readAhead } from '../../readAhead';
import { savedRecordJson } from '../../savedRecord';
import { StoredValues } from './storedValues';
import { getOrInsert } from '../../../api/json/objects';

export const upsert = jointOperation({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update a record',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	parameters: { sheet: sheetParameter, values: matchedValuesParameter, options: upsertOptions },
	begin(items, read) {
		const stored = new StoredValues();
		const lookUps = new LookUps(stored);
		const readOthers = readAhead(items, read, (item, wanted) => lookUps.add(item, wanted));
		return async ({ item, client, ...wanted }) => {
			await readOthers();
			const matches = lookUps.of(item, client, wanted);
			const upserted = { item, client, wanted, matches, stored };
			return await matches.whileLocked(wanted.values.key, async () => await upsertOne(upserted));
		};
	},
});

interface Upserted {
	item: Item;
	client: Client;
	wanted: Wanted;
	matches: Matches;
	stored: StoredValues;
}

async function upsertOne(upserted: Upserted): Promise<IDataObject | IDataObject[]> {
	const { wanted, matches } = upserted;
	const { key } = wanted.values;
	const { upsertMode } = wanted.options;
	const recordIds = await matches.recordIds(key);
	if (recordIds.length > 0) {
		return upsertMode === 'createOnly' ? skipped(recordIds) : await update(upserted, recordIds);
	}
	if (upsertMode === 'updateOnly') return skipped([]);
	return await create(upserted).catch(async (error: unknown) => {
		// Another process may have created it meanwhile, in a sheet where the field is unique.
		const existing = isRejected(error) ? await matches.recordIdsNow(key) : [];
		if (existing.length === 0) throw error;
		return upsertMode === 'createOnly' ? skipped(existing) : await update(upserted, existing);
	});
}

/** The item of what the mode passes over, with the first record that is there. */
function skipped([first]: readonly string[]): IDataObject {
	return { ...(first === undefined ? {} : { _recordId: numberOrText(first) }), _action: 'skipped' };
}

/** What one item wants: where, which values, and the key by which its record is found. */
interface Wanted {
	sheet: SheetAddress;
	values: MatchedValues;
	options: Writing & {
		naming: Reading['naming'];
		onMultipleMatches?: 'error' | 'updateAll' | 'updateFirst';
		skipUnchanged?: boolean;
		upsertMode?: 'createOnly' | 'createOrUpdate' | 'updateOnly';
	};
}

/** The look-ups of all items: those on the same fields of a sheet are made together. */
class LookUps {
	private readonly keys = new Map<string, MatchKey[]>();
	private readonly matches = new Map<string, Matches>();

	constructor(private readonly stored: StoredValues) {}

	add(item: Item, wanted: Wanted): void {
		const group = this.groupOf(item, wanted);
		const keys = getOrInsert(this.keys, group, () => []);
		keys.push(wanted.values.key);
	}

	of(item: Item, client: Client, wanted: Wanted): Matches {
		const group = this.groupOf(item, wanted);
		const { key, matchFieldIds } = wanted.values;
		const seen = this.broughtAlong(item, wanted);
		return getOrInsert(
			this.matches,
			group,
			() => new Matches(client, wanted.sheet, matchFieldIds, this.keys.get(group) ?? [key], seen),
		);
	}

	private groupOf(item: Item, wanted: Wanted): string {
		const { sheet, values } = wanted;
		const form = this.broughtAlong(item, wanted)?.form;
		const where = [item.authentication, formatSheetPath(sheet), ...values.matchFieldIds];
		return JSON.stringify([form, ...where]);
	}

	/** What look-ups tell of records, unless they would match by the times of another offset. */
	private broughtAlong(item: Item, wanted: Wanted): StoredRecords | undefined {
		return wanted.options.timeZone === undefined ? this.stored.of(item, wanted) : undefined;
	}
}

async function update(upserted: Upserted, matching: string[]): Promise<IDataObject[]> {
	const { item, client, wanted, stored } = upserted;
	const { sheet, values, options } = wanted;
	const recordIds = chosenRecords(wanted, matching);
	const keys = { item, client, sheet, ...options };
	const json: IDataObject[] = [];
	const updated: string[] = [];
	for (const recordId of recordIds) {
		const unchanged = await stored.unchanged(item, client, recordId, wanted);
		if (unchanged) {
			json.push(unchanged);
			continue;
		}
		const record = { sheet, recordId };
		const saved = await stored
			.whileWritten(record, async () => await updateWithRows(client, record, values, options))
			.catch((error: unknown) => {
				throw afterOthers(error, recordId, updated);
			});
		updated.push(recordId);
		json.push({ ...(await savedRecordJson(keys, saved)), _action: 'updated' });
	}
	return json;
}

async function create({ item, client, wanted, matches }: Upserted): Promise<IDataObject> {
	const { sheet, values, options } = wanted;
	const saved = await matches.created(
		values.key,
		async () => await createRecord(client, sheet, values, options),
	);
	const keys = { item, client, sheet, ...options };
	return { ...(await savedRecordJson(keys, saved)), _action: 'created' };
}

function isRejected(error: unknown): boolean {
	return error instanceof ServiceError && error.kind === 'rejected';
}

/** Updating all matches may fail in the middle: the records before are changed already. */
function afterOthers(error: unknown, recordId: string, updated: readonly string[]): unknown {
	if (!(error instanceof ServiceError) || updated.length === 0) return error;
	const { description = '' } = error.details;
	return error.with({
		description:
			`It failed at record ${recordId}; updated before it: ${updated.join(', ')}. ${description}`.trim(),
	});
}

function chosenRecords({ values, options }: Wanted, recordIds: string[]): string[] {
	const { onMultipleMatches } = options;
	if (recordIds.length < 2 || onMultipleMatches === 'updateAll') return recordIds;
	if (onMultipleMatches === 'updateFirst') return recordIds.slice(0, 1);
	const shown = recordIds.slice(0, 5).join(', ');
	throw new InputError(
		`${recordIds.length} records match ${values.key.map((value) => `'${value}'`).join(' and ')}: ${shown}${recordIds.length > 5 ? ', …' : ''}`,
		"Match on more fields, or set the option 'On Multiple Matches'.",
	);
}
