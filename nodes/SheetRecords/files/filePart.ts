import type { IBinaryData } from 'n8n-workflow';
import type { FilePart } from '../../api/values/formBody';
import { InputError } from '../../api/values/inputError';
import type { Item } from '../run/itemContext';

/** Returns a file of an item as a form part. Its bytes are read again for each attempt. Throws InputError if the item has no such file. */
export async function filePart(item: Item, fieldName: string): Promise<FilePart> {
	const { context, index } = item;
	const binary = binaryOf(item, fieldName);
	if (!binary) {
		const names = Object.keys(context.getInputData()[index]?.binary ?? {});
		throw new InputError(
			`The item has no file in the input data field '${fieldName}'`,
			names.length > 0
				? `Binary data of this item: ${names.join(', ')}. Enter one of these names.`
				: 'This item has no binary data. If n8n stores files in the JSON of items, enter a name such as _files.data.',
		);
	}
	return await binaryPart(item, binary, fieldName);
}

/** Returns a file that n8n holds as a form part. Its bytes are read again for each attempt. */
export async function binaryPart(
	{ context }: Pick<Item, 'context'>,
	binary: IBinaryData,
	defaultName: string,
): Promise<FilePart> {
	// Control characters would break the header of the form part, and a backslash could escape its closing quote. Unpaired
	// surrogates cannot be encoded.
	const name = (binary.fileName || defaultName).replace(/[\\\p{Cc}\p{Surrogate}]/gu, '_');
	// A Code node may create a file without a type.
	const type = (binary.mimeType || 'application/octet-stream').replace(/\p{Cc}/gu, '');
	const { id } = binary;
	if (id === undefined) {
		const bytes = Buffer.from(binary.data, 'base64');
		return { name, type, size: bytes.length, stream: () => oneChunk(bytes) };
	}
	const { fileSize } = await context.helpers.getBinaryMetadata(id);
	const openStreams = new Set<ReturnType<typeof context.helpers.getBinaryStream>>();
	// A stream that is still being opened is closed once it is open.
	const close = () =>
		openStreams.forEach(
			(opening) => void opening.then((stored) => stored.destroy()).catch(() => {}),
		);
	return { name, type, size: fileSize, stream: () => storedChunks(id), close };

	async function* storedChunks(binaryId: string): AsyncGenerator<Uint8Array> {
		const opening = context.helpers.getBinaryStream(binaryId);
		openStreams.add(opening);
		for await (const chunk of await opening) {
			yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
		}
		openStreams.delete(opening);
	}
}

/** Returns the files of comma-separated input data fields. Throws InputError for a missing file, or skips it with a hint. */
export async function fileParts(
	item: Item,
	fieldNames: string,
	whenMissing: 'error' | 'skip' = 'error',
): Promise<FilePart[]> {
	const named = fieldNames.split(',').map((name) => name.trim());
	const hasFile = (name: string) => binaryOf(item, name) !== undefined;
	const names = whenMissing === 'skip' ? named.filter(hasFile) : named;
	if (names.length < named.length) {
		item.run.hints.warnings.add(
			"Items without a file in a given input data field were written without that file, because 'Missing File' is set to Skip.",
		);
	}
	return await Promise.all(names.map(async (name) => await filePart(item, name)));
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

/** Returns the file of an input data field; undefined if it does not exist. n8n stores files in `binary` or, since 2.41 as an option, in `_files`. */
function binaryOf({ context, index }: Item, fieldName: string): IBinaryData | undefined {
	try {
		return context.helpers.assertBinaryData(index, fieldName);
	} catch {
		return undefined;
	}
}
