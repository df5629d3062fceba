import { addComment } from '../../../api/comments';
import { requiredTextParameter, textParameter, verbatimTextParameter } from '../../../ui/parameter';
import type { Parameter } from '../../../ui/parameter';
import type { FilePart } from '../../../api/values/formBody';
import { numberOrText } from '../../../api/read/record';
import { filePart } from '../../filePart';
import { operation } from '../../operation';
import { recordParameter } from '../../parameters/record';
import type { ItemContext } from '../../itemContext';

const optionalField = textParameter({
	displayName: 'Input Data Field Name',
	name: 'inputDataFieldName',
	type: 'string',
	placeholder: 'e.g. data',
	default: '',
	description:
		'The name of the input field that holds the file to attach. Leave it empty to attach none.',
});

/** The file of the item to attach; undefined for none. */
const attachmentParameter: Parameter<Promise<FilePart | undefined>, ItemContext> = {
	properties: optionalField.properties,
	deferred: true,
	async parse(item) {
		const name = optionalField.parse(item);
		return name === '' ? undefined : await filePart(item, name);
	},
};

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
	async run({ client }, { record, comment, attachment }) {
		const added = await addComment(client, record, comment, attachment);
		return { _recordId: numberOrText(record.recordId), ...added };
	},
});
