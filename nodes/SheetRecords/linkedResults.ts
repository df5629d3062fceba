import type { IDataObject } from 'n8n-workflow';

/** Results that came from several items together; each is linked to all of them. */
export class LinkedResults {
	/** @param itemIndexes numbers of the items */
	constructor(
		readonly json: readonly IDataObject[],
		readonly itemIndexes: readonly number[],
	) {}
}
