import type { IBinaryKeyData } from 'n8n-workflow';
import { downloadStoredFile } from '../../../api/files/storedFiles';
import type { Parameter } from '../../../ui/parameter';
import { fileValuesOf, safeFileName, storedFileName } from '../../../api/values/fileNames';
import { operation } from '../../operation';
import { OutputItems } from '../../operationResult';
import { outputFieldParameter, storeFile } from '../../parameters/outputField';

const fileValuesParameter: Parameter<string[]> = {
	properties: [
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
	],
	parse: (item) => fileValuesOf(item.value('fileValue')),
};

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a file',
	description: 'Get the files of a file or image field',
	parameters: { fileValues: fileValuesParameter, outputField: outputFieldParameter },
	async run(item, { fileValues, outputField }) {
		const files: IBinaryKeyData = {};
		const names: string[] = [];
		for (const [index, fileValue] of fileValues.entries()) {
			const name = safeFileName(storedFileName(fileValue), 'file');
			// The second file goes into data_2, and so on.
			const field = index === 0 ? outputField : `${outputField}_${index + 1}`;
			files[field] = await downloadStoredFile(item.client, fileValue, async (file) => {
				return await storeFile(item, file, name);
			});
			names.push(name);
		}
		return new OutputItems([{ json: { fileNames: names }, binary: files }]);
	},
});
