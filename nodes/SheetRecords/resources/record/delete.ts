import { deleteRecord } from '../../../service/records';
import { numberOrText } from '../../../wire/record';
import type { Operation } from '../../operation';
import { readRecordAddress, recordIdParameter } from '../../parameters/recordId';
import { sheetParameter } from '../../../shared/sheet';

export const deleteOne: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a record',
	description: 'Delete a record for good',
	parameters: [
		sheetParameter,
		recordIdParameter,
		{
			displayName: 'Deleting a record cannot be undone',
			name: 'deletionNotice',
			type: 'notice',
			default: '',
		},
	],
	async run({ item, client }) {
		const record = readRecordAddress(item, client.connection);
		await deleteRecord(client, record);
		return { deleted: true, _recordId: numberOrText(record.recordId) };
	},
};
