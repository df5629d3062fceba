import type { IBinaryKeyData } from 'n8n-workflow';
import { downloadStoredFile } from '../../../service/storedFiles';
import { safeFileName, storedFileName } from '../../../wire/fileName';
import { FileResult } from '../../operationResult';
import type { Operation } from '../../operation';
import { outputFieldParameter, readOutputField } from '../../parameters/outputField';
import { storeFile } from '../../storeFile';
import { fileValuesOf } from '../../../wire/fileValues';

export const download: Operation = {
	value: 'download',
	name: 'Download',
	action: 'Download a file',
	description: 'Get the files of a file or image field',
	parameters: [
		{
			displayName: 'File Value',
			name: 'fileValue',
			type: 'string',
			required: true,
			placeholder: 'e.g. {{ $json.Contract }}',
			default: '',
			description:
				'The whole value of a file field as a record holds it, such as kq2Ab@contract.pdf, or an array of them',
		},
		outputFieldParameter,
	],
	async run({ item, client }) {
		const fileValues = fileValuesOf(item.value('fileValue'));
		const outputField = readOutputField(item);
		const files: IBinaryKeyData = {};
		const names: string[] = [];
		for (const [index, fileValue] of fileValues.entries()) {
			const name = safeFileName(storedFileName(fileValue), 'file');
			// The second file goes into data_2, and so on.
			const field = index === 0 ? outputField : `${outputField}_${index + 1}`;
			files[field] = await downloadStoredFile(client, fileValue, async (file) => {
				return await storeFile(item, file, name);
			});
			names.push(name);
		}
		return new FileResult({ fileNames: names }, files);
	},
};
