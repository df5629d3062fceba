import { addComment } from '../../../service/comments';
import { requiredTextParameter, verbatimTextParameter } from '../../../shared/parameter';
import { numberOrText } from '../../../wire/record';
import { operation } from '../../operation';
import { attachmentParameter } from '../../parameters/inputFiles';
import { recordParameter } from '../../parameters/record';

export const add = operation({
	value: 'add',
	name: 'Add',
	action: 'Add a comment',
	description: 'Add a comment to a record, with a file if you like',
	parameters: {
		record: recordParameter,
		comment: requiredTextParameter(
			verbatimTextParameter({
				displayName: 'Comment',
				name: 'comment',
				type: 'string',
				typeOptions: { rows: 3 },
				default: '',
				description: 'The text of the comment',
			}),
			'Give the text of the comment.',
		),
		attachment: attachmentParameter,
	},
	async run({ client, record, comment, attachment }) {
		const added = await addComment(client, record, comment, attachment);
		return { _recordId: numberOrText(record.recordId), ...added };
	},
});
