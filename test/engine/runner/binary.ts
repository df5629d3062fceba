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
	content: Buffer | string,
	fileName: string,
	mimeType: string,
): Promise<IBinaryData> {
	await prepareBinaryStore();
	const buffer = Buffer.from(content);
	const extension = /\.([^.]+)$/.exec(fileName)?.[1];
	return await Container.get(BinaryDataService).store(
		{ type: 'execution', workflowId: 'input', executionId: 'input' },
		buffer,
		{ data: '', fileName, mimeType, fileExtension: extension },
	);
}

/** The content of a file, wherever it is kept. */
export async function readBinary(binary: IBinaryData | undefined): Promise<Buffer> {
	if (!binary) throw new Error('The item has no such file');
	await prepareBinaryStore();
	return await Container.get(BinaryDataService).getAsBuffer(binary);
}
