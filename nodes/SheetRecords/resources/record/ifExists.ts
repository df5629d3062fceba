import { plainReadOptions } from '../../../api/read/readOptions';
import { recordLoader } from '../../../api/read/recordLoader';
import { choiceParameter } from '../../../shared/parameters/parameter';
import { sheetParameter } from '../../../shared/parameters/sheet';
import { batchOperation } from '../../run/operation';
import { OutputItems } from '../../run/operationResult';
import { idOrMatchParameter } from '../../parameters/matchFields';
import { matchesOf } from './matchGroups';

const passOn = choiceParameter({
	displayName: 'Pass On',
	name: 'passOn',
	choices: { existing: 'Items With a Record', missing: 'Items Without a Record' },
	default: 'existing',
	description: 'Which of the input items to return. They are not changed.',
});

export const ifExists = batchOperation({
	value: 'ifExists',
	name: 'If Exists',
	action: 'Check if a record exists',
	description:
		'Pass on only the items that have a record on the sheet, or only those that have none. To get the records, use Get.',
	parameters: { sheet: sheetParameter, match: idOrMatchParameter, passOn },
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
