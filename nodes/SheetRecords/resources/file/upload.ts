import type { INodeProperties } from 'n8n-workflow';
import { choiceParameter, textParameter, type Parameter } from '../../../ui/parameter';
import { pickList } from '../../../ui/pickList';
import { numberOrText } from '../../../api/read/record';
import { fieldKey } from '../../../api/schema/fields';
import type { FilePart } from '../../../api/values/formBody';
import { InputError } from '../../../api/values/inputError';
import type { FilePlace } from '../../../api/write/recordContent';
import { fileParts } from '../../filePart';
import { operation } from '../../operation';
import { recordParameter } from '../../parameters/record';
import { missingFile, uploadOptions } from '../../parameters/writeOptions';
import { savedRecordJson } from '../../savedRecord';
import { findFilePlace } from '../../../api/files/filePlaces';
import { schemaOf } from '../../../ui/sheet';
import { addFiles, replaceFiles } from './fileField';
import type { ItemContext } from '../../itemContext';

const fieldProperty: INodeProperties = {
	...pickList(
		'fieldId',
		'Field Name or ID',
		'getFields',
		'The file or image field; that of a subtable row as field_rowID, e.g. Photo_17.',
	),
	required: true,
};

/** The field for files that the item chose, of the record or of a row, by its name or its ID. */
const fieldParameter: Parameter<Promise<FilePlace>, ItemContext> = {
	properties: [fieldProperty],
	deferred: true,
	async parse(item) {
		const key = fieldKey(item.value(fieldProperty.name));
		if (key !== '') return await findFilePlace(schemaOf(item), key);
		throw new InputError("'Field Name or ID' is empty", 'Choose the field for the file.');
	},
};

const filesField = textParameter({
	displayName: 'Input Data Field Name',
	name: 'inputDataFieldName',
	type: 'string',
	required: true,
	default: 'data',
	description:
		'The name of the input field that holds the file. Several names with commas between upload several files.',
});

/** The files of the item to upload; none only where a missing one is to be skipped. */
const inputFilesParameter: Parameter<Promise<FilePart[]>, ItemContext> = {
	properties: filesField.properties,
	deferred: true,
	parse: async (item) => await fileParts(item, filesField.parse(item), missingFile.parse(item)),
};

export const upload = operation({
	value: 'upload',
	name: 'Upload',
	action: 'Upload a file',
	description:
		'Put files into a file or image field of a record, or of one of its rows, and return the record as saved',
	parameters: {
		record: recordParameter,
		place: fieldParameter,
		parts: inputFilesParameter,
		mode: choiceParameter({
			displayName: 'Upload Mode',
			name: 'uploadMode',
			type: 'options',
			options: [
				{ name: 'Add', value: 'add', description: 'Keep the files that the field holds' },
				{
					name: 'Replace',
					value: 'replace',
					description:
						'Empty the field first, in a request of its own. Refused where its value might be an e-mail address.',
				},
			],
			default: 'add',
			description: 'What becomes of the files that the field holds already',
		}),
		writing: uploadOptions,
	},
	async run(item, { record, place, parts, mode, writing }) {
		const _recordId = numberOrText(record.recordId);
		// Nothing is sent for an item whose missing files are skipped.
		if (parts.length === 0) return { _recordId, _fileNames: [], _action: 'skipped' };
		const target = { client: item.client, record, place, writing };
		const saved = await (mode === 'replace' ? replaceFiles : addFiles)(target, parts);
		const keys = { item, sheet: record.sheet, ...writing };
		return { ...(await savedRecordJson(keys, saved)), _fileNames: parts.map(({ name }) => name) };
	},
});
