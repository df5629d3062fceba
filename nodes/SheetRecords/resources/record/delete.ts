import type { IDataObject } from 'n8n-workflow';
import { numberOrText } from '../../../api/read/record';
import { recordsByIds } from '../../../api/read/recordsByIds';
import {
	formatSheetPath,
	type RecordAddress,
	type SheetAddress,
} from '../../../api/values/sheetAddress';
import { deleteRecord } from '../../../api/write/records';
import {
	choiceParameter,
	deferred,
	notice,
	optionsCollection,
	shownFor,
} from '../../../ui/parameter';
import { sheetParameter, sheetProperty } from '../../../ui/sheet';
import type { ItemContext } from '../../itemContext';
import { batchOperation } from '../../operation';
import type { OperationResult, Postponed } from '../../operationResult';
import { itemMatchParameter, type ItemMatch } from '../../parameters/recordValues';
import { plannedDeletion } from '../../savedRecord';
import { recordParameter } from '../../parameters/record';
import { dryRun, multipleMatches } from '../../parameters/writeOptions';
import { chosenMatches, MatchGroups, workOnEach } from './matchGroups';
import { notShown, readingOf } from './recordUpdates';

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

/** The record to delete, or what is to be looked for. */
type Target = RecordAddress | { sheet: SheetAddress; match: ItemMatch };

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
		return { sheet: sheetParameter.parse(item), match: await itemMatchParameter.parse(item) };
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
	prepare(group) {
		const groups = new MatchGroups();
		/** What this run has deleted: look-ups may find it for a while. */
		const deleted = new Set<string>();
		const workFor = group((item, { target, options }) => {
			const { sheet } = target;
			const { client } = item;
			const stored = options.dryRun ? recordsByIds(client, sheet, readingOf({}, true)) : undefined;
			const deleteThis = async (recordId: string): Promise<IDataObject> => {
				if (!stored) {
					await deleteRecord(client, { sheet, recordId });
					return { deleted: true, _recordId: numberOrText(recordId) };
				}
				const content = await stored.content(client, recordId);
				if (!content) throw notShown(recordId);
				return await plannedDeletion({ item, sheet, naming: 'FNAME' }, recordId, content);
			};
			if (!('match' in target)) {
				stored?.expect(target.recordId);
				return async () => await deleteThis(target.recordId);
			}
			const { match } = target;
			const matches = groups.add(item, sheet, match, stored);
			const nameOf = (id: string) =>
				JSON.stringify([item.authentication, formatSheetPath(sheet), id]);
			const work = async () => {
				const found = await matches.recordIds(match.key);
				const left = found.filter((id) => !deleted.has(nameOf(id)));
				const { onMultipleMatches } = options;
				const chosen = await chosenMatches(left, matches, match.key, onMultipleMatches);
				if (chosen.length === 0) return { deleted: false, _action: 'skipped' };
				return await workOnEach(chosen, 'deleted', async (recordId) => {
					const json = await deleteThis(recordId);
					deleted.add(nameOf(recordId));
					return json;
				});
			};
			return async () => await matches.whileLocked<OperationResult | Postponed>(match.key, work);
		});
		return async (item, wanted) => await (await workFor(item, wanted))();
	},
});
