import { deleteRecord } from '../../../api/write/records';
import { notice } from '../../../ui/parameter';
import { numberOrText } from '../../../api/read/record';
import { operation } from '../../operation';
import { recordParameter } from '../../parameters/record';

export const deleteOne = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete a record',
	description: 'Delete a record for good',
	parameters: {
		record: recordParameter,
		notice: notice('deletionNotice', 'Deleting a record cannot be undone'),
	},
	async run({ client }, { record }) {
		await deleteRecord(client, record);
		return { deleted: true, _recordId: numberOrText(record.recordId) };
	},
});
