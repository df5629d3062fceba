import type { FilePart } from '../wire/formBody';
import { inputError } from '../wire/serviceError';
import type { ItemParameters } from './itemParameters';

/**
 * A file of the item as a part of a form. Its bytes are read when the form is sent, again for each
 * attempt, and never held whole when n8n keeps them on disk.
 *
 * @throws ServiceError of kind `input` when the item has no such file
 */
export async function filePart(
	{ context, index }: ItemParameters,
	fieldName: string,
): Promise<FilePart> {
	const item = context.getInputData()[index];
	const names = Object.keys(item?.binary ?? {});
	if (fieldName === '' || (item?.binary && !names.includes(fieldName)) || !item?.binary) {
		throw inputError(
			`The item has no file in the input data field '${fieldName}'`,
			names.length > 0
				? `Its files are in ${names.map((name) => `'${name}'`).join(', ')}.`
				: 'It has no files.',
		);
	}
	const binary = context.helpers.assertBinaryData(index, fieldName);
	const name = binary.fileName ?? fieldName;
	const type = binary.mimeType;
	const { id } = binary;
	if (id === undefined) {
		const bytes = Buffer.from(binary.data, 'base64');
		return { name, type, size: bytes.length, stream: () => oneChunk(bytes) };
	}
	const { fileSize } = await context.helpers.getBinaryMetadata(id);
	return { name, type, size: fileSize, stream: () => storedChunks(id) };

	async function* storedChunks(binaryId: string): AsyncGenerator<Uint8Array> {
		for await (const chunk of await context.helpers.getBinaryStream(binaryId)) {
			yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
		}
	}
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}
