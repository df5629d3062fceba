import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

/** What an operation yields for one item; the loop links each result to it. */
export type OperationResult = IDataObject | IDataObject[] | FileResult | LinkedResults;

/** A result with files. */
export class FileResult {
	constructor(
		readonly json: IDataObject,
		readonly files: IBinaryKeyData,
	) {}
}

/** A result that came from several items together; it is linked to all of them. */
export interface LinkedResult {
	json: IDataObject;
	itemIndexes: readonly number[];
}

/** Results of a run for several items at once. */
export class LinkedResults {
	constructor(readonly results: readonly LinkedResult[]) {}
}

/**
 * Results of items that were worked on together, by the numbers of the items, and the errors of those
 * that failed. Each is put out in its item's turn.
 */
export class ItemResults {
	constructor(readonly results: ReadonlyMap<number, OperationResult | Error>) {}
}
