import type { INodeProperties } from 'n8n-workflow';
import { sheetParameter } from '../../../shared/sheet';
import type { RecordFile } from '../../../service/records';
import { fieldKey } from '../../../wire/fields';
import { InputError } from '../../../wire/inputError';
import { filePart } from '../../filePart';
import type { ItemParameters } from '../../itemParameters';
import type { Operation } from '../../operation';
import { pickList } from '../../parameters/pickList';
import { readRecordAddress, recordIdParameter } from '../../parameters/recordId';
import { plainWriteOptions, writeParameters } from '../../parameters/writeOptions';
import { savedRecordJson } from '../../savedRecord';
import { SheetFields } from '../../sheetFields';
import { addFiles, replaceFiles } from './fileField';

const fieldParameter: INodeProperties = {
	...pickList('fieldId', 'Field Name or ID', 'getFields', 'The file or image field.'),
	required: true,
};

export const upload: Operation = {
	value: 'upload',
	name: 'Upload',
	action: 'Upload a file',
	description:
		'Put files into a file or image field of a record and return the record as saved, by field IDs',
	parameters: [
		sheetParameter,
		recordIdParameter,
		fieldParameter,
		{
			displayName: 'Input Data Field Name',
			name: 'inputDataFieldName',
			type: 'string',
			required: true,
			default: 'data',
			description:
				'The name of the input field that holds the file. Several names with commas between upload several files.',
		},
		{
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
		},
		plainWriteOptions,
	],
	async run({ item, client }) {
		const record = readRecordAddress(item, client.connection);
		const key = fieldKey(item.value('fieldId'));
		if (key === '')
			throw new InputError("'Field Name or ID' is empty", 'Choose the field for the file.');
		const mode = item.choice('uploadMode', 'Upload Mode', ['add', 'replace']);
		const parameters = writeParameters(item);
		const sheetFields = new SheetFields(client, record.sheet);
		const { fieldId } = await sheetFields.find(key);
		const files = await readFiles(item, fieldId);
		const target = { client, record, fieldId, parameters };
		const saved =
			mode === 'replace'
				? await replaceFiles(target, sheetFields, files)
				: await addFiles(target, files);
		return { ...savedRecordJson(saved), _fileNames: files.map(({ file }) => file.name) };
	},
};

async function readFiles(item: ItemParameters, fieldId: string): Promise<RecordFile[]> {
	const names = item
		.text('inputDataFieldName')
		.split(',')
		.map((name) => name.trim());
	return await Promise.all(
		names.map(async (name) => ({ fieldId, file: await filePart(item, name) })),
	);
}
