import type { IDataObject } from 'n8n-workflow';

/** A result that came from several items together; it is linked to all of them. */
export interface LinkedResult {
	json: IDataObject;
	/** Numbers of the items. */
	itemIndexes: readonly number[];
}

/** Results of a run for several items at once. */
export class LinkedResults {
	constructor(readonly results: readonly LinkedResult[]) {}
}
