import { batchOperation } from '../../run/operation';
import { inputRecordParameter } from '../../parameters/record';
import { recordValuesParameter } from '../../parameters/recordValues';
import { updateOptions } from '../../parameters/writeOptions';
import { recordReads } from './recordReads';
import { prepareUpdate, updateById } from './recordUpdates';

export const update = batchOperation({
	value: 'update',
	name: 'Update',
	action: 'Update a record',
	description:
		'Update the given fields of a record by its ID and return the record as saved. To find the record by a field, use Create or Update.',
	writesEachItem: true,
	parameters: {
		record: inputRecordParameter,
		values: recordValuesParameter({ isNew: false }),
		options: updateOptions,
	},
	addToBatch: (item, { record: { sheet, recordId }, ...input }) => {
		const update = { sheet, ...input };
		prepareUpdate(item, update, recordReads(item, update), recordId);
	},
	async run(item, { record: { sheet, recordId }, ...input }, getBatch) {
		const { dryRun, skipUnchanged } = input.options;
		// Dry Run, Skip Unchanged and Rows Mode (except Add) compare the input with the stored record. The batch lets the records
		// of all items load together. Other updates need no batch. On Conflict and Files Mode may read the record before its write.
		if (dryRun || skipUnchanged || input.values.rowRules) await getBatch();
		return await updateById(item, recordId, { sheet, ...input });
	},
});
