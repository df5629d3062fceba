import type { INodeProperties } from 'n8n-workflow';
import { sheetParameter } from '../../../editor/sheet';
import type { Client } from '../../../service/client';
import { updateRecord } from '../../../service/records';
import type { RecordFile, SavedRecord } from '../../../service/records';
import type { QueryParameter } from '../../../wire/query';
import { noChanges } from '../../../wire/recordChanges';
import { inputError, ServiceError } from '../../../wire/serviceError';
import type { SheetAddress } from '../../../wire/sheetAddress';
import { filePart } from '../../binary';
import type { ItemParameters } from '../../itemParameters';
import type { Operation } from '../../operation';
import { readRecordId, recordIdParameter } from '../../parameters/recordId';
import { plainWriteOptions, writeParameters } from '../../parameters/writeOptions';
import { savedRecordJson } from '../../savedRecord';
import { SheetFields } from '../../sheetFields';

const fieldParameter: INodeProperties = {
	displayName: 'Field Name or ID',
	name: 'fieldId',
	type: 'options',
	required: true,
	typeOptions: {
		loadOptionsMethod: 'getFields',
		loadOptionsDependsOn: ['sheet.value', 'authentication'],
	},
	default: '',
	description:
		'The file or image field. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

export const upload: Operation = {
	value: 'upload',
	name: 'Upload',
	action: 'Upload a file',
	description: 'Put files into a file or image field of a record',
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
					description: 'Empty the field first, in a request of its own',
				},
			],
			default: 'add',
		},
		plainWriteOptions,
	],
	async run({ item, client }) {
		const sheet = item.sheet(client.connection);
		const recordId = readRecordId(item, client.connection, sheet);
		const key = item.text('fieldId');
		if (key === '')
			throw inputError("'Field Name or ID' is empty", 'Choose the field for the file.');
		const { fieldId } = await new SheetFields(client, sheet).find(key);
		const files = await readFiles(item, fieldId);
		const parameters = writeParameters(item);
		const target = { client, sheet, recordId, fieldId, parameters };
		const saved =
			item.text('uploadMode') === 'replace'
				? await replaceFiles(target, files)
				: await addFiles(target, files);
		return { ...savedRecordJson(saved), _fileNames: files.map(({ file }) => file.name) };
	},
};

interface Target {
	client: Client;
	sheet: SheetAddress;
	recordId: string;
	fieldId: string;
	parameters: QueryParameter[];
}

async function readFiles(item: ItemParameters, fieldId: string): Promise<RecordFile[]> {
	const names = item
		.text('inputDataFieldName')
		.split(',')
		.map((name) => name.trim());
	return await Promise.all(
		names.map(async (name) => ({ fieldId, file: await filePart(item, name) })),
	);
}

async function addFiles(
	{ client, sheet, recordId, parameters }: Target,
	files: RecordFile[],
): Promise<SavedRecord> {
	return await updateRecord(client, sheet, recordId, noChanges(), files, parameters);
}

/** The service adds files to a field, so it is emptied first; there is no way to do both at once. */
async function replaceFiles(target: Target, files: RecordFile[]): Promise<SavedRecord> {
	const { client, sheet, recordId, fieldId, parameters } = target;
	const cleared = { ...noChanges(), fields: new Map([[fieldId, '']]) };
	await updateRecord(client, sheet, recordId, cleared, [], parameters);
	return await addFiles(target, files).catch((error: unknown) => {
		if (!(error instanceof ServiceError)) throw error;
		const { message, description } = error.details;
		throw new ServiceError({
			...error.details,
			message: `The field ${fieldId} is now empty: its files were removed, but the new ones were not uploaded. ${message}`,
			description: `Run the upload again. ${description ?? ''}`.trim(),
		});
	});
}
