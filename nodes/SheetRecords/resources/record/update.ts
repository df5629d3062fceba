import { batchOperation } from '../../run/operation';
import { inputRecordParameter } from '../../parameters/record';
import { recordValuesParameter } from '../../parameters/recordValues';
import { updateOptions } from '../../parameters/writeOptions';
import { expectUpdate, updateOne } from './recordUpdates';

export const update = batchOperation({
	value: 'update',
	name: 'Update',
	action: 'Update a record',
	description:
		'Change the given fields of a record by its ID, leave the others, and return it as saved. To find it by a field, use Create or Update.',
	parameters: {
		record: inputRecordParameter,
		values: recordValuesParameter({ isNew: false }),
		options: updateOptions,
	},
	group: (item, { record, ...wanted }) =>
		void expectUpdate(item, { sheet: record.sheet, ...wanted }, record.recordId),
	async run(item, { record, ...wanted }, group) {
		const { values, options } = wanted;
		const { dryRun, onConflict, skipUnchanged } = options;
		if (dryRun || onConflict === 'error' || skipUnchanged || values.rowRules) await group();
		return await updateOne(item, record.recordId, { sheet: record.sheet, ...wanted });
	},
});
