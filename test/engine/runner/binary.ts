import type { Readable } from 'node:stream';
import type { IBinaryData } from 'n8n-workflow';
import { BinaryDataConfig, BinaryDataService, Container } from './core';

/** Storage of binary data in n8n: in its folder (the default of n8n 2), or as base64 in the items. */
export type BinaryMode = 'filesystem' | 'default';

let ready: Promise<void> | undefined;

/** Sets the storage of binary data for the rest of the process. */
export function useBinaryMode(mode: BinaryMode): Promise<void> {
	Container.get(BinaryDataConfig).mode = mode;
	ready = Container.get(BinaryDataService).init();
	return ready;
}

/** Prepares the storage. Call it before the engine stores a file. */
export function prepareBinaryStore(): Promise<void> {
	return ready ?? useBinaryMode('filesystem');
}

/** Returns a file for the `binary` property of an input item, stored like in n8n. */
export async function makeBinary(
	content: Buffer | string | Readable,
	fileName: string,
	mimeType: string,
): Promise<IBinaryData> {
	await prepareBinaryStore();
	const extension = /\.([^.]+)$/.exec(fileName)?.[1];
	return await Container.get(BinaryDataService).store(
		{ type: 'execution', workflowId: 'input', executionId: 'input' },
		typeof content === 'string' ? Buffer.from(content) : content,
		{ data: '', fileName, mimeType, fileExtension: extension },
	);
}

export async function readBinary(binary: IBinaryData | undefined): Promise<Buffer> {
	if (!binary) throw new Error('The item has no such file');
	await prepareBinaryStore();
	return await Container.get(BinaryDataService).getAsBuffer(binary);
}

/** Returns the path of a stored file, for files that are too large to read at once. */
export function binaryPath(binary: IBinaryData | undefined): string {
	if (!binary?.id) throw new Error('The file is not kept on disk');
	return Container.get(BinaryDataService).getPath(binary.id);
}
