import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

/** A result with files. */
export class FileResult {
	constructor(
		readonly json: IDataObject,
		readonly files: IBinaryKeyData,
	) {}
}
