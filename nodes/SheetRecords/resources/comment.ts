import { addComment, listComments } from '../../api/comments';
import { numberOrText } from '../../api/read/record';
import { listOf } from '../../api/sheet/fields';
import { InputError } from '../../api/values/inputError';
import { joinedSentences, verbatimText } from '../../api/values/text';
import { nameListParameter, requiredTextParameter } from '../../shared/parameters/parameter';
import { filePart } from '../files/filePart';
import { commentNotes, notesSentence } from '../run/hints';
import { operation, type Resource } from '../run/operation';
import { limitParameter } from '../parameters/list';
import { noSuchRecord, recordParameter } from '../parameters/record';

const fileFieldNames = nameListParameter({
	displayName: 'Input Data Field Name',
	name: 'inputDataFieldName',
	placeholder: 'e.g. data',
	description:
		'Name of the input field that contains the file to attach. Leave empty to attach no file.',
});

/** Names of input fields. Parsing throws InputError if an expression returns nothing, because the file would be left out. */
const fileFields: typeof fileFieldNames = {
	...fileFieldNames,
	parse(item) {
		if (item.value('inputDataFieldName') !== undefined) return fileFieldNames.parse(item);
		throw new InputError(
			"'Input Data Field Name' has no value, so nothing was sent",
			'Check its expression. To attach no file, let the expression return an empty text.',
		);
	},
};

const add = operation({
	value: 'add',
	name: 'Add',
	action: 'Add a comment',
	description:
		'Add a comment to a record, optionally with a file. It changes no field; to change fields, use Record: Update.',
	writesEachItem: true,
	parameters: {
		record: recordParameter,
		comment: requiredTextParameter(
			{
				displayName: 'Comment',
				name: 'comment',
				typeOptions: { rows: 3 },
				description: 'Text of the comment',
			},
			verbatimText,
		),
		fileFields,
	},
	async run(item, { record, comment, fileFields: names }) {
		const [fileField, ...furtherFields] = names;
		if (furtherFields.length > 0) throw severalFiles(names);
		const attachment = fileField === undefined ? undefined : await filePart(item, fileField);
		const { warning, ...added } = await addComment(item.client, record, comment, attachment);
		const check = notesSentence('Check what was sent', commentNotes(comment));
		const words = joinedSentences([warning, check]);
		const warned = words === '' ? {} : { _warning: words };
		return { _recordId: numberOrText(record.recordId), ...added, ...warned };
	},
});

function severalFiles(names: readonly string[]): InputError {
	return new InputError(
		`'Input Data Field Name' names ${names.length} files, but a comment takes one: ${listOf(names)}`,
		'Choose one of them, or add a comment for each file, e.g. with a Split Out node before this node.',
	);
}

const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many comments',
	description: 'Get the comments of a record. For its fields, use Record: Get.',
	parameters: { record: recordParameter, limit: limitParameter },
	async run({ client }, { record, limit }) {
		const comments = await listComments(client, record);
		if (!comments) throw noSuchRecord(record.recordId);
		const _recordId = numberOrText(record.recordId);
		return comments.slice(0, limit).map((comment) => ({ _recordId, ...comment }));
	},
});

export const comment: Resource = {
	value: 'comment',
	name: 'Comment',
	description: 'Comment on a record, optionally with a file',
	defaultOperation: add,
	operations: [add, getAll],
};
