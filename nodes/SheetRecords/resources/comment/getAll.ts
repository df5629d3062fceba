import { listComments } from '../../../api/comments';
import { numberOrText } from '../../../api/read/record';
import { operation } from '../../operation';
import { limitParameter } from '../../parameters/limit';
import { noSuchRecord, recordParameter } from '../../parameters/record';

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many comments',
	description: 'Get the comments of a record',
	parameters: { record: recordParameter, limit: limitParameter },
	async run({ client }, { record, limit }) {
		const { recordId } = record;
		const comments = await listComments(client, record);
		if (!comments) throw noSuchRecord(recordId);
		return comments
			.slice(0, limit)
			.map((comment) => ({ _recordId: numberOrText(recordId), ...comment }));
	},
});
