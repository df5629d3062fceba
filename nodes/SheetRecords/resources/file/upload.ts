import type { INodeProperties } from 'n8n-workflow';
import { sheetParameter } from '../../../editor/sheet';
import type { Client } from '../../../service/client';
import { getRecord, updateRecord } from '../../../service/records';
import type { RecordFile, SavedRecord } from '../../../service/records';
import { outcomeIsUnknown } from '../../../service/retry';
import { apiVersion } from '../../../wire/apiVersion';
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
			description: 'What becomes of the files that the field holds already',
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
	await expectFiles(target);
	const cleared = { ...noChanges(), fields: new Map([[fieldId, '']]) };
	await updateRecord(client, sheet, recordId, cleared, [], parameters);
	return await addFiles(target, files).catch((error: unknown) => {
		throw error instanceof ServiceError ? afterClearing(error, fieldId) : error;
	});
}

/**
 * Looks at the field before it is emptied: if it is none for files, its value would be lost and the
 * upload refused.
 */
async function expectFiles({ client, sheet, recordId, fieldId }: Target): Promise<void> {
	const record = await getRecord(client, sheet, recordId, [
		['naming', 'EID'],
		['subtables', 0],
		['version', apiVersion],
	]);
	if (!record) throw inputError(`There is no record ${recordId} on the sheet`);
	const value = record.content.get(fieldId) ?? '';
	const values = Array.isArray(value) ? value : [value];
	if (values.every((file) => file === '' || (typeof file === 'string' && file.includes('@'))))
		return;
	throw inputError(
		`The field ${fieldId} holds something else than files, so it was not emptied`,
		'Choose a file or image field.',
	);
}

function afterClearing(error: ServiceError, fieldId: string): ServiceError {
	const { message, description } = error.details;
	const outcome = outcomeIsUnknown(error)
		? `The files of the field ${fieldId} were removed, and it is not known whether the new ones were uploaded`
		: `The field ${fieldId} is now empty: its files were removed, but the new ones were not uploaded`;
	return new ServiceError({
		...error.details,
		message: `${outcome}. ${message}`,
		description: `${description ?? ''} Run the upload again if they are missing.`.trim(),
	});
}
