import type { IBinaryData } from 'n8n-workflow';
import type { FilePart } from '../../api/values/formBody';
import { InputError } from '../../api/values/inputError';
import { asSentence, verbatimText } from '../../api/values/text';
import { requireText } from '../../shared/parameters/settings';
import type { Item } from '../run/itemContext';

/**
 * Returns a file of an item as a form part. Its bytes are read once to their end, and again for each attempt. Throws InputError
 * if the item has no such file, or if n8n cannot read it.
 */
export async function filePart(item: Item, fieldName: string): Promise<FilePart> {
	const { context, index } = item;
	const binary = binaryOf(item, fieldName);
	if (!binary) {
		const names = Object.keys(context.getInputData()[index]?.binary ?? {});
		throw new InputError(
			`The item has no file in the input data field '${fieldName}'`,
			names.length > 0
				? `Binary data of this item: ${names.join(', ')}. Enter one of these names.`
				: 'This item has no binary data: the node before this one must output the file, e.g. HTTP Request. If n8n stores files in the JSON of items, enter a name such as _files.data.',
		);
	}
	return await binaryPart(item, binary, fieldName);
}

/**
 * Returns a file that n8n holds as a form part. Its bytes are read once to their end, and again for each attempt. Throws InputError
 * if n8n cannot read it.
 *
 * @param fieldName name of its input data field or field, for messages and for a file without a name
 */
export async function binaryPart(
	item: Item,
	binary: IBinaryData,
	fieldName: string,
): Promise<FilePart> {
	const { context } = item;
	// Control characters would break the header of the form part, and a backslash could escape its closing quote. Unpaired
	// surrogates cannot be encoded.
	const name = (verbatimText(binary.fileName) || fieldName).replace(
		/[\\\p{Cc}\p{Surrogate}]/gu,
		'_',
	);
	// A Code node may create a file without a type, or with values that are no texts.
	const type = (verbatimText(binary.mimeType) || 'application/octet-stream').replace(
		/\p{Cc}/gu,
		'',
	);
	const { id } = binary;
	if (id === undefined) {
		const bytes = contentOf(binary, fieldName);
		return { name, type, size: bytes.length, stream: () => oneChunk(bytes) };
	}
	const file = { id, name, fieldName };
	const openStreams = new Set<ReturnType<typeof context.helpers.getBinaryStream>>();
	// A stream that is still being opened is closed once it is open.
	const close = () =>
		openStreams.forEach(
			(opening) => void opening.then((stored) => stored.destroy()).catch(() => {}),
		);
	const size = await readableSize(item, file, storedChunks).finally(close);
	return { name, type, size, stream: uploadedChunks, close };

	async function* storedChunks(): AsyncGenerator<Uint8Array> {
		const opening = context.helpers.getBinaryStream(file.id);
		openStreams.add(opening);
		for await (const chunk of await opening) {
			yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
		}
		openStreams.delete(opening);
	}

	async function* uploadedChunks(): AsyncGenerator<Uint8Array> {
		try {
			yield* storedChunks();
		} catch (error) {
			throw storageError(error, file, 'The upload was not completed');
		}
	}
}

/** Returns the bytes of a file that n8n holds in its item. Throws InputError if it has none, as a file that a Code node made may. */
function contentOf({ data }: { data: unknown }, fieldName: string): Buffer {
	if (typeof data === 'string') return Buffer.from(data, 'base64');
	if (Buffer.isBuffer(data)) return data;
	throw new InputError(
		`The file in the input data field '${fieldName}' has no content`,
		'In a Code node, use this.helpers.prepareBinaryData.',
	);
}

/** A file in n8n's own storage of binary data. */
interface StoredByN8n {
	id: string;
	name: string;
	fieldName: string;
}

/**
 * Reads a file of n8n's storage to its end, because nothing may be sent or emptied for a file that cannot be read. Returns its
 * size in bytes. Throws InputError if the file is missing, shorter or longer than n8n has stored it, or not readable.
 */
async function readableSize(
	{ client, context }: Item,
	file: StoredByN8n,
	stream: FilePart['stream'],
): Promise<number> {
	const metadata = await context.helpers.getBinaryMetadata(file.id).catch((error: unknown) => {
		throw storageError(error, file, nothingSent);
	});
	let size = 0;
	try {
		for await (const chunk of stream()) {
			client.signal?.throwIfAborted();
			size += chunk.length;
		}
	} catch (error) {
		client.signal?.throwIfAborted();
		throw storageError(error, file, nothingSent);
	}
	const { fileSize = size } = metadata;
	if (size === fileSize) return size;
	throw new InputError(
		`n8n's storage has ${size} of the ${fileSize} bytes of the file '${file.name}'. ${nothingSent}`,
		'Run the node that made the file again.',
	);
}

const nothingSent = 'Nothing was sent';

/** Returns the error for a file that n8n's storage has lost or cannot read. It says what happened to the item. */
function storageError(error: unknown, file: StoredByN8n, outcome: string): InputError {
	const { code, message, name } = Object(error);
	const isLost = /ENOENT|NotFound|NoSuchKey|not found/i.test(`${code} ${name} ${message}`);
	return isLost
		? new InputError(
				`n8n's storage has no file for '${file.fieldName}' of this item any more. Run the node that made it again`,
				`${outcome}. The file is '${file.name}'.`,
			)
		: new InputError(
				`n8n could not read the file '${file.name}' from its own storage. ${outcome}`,
				`The reason: ${asSentence(String(message))} Check n8n's storage of binary data, then run the workflow again.`,
			);
}

/** Returns the files of input data fields. Throws InputError without names and for a missing file, or skips it with a hint. */
export async function fileParts(
	item: Item,
	named: readonly string[],
	whenMissing: 'error' | 'skip' = 'error',
): Promise<FilePart[]> {
	const hasFile = (name: string) => binaryOf(item, name) !== undefined;
	const names = whenMissing === 'skip' ? named.filter(hasFile) : named;
	if (named.length === 0 && whenMissing === 'error') requireText('', 'Input Data Field Name');
	if (names.length < named.length || named.length === 0) {
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
