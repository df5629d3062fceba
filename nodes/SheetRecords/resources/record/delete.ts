import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { numberOrText } from '../../../api/read/record';
import { formatSheetPath, type RecordAddress } from '../../../api/values/sheetAddress';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { deleteRecord } from '../../../api/write/records';
import { choiceOption, choiceParameter, notice, optionsCollection } from '../../../ui/parameter';
import type { Parameter } from '../../../ui/parameter';
import { sheetParameter, sheetProperty } from '../../../ui/sheet';
import type { Item, ItemContext } from '../../itemContext';
import { batchOperation } from '../../operation';
import { itemMatchParameter } from '../../parameters/itemMatch';
import type { ItemMatch } from '../../parameters/recordValues';
import { recordParameter } from '../../parameters/record';
import { afterOthers, chosenMatches, MatchGroups } from './matchGroups';

const deleteBy = choiceParameter({
	displayName: 'Delete By',
	name: 'deleteBy',
	type: 'options',
	options: [
		{ name: 'Match', value: 'match', description: 'The records that hold values of the item' },
		{ name: 'Record ID', value: 'recordId' },
	],
	default: 'recordId',
	description: 'How the records to delete are found',
});

/** The record to delete, or what is to be looked for. */
type Target = RecordAddress | { sheet: SheetAddress; match: ItemMatch };

const targetParameter: Parameter<Promise<Target>, ItemContext> = {
	properties: [
		sheetProperty,
		...deleteBy.properties,
		...recordParameter.properties
			.filter((property) => property !== sheetProperty)
			.map((property) => shownFor('recordId', property)),
		...itemMatchParameter.properties.map((property) => shownFor('match', property)),
	],
	deferred: true,
	async parse(item) {
		if (deleteBy.parse(item) === 'recordId') return recordParameter.parse(item);
		return { sheet: sheetParameter.parse(item), match: await itemMatchParameter.parse(item) };
	},
};

function shownFor(choice: 'match' | 'recordId', property: INodeProperties): INodeProperties {
	return { ...property, displayOptions: { show: { deleteBy: [choice] } } };
}

const onMultipleMatches = choiceOption({
	displayName: 'On Multiple Matches',
	name: 'onMultipleMatches',
	type: 'options',
	options: [
		{ name: 'Delete All', value: 'all' },
		{ name: 'Delete the First', value: 'updateFirst' },
		{ name: 'Stop With an Error', value: 'error' },
	],
	default: 'error',
	description: 'What to do when more than one record matches an item',
});

export const deleteOne = batchOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete a record',
	description: 'Delete a record for good, by its ID or by what it holds',
	parameters: {
		target: targetParameter,
		notice: notice('deletionNotice', 'Deleting a record cannot be undone'),
		options: optionsCollection({ onMultipleMatches }),
	},
	prepare(group) {
		const groups = new MatchGroups();
		const deletions = new Deletions();
		const workFor = group((item, { target, options }) => {
			if (!('match' in target)) return async () => await deleteOnly(item, target);
			const { sheet, match } = target;
			const matched = groups.add(item, sheet, match);
			return async () => {
				const matches = matched.matchesFor(item);
				const choose = async (ids: string[]) =>
					await chosenMatches(ids, matches, match.key, options.onMultipleMatches);
				const work = async () =>
					await deletions.deleteAll(item, sheet, await matches.recordIds(match.key), choose);
				return await matches.whileLocked(match.key, work);
			};
		});
		return async (item, wanted) => await (await workFor(item, wanted))();
	},
});

async function deleteOnly({ client }: Item, record: RecordAddress): Promise<IDataObject> {
	await deleteRecord(client, record);
	return { deleted: true, _recordId: numberOrText(record.recordId) };
}

/** The deletions of a run: look-ups may find a record for a while that it has deleted. */
class Deletions {
	private readonly done = new Set<string>();

	/** Deletes those of the records that are chosen; the item says when none is left. Throws ServiceError, and what `choose` throws. */
	async deleteAll(
		item: Item,
		sheet: SheetAddress,
		found: readonly string[],
		choose: (left: string[]) => Promise<string[]>,
	): Promise<IDataObject | IDataObject[]> {
		const nameOf = (recordId: string) =>
			JSON.stringify([item.authentication, formatSheetPath(sheet), recordId]);
		const json: IDataObject[] = [];
		const before: string[] = [];
		for (const recordId of await choose(found.filter((id) => !this.done.has(nameOf(id))))) {
			const output = await deleteOnly(item, { sheet, recordId }).catch((error: unknown) => {
				throw afterOthers(error, recordId, before, 'deleted');
			});
			this.done.add(nameOf(recordId));
			before.push(recordId);
			json.push(output);
		}
		return json.length > 0 ? json : { deleted: false, _action: 'skipped' };
	}
}
