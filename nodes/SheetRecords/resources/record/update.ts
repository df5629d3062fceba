import { updateRecord } from '../../../service/records';
import { operation } from '../../operation';
import { recordParameter } from '../../parameters/record';
import { recordValuesParameter } from '../../parameters/recordValues';
import { updateOptions } from '../../parameters/writeOptions';
import { savedRecordJson } from '../../savedRecord';

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update a record',
	description:
		'Change the given fields of a record, leave the others, and return it as saved, by field IDs',
	parameters: {
		record: recordParameter,
		values: recordValuesParameter({ isNew: false }),
		writing: updateOptions,
	},
	run: async ({ client, record, values, writing }) =>
		savedRecordJson(await updateRecord(client, record, values, writing)),
});
