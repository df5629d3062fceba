/** What a process of its own is to do, so that its memory is the node's and nobody else's. */
export interface TransferTask {
	direction: 'download' | 'upload' | 'list';
	client: 'node' | 'plain';
	baseUrl: string;
	account: string;
	apiKey: string;
	/** Bytes of the large file. */
	size: number;
	/** The stored values of a small and of the large file. */
	smallFile: string;
	largeFile: string;
	/** The record, and the field of it, to upload to. */
	recordPath: string;
	sheetPath: string;
	recordId: string;
	fieldId: string;
}

export interface TransferReport {
	milliseconds: number;
	/** How far the memory of the process grew above what it was after a first small file. */
	growthMegabytes: number;
}
