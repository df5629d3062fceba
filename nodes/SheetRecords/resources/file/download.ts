import type { IBinaryKeyData } from 'n8n-workflow';
import { downloadStoredFile } from '../../../service/storedFiles';
import { safeFileName, storedFileName } from '../../../wire/fileName';
import { inputError } from '../../../wire/serviceError';
import { FileResult } from '../../fileResult';
import type { ItemParameters } from '../../itemParameters';
import type { Operation } from '../../operation';
import { outputFieldParameter, readOutputField } from '../../parameters/outputField';
import { storeFile } from '../../storeFile';

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
		const fileValues = readFileValues(item);
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

/**
 * The values of the files to fetch; empty elements, which the service puts in front, are skipped.
 *
 * @throws ServiceError of kind `input` when there is none, or one that is no file value
 */
function readFileValues(item: ItemParameters): string[] {
	const value: unknown = item.value('fileValue');
	const values = (Array.isArray(value) ? value : [value])
		.map((element) => (typeof element === 'string' ? element : ''))
		.filter((element) => element !== '');
	const wrong = values.find((element) => !element.includes('@'));
	if (wrong !== undefined) {
		throw inputError(
			`'${wrong}' is not the value of a file field`,
			'It has the form prefix@name, as a record holds it.',
		);
	}
	if (values.length > 0) return values;
	throw inputError("'File Value' is empty", 'The record may hold no file in this field.');
}
