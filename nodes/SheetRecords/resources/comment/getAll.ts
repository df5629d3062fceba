import { sheetParameter } from '../../../shared/sheet';
import { listComments } from '../../../service/comments';
import { numberOrText } from '../../../wire/record';
import type { Operation } from '../../operation';
import { limitParameters, readLimit } from '../../parameters/limit';
import { noSuchRecord, readRecordAddress, recordIdParameter } from '../../parameters/recordId';

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many comments',
	description: 'Get the comments of a record',
	parameters: [sheetParameter, recordIdParameter, ...limitParameters],
	async run({ item, client }) {
		const record = readRecordAddress(item, client.connection);
		const { recordId } = record;
		const limit = readLimit(item);
		const comments = await listComments(client, record);
		if (!comments) throw noSuchRecord(recordId);
		return comments
			.slice(0, limit)
			.map((comment) => ({ _recordId: numberOrText(recordId), ...comment }));
	},
};
