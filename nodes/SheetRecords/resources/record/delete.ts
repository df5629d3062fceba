import type { IDataObject } from 'n8n-workflow';
import { numberOrText } from '../../../api/read/record';
import { recordsByIds, type RecordsByIds } from '../../../api/read/recordLoader';
import { isFieldId } from '../../../api/schema/fields';
import type { RecordAddress, SheetAddress } from '../../../api/values/sheetAddress';
import { subtableOf } from '../../../api/values/subtableKeys';
import { deleteRecord } from '../../../api/write/records';
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
import { itemMatchParameter, type ItemMatch } from '../../parameters/recordValues';
import { recordParameter } from '../../parameters/record';
import { dryRun, multipleMatches } from '../../parameters/writeOptions';
import { plannedJson, recordPlace } from '../../run/savedRecord';
import { chosenMatches, matchesOf, workOnEach } from './matchGroups';
import { notShown, storedForm } from './recordUpdates';

const deleteBy = choiceParameter({
	displayName: 'Delete By',
	name: 'deleteBy',
	choices: {
		match: ['Match', 'The records that hold values of the item'],
		recordId: 'Record ID',
	},
	default: 'recordId',
	description: 'How the records to delete are found',
});

/** The record to delete; with what it is to be found by in place of its id, where that is given. */
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

export const deleteOne = batchOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete a record',
	description: 'Delete a record for good, by its ID or by what it holds',
	parameters: {
		target: targetParameter,
		notice: notice('deletionNotice', 'Deleting a record cannot be undone'),
		options: optionsCollection({ dryRun, onMultipleMatches }),
	},
	group(item, { target: { sheet, recordId, match }, options }) {
		const stored = options.dryRun ? storedIn(item, sheet) : undefined;
		if (match) return matchesOf(item, sheet, match, stored);
		stored?.expect(recordId);
		return undefined;
	},
	async run(item, { target, options }, group) {
		const { sheet, match } = target;
		const { client, run } = item;
		const deleteThis = async (recordId: string): Promise<IDataObject> => {
			if (options.dryRun) return await plannedDeletion(item, { sheet, recordId });
			await deleteRecord(client, { sheet, recordId });
			return { deleted: true, _recordId: numberOrText(recordId) };
		};
		const matches = await group();
		if (!match || !matches) return await deleteThis(target.recordId);
		return await matches.whileLocked(match.key, async () => {
			// Look-ups may find for a while what this run has deleted.
			const nameOf = (id: string) => `${recordPlace(item, sheet, id)} deleted`;
			const found = await matches.recordIds(match.key);
			const left = found.filter((id) => !run.ownWrites.has(nameOf(id)));
			const chosen = await chosenMatches(left, matches, match.key, options.onMultipleMatches);
			if (chosen.length === 0) return { deleted: false, _action: 'skipped' };
			return await workOnEach(chosen, 'deleted', async (recordId) => {
				const json = await deleteThis(recordId);
				run.ownWrites.add(nameOf(recordId));
				return json;
			});
		});
	},
});

function storedIn({ client }: Item, sheet: SheetAddress): RecordsByIds {
	return recordsByIds(client, sheet, storedForm({}, true));
}

async function plannedDeletion(
	item: Item,
	{ sheet, recordId }: RecordAddress,
): Promise<IDataObject> {
	const content = await storedIn(item, sheet).content(item.client, recordId);
	if (!content) throw notShown(recordId);
	const isOwn = (key: string) => isFieldId(key) || subtableOf(key) !== undefined;
	const changes = { before: new Map([...content].filter(([key]) => isOwn(key))), after: new Map() };
	return await plannedJson({ item, sheet, naming: 'FNAME' }, recordId, 'wouldDelete', changes);
}
