import { groupItems } from '../../groupItems';
import { jointOperation } from '../../operation';
import { recordParameter } from '../../parameters/record';
import { recordValuesParameter } from '../../parameters/recordValues';
import { updateOptions } from '../../parameters/writeOptions';
import { RecordUpdates } from './recordUpdates';

export const update = jointOperation({
	value: 'update',
	name: 'Update',
	action: 'Update a record',
	description: 'Change the given fields of a record, leave the others, and return it as saved',
	parameters: {
		record: recordParameter,
		values: recordValuesParameter({ isNew: false }),
		options: updateOptions,
	},
	begin(items, read) {
		const updates = new RecordUpdates();
		const prepare = groupItems(items, read, (item, { record, ...wanted }) => {
			const stored = updates.storedRecords(item, { sheet: record.sheet, ...wanted });
			stored?.expect(record.recordId);
		});
		return async ({ record, values, options, ...call }) => {
			if (options.skipUnchanged) await prepare(call.item);
			const wanted = { sheet: record.sheet, values, options };
			return await updates.update(call, record.recordId, wanted);
		};
	},
});
