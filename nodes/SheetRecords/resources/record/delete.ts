import type { IDataObject } from 'n8n-workflow';
import { numberOrText } from '../../../api/read/record';
import { recordsByIds } from '../../../api/read/recordsByIds';
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
} from '../../../ui/parameter';
import { sheetParameter, sheetProperty } from '../../../ui/sheet';
import type { ItemContext } from '../../itemContext';
import { batchOperation } from '../../operation';
import { itemMatchParameter, type ItemMatch } from '../../parameters/match';
import { recordParameter } from '../../parameters/record';
import { dryRun, multipleMatches } from '../../parameters/writeOptions';
import { plannedJson, recordPlace } from '../../savedRecord';
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
	group(item, { target, options }) {
		const { client } = item;
		const { sheet } = target;
		const stored = options.dryRun ? recordsByIds(client, sheet, storedForm({}, true)) : undefined;
		if ('match' in target) {
			const { match } = target;
			return { stored, key: match.key, matches: matchesOf(item, sheet, match, stored) };
		}
		stored?.expect(target.recordId);
		return { stored, recordId: target.recordId };
	},
	async run(item, { target: { sheet }, options }, group) {
		const { client, run } = item;
		const { stored, ...wanted } = await group();
		const placeOf = (recordId: string) => recordPlace(item, sheet, recordId);
		const deleteThis = async (recordId: string): Promise<IDataObject> => {
			if (stored) {
				const content = await stored.content(client, recordId);
				if (!content) throw notShown(recordId);
				const isOwn = (key: string) => isFieldId(key) || subtableOf(key) !== undefined;
				const before = new Map([...content].filter(([key]) => isOwn(key)));
				const keys = { item, sheet, naming: 'FNAME' } as const;
				return await plannedJson(keys, recordId, 'wouldDelete', { before, after: new Map() });
			}
			await deleteRecord(client, { sheet, recordId });
			run.ownWrites.add(placeOf(recordId));
			return { deleted: true, _recordId: numberOrText(recordId) };
		};
		if (!wanted.matches) return await deleteThis(wanted.recordId);
		const { key, matches } = wanted;
		return await matches.whileLocked(key, async () => {
			const found = await matches.recordIds(key);
			// Look-ups may find for a while what this run has deleted.
			const left = found.filter((id) => !run.ownWrites.has(placeOf(id)));
			const chosen = await chosenMatches(left, matches, key, options.onMultipleMatches);
			if (chosen.length === 0) return { deleted: false, _action: 'skipped' };
			return await workOnEach(chosen, 'deleted', deleteThis);
		});
	},
});
