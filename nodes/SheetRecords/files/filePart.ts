import type { IBinaryData } from 'n8n-workflow';
import type { FilePart } from '../../api/values/formBody';
import { InputError } from '../../api/values/inputError';
import type { Item } from '../run/itemContext';

/** Returns a file of the item as a part of a form; its bytes are read again for each attempt. Throws InputError when there is none. */
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
	// Control characters would break the head of the form's part, and a backslash may hide its closing
	// quote; halves of characters have no bytes.
	const name = (binary.fileName || fieldName).replace(/[\\\p{Cc}\p{Surrogate}]/gu, '_');
	// A Code node may leave it out.
	const type = (binary.mimeType || 'application/octet-stream').replace(/\p{Cc}/gu, '');
	const { id } = binary;
	if (id === undefined) {
		const bytes = Buffer.from(binary.data, 'base64');
		return { name, type, size: bytes.length, stream: () => oneChunk(bytes) };
	}
	const { fileSize } = await context.helpers.getBinaryMetadata(id);
	const open = new Set<ReturnType<typeof context.helpers.getBinaryStream>>();
	// One that is still being opened is closed as soon as it is.
	const close = () =>
		open.forEach((opening) => void opening.then((stored) => stored.destroy()).catch(() => {}));
	return { name, type, size: fileSize, stream: () => storedChunks(id), close };

	async function* storedChunks(binaryId: string): AsyncGenerator<Uint8Array> {
		const opening = context.helpers.getBinaryStream(binaryId);
		open.add(opening);
		for await (const chunk of await opening) {
			yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
		}
		open.delete(opening);
	}
}

/** Returns the files in the named fields, with commas between. Those that are missing are an error, or skipped, with a hint at the end of the run. */
export async function fileParts(
	item: Item,
	fieldNames: string,
	whenMissing: 'error' | 'skip' = 'error',
): Promise<FilePart[]> {
	const named = fieldNames.split(',').map((name) => name.trim());
	const isThere = (name: string) => binaryOf(item, name) !== undefined;
	const names = whenMissing === 'skip' ? named.filter(isThere) : named;
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

/** n8n keeps files beside the fields of an item or, since 2.41 on request, among them under `_files`. */
function binaryOf({ context, index }: Item, fieldName: string): IBinaryData | undefined {
	try {
		return context.helpers.assertBinaryData(index, fieldName);
	} catch {
		return undefined;
	}
}
