import { plainReadOptions } from '../../../api/read/readOptions';
import { recordLoader } from '../../../api/read/recordLoader';
import { choiceParameter, type Parameter } from '../../../shared/parameters/parameter';
import { sheetParameter } from '../../../shared/parameters/sheet';
import type { ItemContext } from '../../run/itemContext';
import { batchOperation } from '../../run/operation';
import { OutputItems } from '../../run/operationResult';
import {
	itemMatchParameter,
	parseMatchFields,
	recordIdKey,
	recordIdToMatch,
	type ItemMatch,
} from '../../parameters/recordValues';
import { matchesOf } from './matchGroups';

const passOn = choiceParameter({
	displayName: 'Pass On',
	name: 'passOn',
	choices: { existing: 'Items With a Record', missing: 'Items Without a Record' },
	default: 'existing',
	description: 'Which of the input items to return. They are not changed.',
});

/** Record ID or match fields by which the record of an item is found. */
const matchParameter: Parameter<Promise<ItemMatch | string>, ItemContext> = {
	...itemMatchParameter,
	async parse(item) {
		const keys = await parseMatchFields(item);
		if (!keys.has(recordIdKey)) return await itemMatchParameter.parse(item);
		return recordIdToMatch(item.record[recordIdKey], keys);
	},
};

export const ifExists = batchOperation({
	value: 'ifExists',
	name: 'If Exists',
	action: 'Check if a record exists',
	description:
		'Pass on only the items that have a record on the sheet, or only those that have none',
	parameters: { sheet: sheetParameter, match: matchParameter, passOn },
	addToBatch(item, { sheet, match }) {
		const { client } = item;
		if (typeof match !== 'string') {
			const matches = matchesOf(item, sheet, match);
			return async () => (await matches.recordIds(match.key)).length > 0;
		}
		const loader = recordLoader(client, sheet, plainReadOptions('EID')).enqueue(match);
		return async () => (await loader.loadAndDrop(client, match)) !== undefined;
	},
	async run({ context, index }, { passOn }, getBatch) {
		const exists = await (await getBatch())();
		if (exists !== (passOn === 'existing')) return [];
		const { json = {}, binary } = context.getInputData()[index] ?? {};
		return new OutputItems([{ json, ...(binary ? { binary } : {}) }]);
	},
});
