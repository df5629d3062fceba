import { plainReadOptions } from '../../../api/read/readOptions';
import { recordsByIds } from '../../../api/read/recordLoader';
import { choiceParameter, type Parameter } from '../../../shared/parameters/parameter';
import { sheetParameter } from '../../../shared/parameters/sheet';
import type { ItemContext } from '../../run/itemContext';
import { batchOperation } from '../../run/operation';
import { OutputItems } from '../../run/operationResult';
import {
	itemMatchParameter,
	readMatchFields,
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
	description: 'Which of the input items come out, as they are',
});

/** What the record of an item is found by: its id, or fields. */
const wantedParameter: Parameter<Promise<ItemMatch | string>, ItemContext> = {
	...itemMatchParameter,
	async parse(item) {
		const keys = await readMatchFields(item);
		if (!keys.has(recordIdKey)) return await itemMatchParameter.parse(item);
		return recordIdToMatch(item.record[recordIdKey], keys);
	},
};

export const ifExists = batchOperation({
	value: 'ifExists',
	name: 'If Exists',
	action: 'Check if a record exists',
	description: 'Pass on the items that have, or have not, a record on the sheet',
	parameters: { sheet: sheetParameter, wanted: wantedParameter, passOn },
	group(item, { sheet, wanted }) {
		const { client } = item;
		if (typeof wanted !== 'string') {
			const matches = matchesOf(item, sheet, wanted);
			return async () => (await matches.recordIds(wanted.key)).length > 0;
		}
		const records = recordsByIds(client, sheet, plainReadOptions('EID')).expect(wanted);
		return async () => (await records.take(client, wanted)) !== undefined;
	},
	async run({ context, index }, { passOn }, group) {
		const exists = await (await group())();
		if (exists !== (passOn === 'existing')) return [];
		const { json = {}, binary } = context.getInputData()[index] ?? {};
		return new OutputItems([{ json, ...(binary ? { binary } : {}) }]);
	},
});
