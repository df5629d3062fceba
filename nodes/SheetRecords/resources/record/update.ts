import { batchOperation } from '../../operation';
import { recordParameter } from '../../parameters/record';
import { recordValuesParameter } from '../../parameters/recordValues';
import { updateOptions } from '../../parameters/writeOptions';
import { RecordUpdates } from './recordUpdates';

export const update = batchOperation({
	value: 'update',
	name: 'Update',
	action: 'Update a record',
	description: 'Change the given fields of a record, leave the others, and return it as saved',
	parameters: {
		record: recordParameter,
		values: recordValuesParameter({ isNew: false }),
		options: updateOptions,
	},
	prepare(group) {
		const updates = new RecordUpdates();
		const prepare = group((item, { record, ...wanted }) => {
			const stored = updates.storedRecords(item, { sheet: record.sheet, ...wanted });
			stored?.expect(record.recordId);
		});
		return async (item, wanted) => {
			const { record, values, options } = wanted;
			if (options.skipUnchanged) await prepare(item, wanted);
			return await updates.update(item, record.recordId, { sheet: record.sheet, values, options });
		};
	},
});
