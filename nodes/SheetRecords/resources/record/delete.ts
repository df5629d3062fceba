import type { IDataObject } from 'n8n-workflow';
import { numberOrText } from '../../../api/read/record';
import type { RecordAddress } from '../../../api/values/sheetAddress';
import { changesOf, planDeletion } from '../../../api/write/plan';
import { StoredRecord, storedRecordLoader } from '../../../api/write/storedRecord';
import {
	choiceParameter,
	deferred,
	notice,
	optionsCollection,
	shownFor,
} from '../../../shared/parameters/parameter';
import { sheetParameter, sheetProperty } from '../../../shared/parameters/sheet';
import type { Item, ItemContext } from '../../run/itemContext';
import { batchOperation } from '../../run/operation';
import { itemMatchParameter, type ItemMatch } from '../../parameters/matchFields';
import { recordParameter } from '../../parameters/record';
import { dryRun, multipleMatches } from '../../parameters/writeOptions';
import { plannedJson, recordKey } from '../../run/savedRecord';
import { carryOut } from './carryOut';
import { chosenMatches, hasWritten, matchesOf, workOnEach } from './matchGroups';
import { unreadableRecord } from './recordUpdate';

const deleteBy = choiceParameter({
	displayName: 'Delete By',
	name: 'deleteBy',
	choices: {
		match: ['Match', 'Records whose fields have the values of the item'],
		recordId: 'Record ID',
	},
	default: 'recordId',
	description: 'How to find the records to delete',
});

/** Record to delete. With `match`, records are found by values, and `recordId` is empty. */
type Target = RecordAddress & { match?: ItemMatch };

const targetParameter = deferred(
	[
		sheetProperty,
		...deleteBy.properties,
		...shownFor(
			{ deleteBy: ['recordId'] },
			recordParameter.properties.filter((property) => property !== sheetProperty),
		),
		...shownFor({ deleteBy: ['match'] }, itemMatchParameter.properties),
	],
	async (item: ItemContext): Promise<Target> => {
		if (deleteBy.parse(item) === 'recordId') return recordParameter.parse(item);
		const sheet = sheetParameter.parse(item);
		return { sheet, recordId: '', match: await itemMatchParameter.parse(item) };
	},
);

const onMultipleMatches = multipleMatches({
	all: 'Delete All',
	updateFirst: 'Delete the First',
	error: 'Stop With an Error',
});

/** Deletes one record by ID, or the records that match the item. If no record matches, the output has the action `skipped`. */
export const deleteOne = batchOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete a record',
	description:
		'Delete a record permanently, by its ID or by field values. To keep the record but change its status, use Update.',
	writesEachItem: true,
	parameters: {
		target: targetParameter,
		notice: notice('deletionNotice', 'Deleting a record cannot be undone'),
		options: optionsCollection({ dryRun, onMultipleMatches }),
	},
	addToBatch(item, { target: { sheet, recordId, match }, options }) {
		const planned = options.dryRun ? storedRecordLoader(item.client, sheet) : undefined;
		planned?.needWholeRecords();
		if (match) return matchesOf(item, sheet, match, planned);
		planned?.enqueue(recordId);
		return undefined;
	},
	async run(item, { target, options }, getBatch) {
		const { sheet, match } = target;
		const { client, run } = item;
		const deleteThis = async (recordId: string): Promise<IDataObject> => {
			if (options.dryRun) return await plannedDeletion(item, { sheet, recordId });
			const stored = new StoredRecord(client, { sheet, recordId });
			const { warning } = await carryOut({ item, stored, plan: planDeletion(), options: {} });
			const warned = warning === undefined ? {} : { _warning: warning };
			return { deleted: true, _recordId: numberOrText(recordId), ...warned };
		};
		const matches = await getBatch();
		if (!match || !matches) return await deleteThis(target.recordId);
		return await matches.whileLocked(match.key, async () => {
			const found = await matches.recordIds(match.key);
			// Leave out the records that earlier items would delete, because look-ups still find them in a dry run.
			const isPlanned = (id: string) =>
				run.writtenKeys.has(recordKey(item, { sheet, recordId: id }));
			const existing = options.dryRun ? found.filter((id) => !isPlanned(id)) : found;
			const chosen = await chosenMatches(existing, matches, match.key, options.onMultipleMatches);
			if (chosen.length === 0 && !hasWritten(item)) {
				const _action = 'skipped';
				return options.dryRun
					? { _recordId: null, _action, _changes: {} }
					: { deleted: false, _action };
			}
			const records = { recordIds: chosen, matches, key: match.key };
			return await workOnEach(item, records, 'deleted', deleteThis);
		});
	},
});

/** Returns the output of a dry run. Throws the error of `unreadableRecord` if the record does not exist, and ServiceError. */
async function plannedDeletion(
	item: Item,
	{ sheet, recordId }: RecordAddress,
): Promise<IDataObject> {
	const content = await new StoredRecord(item.client, { sheet, recordId }).before();
	storedRecordLoader(item.client, sheet).release(recordId);
	if (!content) throw unreadableRecord(recordId);
	const changes = changesOf(planDeletion(content));
	const keys = { item, sheet, naming: 'FNAME' } as const;
	return await plannedJson(keys, { recordId, action: 'wouldDelete', changes });
}
