import { getOrInsert } from '../../../api/json/objects';
import { membersOf, numberOrText } from '../../../api/read/record';
import { recordsByIds } from '../../../api/read/recordsByIds';
import { formatSheetPath } from '../../../api/values/sheetAddress';
import { batchOperation } from '../../operation';
import { OutputItems } from '../../operationResult';
import { itemsWithFiles } from '../../../ui/recordFiles';
import { recordOptions } from '../../../ui/options';
import { optionsCollection } from '../../../ui/parameter';
import { outputReadOptions, outputShape, simplifyParameter } from '../../../ui/recordOutput';
import { emptyOutput, emptyResultOption } from '../../parameters/list';
import { recordParameter } from '../../parameters/record';

const emptyResult = emptyResultOption(
	'error',
	'What to return for an item whose record is not there. An empty item holds _recordId and _missing.',
);

export const get = batchOperation({
	value: 'get',
	name: 'Get',
	action: 'Get a record',
	description: 'Get one record by its ID. To find records by a field, use Get Many.',
	parameters: {
		record: recordParameter,
		simplify: simplifyParameter,
		options: optionsCollection({ ...recordOptions, emptyResult }),
	},
	prepare(group) {
		const groups = new Map<string, string[]>();
		const idsOf = group(({ authentication }, { record: { sheet, recordId }, options }) => {
			const name = JSON.stringify([authentication, formatSheetPath(sheet), options]);
			const recordIds = getOrInsert(groups, name, () => []);
			recordIds.push(recordId);
			return recordIds;
		});
		return async (item, wanted) => {
			const { record, simplify, options } = wanted;
			const { sheet, recordId } = record;
			const shape = await outputShape(
				item.client,
				sheet,
				{ simplify, ...options },
				item.run.hints.untyped,
			);
			const reading = await outputReadOptions(item.client, sheet, options);
			const recordIds = await idsOf(item, wanted);
			const records = recordsByIds(item.client, sheet, reading).expect(...recordIds.splice(0));
			const content = await records.take(item.client, recordId);
			if (!content) {
				const missing = { _recordId: numberOrText(recordId), _missing: true };
				return emptyOutput(
					options.emptyResult,
					`There is no record ${recordId} on this sheet`,
					missing,
				);
			}
			const json = await shape.named([shape.json(recordId, membersOf(content))]);
			return new OutputItems(await itemsWithFiles(item, sheet, options, json));
		};
	},
});
