import { membersOf, numberOrText } from '../../../api/read/record';
import { recordLoader } from '../../../api/read/recordLoader';
import { batchOperation } from '../../run/operation';
import { OutputItems } from '../../run/operationResult';
import { itemsWithFiles } from '../../../shared/output/recordFiles';
import { firstReadingOptions, recordOptions } from '../../../shared/parameters/options';
import { optionsCollection } from '../../../shared/parameters/parameter';
import {
	outputFormParameter,
	outputReadOptions,
	outputShape,
} from '../../../shared/output/recordOutput';
import { emptyOutput, emptyResultOption } from '../../parameters/list';
import { recordParameter } from '../../parameters/record';

const emptyResult = emptyResultOption(
	'error',
	'What to return if the record does not exist. An empty item contains _recordId and _missing.',
);

export const get = batchOperation({
	value: 'get',
	name: 'Get',
	action: 'Get a record',
	description: 'Get one record by its ID. To find records by a field, use Get Many.',
	parameters: {
		record: recordParameter,
		form: outputFormParameter,
		options: optionsCollection({ ...recordOptions, emptyResult }, firstReadingOptions),
	},
	async addToBatch({ client }, { record: { sheet, recordId }, form, options }) {
		const reading = await outputReadOptions(client, sheet, { ...options, ...form });
		return recordLoader(client, sheet, reading).enqueue(recordId);
	},
	async run(item, { record: { sheet, recordId }, form, options }, getBatch) {
		const { client, run } = item;
		const shape = await outputShape(client, sheet, { ...options, ...form }, run.hints.untyped);
		const content = await (await getBatch()).loadAndDrop(client, recordId);
		if (!content) {
			const missing = { _recordId: numberOrText(recordId), _missing: true };
			const message = `There is no record ${recordId} on this sheet`;
			const check = 'Check the record ID and the sheet.';
			return emptyOutput(options.emptyResult, message, check, missing);
		}
		const json = await shape.named([shape.json(recordId, membersOf(content))]);
		return new OutputItems(await itemsWithFiles(item, sheet, options, json));
	},
});
