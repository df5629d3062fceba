import { updateWithRows } from '../../../api/rows/existingRows';
import { jointOperation } from '../../operation';
import { recordParameter } from '../../parameters/record';
import { recordValuesParameter } from '../../parameters/recordValues';
import { updateOptions } from '../../parameters/writeOptions';
import { readAhead } from '../../readAhead';
import { savedRecordJson } from '../../savedRecord';
import { StoredValues } from './storedValues';

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
		const stored = new StoredValues();
		const readOthers = readAhead(items, read, (item, { record, values, options }) => {
			stored.of(item, { sheet: record.sheet, values, options })?.expect(record.recordId);
		});
		return async ({ item, client, record, values, options }) => {
			if (options.skipUnchanged) {
				await readOthers();
				const compared = { sheet: record.sheet, values, options };
				const unchanged = await stored.unchanged(item, client, record.recordId, compared);
				if (unchanged) return unchanged;
			}
			const saved = await stored.whileWritten(
				record,
				async () => await updateWithRows(client, record, values, options),
			);
			const keys = { item, client, sheet: record.sheet, ...options };
			return { ...(await savedRecordJson(keys, saved)), _action: 'updated' };
		};
	},
});
