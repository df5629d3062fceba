import type { Readable } from 'node:stream';
import type { IBinaryData } from 'n8n-workflow';
import { BinaryDataConfig, BinaryDataService, Container } from './core';

/** Where n8n keeps files: in its folder (the default of n8n 2) or inside the items, as base64. */
export type BinaryMode = 'filesystem' | 'default';

let ready: Promise<void> | undefined;

/** Changes where files are kept, for the whole process, from now on. */
export function useBinaryMode(mode: BinaryMode): Promise<void> {
	Container.get(BinaryDataConfig).mode = mode;
	ready = Container.get(BinaryDataService).init();
	return ready;
}

/** Has to be done before the engine can store a file. */
export function prepareBinaryStore(): Promise<void> {
	return ready ?? useBinaryMode('filesystem');
}

/** A file for the `binary` of an input item, stored as n8n would store it. */
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

/** Where a file lies on disk: for files that are too large to be read whole. */
export function binaryPath(binary: IBinaryData | undefined): string {
	if (!binary?.id) throw new Error('The file is not kept on disk');
	return Container.get(BinaryDataService).getPath(binary.id);
}
