import { createWithRows } from '../../../api/rows/existingRows';
import { sheetParameter } from '../../../ui/sheet';
import { operation } from '../../operation';
import { recordValuesParameter } from '../../parameters/recordValues';
import { createOptions } from '../../parameters/writeOptions';
import { plannedCreation } from '../../plannedRecord';
import { savedRecordJson } from '../../savedRecord';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create a record',
	description:
		'Add a new record to a sheet and return it as saved. Not twice for the same: use Create or Update.',
	parameters: {
		sheet: sheetParameter,
		values: recordValuesParameter({ isNew: true }),
		writing: createOptions,
	},
	async run(item, { sheet, values, writing }) {
		if (writing.dryRun) {
			return await plannedCreation({ item, sheet, ...writing }, values);
		}
		const saved = await createWithRows(item.client, sheet, values, writing);
		return await savedRecordJson({ item, sheet, ...writing }, saved);
	},
});
