import { batchOperation } from '../../operation';
import { inputRecordParameter } from '../../parameters/record';
import { recordValuesParameter } from '../../parameters/recordValues';
import { updateOptions } from '../../parameters/writeOptions';
import { comparedRecords, expectUnchanged, updateOne } from './recordUpdates';

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
	prepare(group) {
		const prepare = group((item, { record, ...wanted }) => {
			const own = { sheet: record.sheet, ...wanted };
			expectUnchanged(item, own);
			comparedRecords(item, own)?.expect(record.recordId);
		});
		return async (item, wanted) => {
			const { record, values, options } = wanted;
			const { dryRun, onConflict, skipUnchanged } = options;
			if (dryRun || onConflict === 'error' || skipUnchanged || values.rowRules)
				await prepare(item, wanted);
			return await updateOne(item, record.recordId, { sheet: record.sheet, values, options });
		};
	},
});
