import type { IDataObject } from 'n8n-workflow';
import { choiceParameter } from '../../../shared/parameter';
import { numberOrText } from '../../../wire/record';
import type { RecordAddress } from '../../../wire/sheetAddress';
import { operation } from '../../operation';
import { fieldParameter } from '../../parameters/field';
import { inputFilesParameter } from '../../parameters/inputFiles';
import { recordParameter } from '../../parameters/record';
import { uploadOptions } from '../../parameters/writeOptions';
import { savedRecordJson } from '../../savedRecord';
import { SheetFields } from '../../../shared/sheetFields';
import { addFiles, replaceFiles } from './fileField';

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
	async run({ item, client, record, place, parts, mode, writing }) {
		if (parts.length === 0) return skipped(record);
		const target = { client, record, place, writing };
		const saved =
			mode === 'replace'
				? await replaceFiles(target, new SheetFields(client, record.sheet), parts)
				: await addFiles(target, parts);
		const keys = { item, client, sheet: record.sheet, ...writing };
		return { ...(await savedRecordJson(keys, saved)), _fileNames: parts.map(({ name }) => name) };
	},
});

/** The item of a record for which there is no file, and to which nothing was sent. */
function skipped({ recordId }: RecordAddress): IDataObject {
	return { _recordId: numberOrText(recordId), _fileNames: [], _action: 'skipped' };
}
