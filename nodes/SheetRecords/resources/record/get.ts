import { getRecord } from '../../../api/read/records';
import { membersOf, numberOrText } from '../../../api/read/record';
import { operation } from '../../operation';
import {
	downloadFilesOption,
	fieldOptions,
	flags,
	formOptions,
	requestOptions,
} from '../../../ui/options';
import { optionsCollection } from '../../../ui/parameter';
import { outputReadOptions, outputShape, simplifyParameter } from '../../../ui/recordOutput';
import { emptyOutput, emptyResultOption } from '../../parameters/list';
import { withFiles } from '../../parameters/outputFiles';
import { recordParameter } from '../../parameters/record';

const emptyResult = emptyResultOption(
	'error',
	'What to return for an item whose record is not there. An empty item holds _recordId and _missing.',
);

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get a record',
	description: 'Get one record by its ID',
	parameters: {
		record: recordParameter,
		simplify: simplifyParameter,
		options: optionsCollection({
			...fieldOptions,
			...formOptions,
			downloadFiles: downloadFilesOption,
			emptyResult,
			...flags,
			...requestOptions,
		}),
	},
	async run(item, { record, simplify, options }) {
		const { sheet, recordId } = record;
		const shape = await outputShape(item.client, sheet, { simplify, ...options });
		const reading = await outputReadOptions(item.client, sheet, options);
		const found = await getRecord(item.client, record, reading);
		if (!found) {
			const missing = { _recordId: numberOrText(recordId), _missing: true };
			return emptyOutput(
				options.emptyResult,
				`There is no record ${recordId} on this sheet`,
				missing,
			);
		}
		const json = await shape.named([shape.json(found.id, membersOf(found.content))]);
		shape.addHints(item.run.hints);
		return await withFiles(item, sheet, json, options);
	},
});
