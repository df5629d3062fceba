import { plainReadOptions } from '../../../api/read/readOptions';
import { recordsByIds } from '../../../api/read/recordsByIds';
import { InputError } from '../../../api/values/inputError';
import { wholeNumberText } from '../../../api/values/sheetAddress';
import { textOf } from '../../../api/values/text';
import { choiceParameter, type Parameter } from '../../../ui/parameter';
import { sheetParameter } from '../../../ui/sheet';
import type { ItemContext } from '../../itemContext';
import { batchOperation } from '../../operation';
import { OutputItems } from '../../operationResult';
import { itemMatchParameter, readMatchFields } from '../../parameters/itemMatch';
import type { ItemMatch } from '../../parameters/recordValues';
import { MatchGroups } from './matchGroups';

const passOn = choiceParameter({
	displayName: 'Pass On',
	name: 'passOn',
	choices: { existing: 'Items With a Record', missing: 'Items Without a Record' },
	default: 'existing',
	description: 'Which of the input items come out, as they are',
});

/** What stands for the record's id among the fields to match on. */
const idKey = '_recordId';

/** What the record of an item is found by: its id, or fields. */
const wantedParameter: Parameter<Promise<ItemMatch | string>, ItemContext> = {
	...itemMatchParameter,
	async parse(item) {
		const keys = await readMatchFields(item);
		if (!keys.has(idKey)) return await itemMatchParameter.parse(item);
		const text = textOf(item.record[idKey]);
		const recordId = wholeNumberText(text);
		if (recordId !== undefined && keys.size === 1) return recordId;
		throw keys.size > 1
			? new InputError(`Match on ${idKey} alone: it says already which record is meant`)
			: new InputError(
					`${text === '' ? 'An empty text' : `'${text}'`} in ${idKey} is not a record ID`,
					'A record ID is a whole number, e.g. 17.',
				);
	},
};

export const ifExists = batchOperation({
	value: 'ifExists',
	name: 'If Exists',
	action: 'Check if a record exists',
	description: 'Pass on the items that have, or have not, a record on the sheet',
	parameters: { sheet: sheetParameter, wanted: wantedParameter, passOn },
	prepare(group) {
		const groups = new MatchGroups();
		const prepare = group((item, { sheet, wanted }) => {
			if (typeof wanted !== 'string') {
				const matches = groups.add(item, sheet, wanted);
				return async () => (await matches.matchesFor(item).recordIds(wanted.key)).length > 0;
			}
			const { client } = item;
			const records = recordsByIds(client, sheet, plainReadOptions('EID')).expect(wanted);
			return async () => (await records.take(client, wanted)) !== undefined;
		});
		return async (item, values) => {
			const exists = await prepare(item, values);
			if ((await exists()) !== (values.passOn === 'existing')) return [];
			const { json = {}, binary } = item.context.getInputData()[item.index] ?? {};
			return new OutputItems([{ json, ...(binary ? { binary } : {}) }]);
		};
	},
});
