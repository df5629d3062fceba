import { sheetParameter } from '../../../shared/sheet';
import { addComment } from '../../../service/comments';
import { numberOrText } from '../../../wire/record';
import { InputError } from '../../../wire/inputError';
import { filePart } from '../../filePart';
import type { Operation } from '../../operation';
import { readRecordAddress, recordIdParameter } from '../../parameters/recordId';

export const add: Operation = {
	value: 'add',
	name: 'Add',
	action: 'Add a comment',
	description: 'Add a comment to a record, with a file if you like',
	parameters: [
		sheetParameter,
		recordIdParameter,
		{
			displayName: 'Comment',
			name: 'comment',
			type: 'string',
			typeOptions: { rows: 3 },
			required: true,
			default: '',
			description: 'The text of the comment',
		},
		{
			displayName: 'Input Data Field Name',
			name: 'inputDataFieldName',
			type: 'string',
			placeholder: 'e.g. data',
			default: '',
			description:
				'The name of the input field that holds the file to attach. Leave it empty to attach none.',
		},
	],
	async run({ item, client }) {
		const record = readRecordAddress(item, client.connection);
		const text = item.verbatimText('comment');
		if (text.trim() === '')
			throw new InputError("'Comment' is empty", 'Give the text of the comment.');
		const fileField = item.text('inputDataFieldName');
		const attachment = fileField === '' ? undefined : await filePart(item, fileField);
		const comment = await addComment(client, record, text, attachment);
		return { _recordId: numberOrText(record.recordId), ...comment };
	},
};
