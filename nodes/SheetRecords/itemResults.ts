import type { OperationResult } from './operation';

/**
 * Results of items that were worked on together, by the numbers of the items, and the errors of those
 * that failed. Each is put out in its item's turn.
 */
export class ItemResults {
	constructor(readonly results: ReadonlyMap<number, OperationResult | Error>) {}
}
