import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** What an operation yields for one item; the run links each result to it. */
export type OperationResult = IDataObject | IDataObject[] | OutputItems;

/** Results with files, or with links of their own: those that came from several items together. */
export class OutputItems {
	constructor(readonly items: readonly INodeExecutionData[]) {}
}

/** Results and errors of items that were worked on together, by the items' numbers. Each is put out in its item's turn. */
export type ItemResults = Map<number, OperationResult | Error>;

/** In place of a result: nothing was done yet, and the item is to be run again after all others. */
export const postponed = Symbol('postponed');
export type Postponed = typeof postponed;

export type ItemOutcome = OperationResult | ItemResults | Postponed;

/** Returns the output of an item, linked to it. */
export function linkedItems(result: OperationResult, index: number): INodeExecutionData[] {
	const pairedItem = { item: index };
	if (result instanceof OutputItems) return result.items.map((item) => ({ pairedItem, ...item }));
	return [result].flat().map((json) => ({ json, pairedItem }));
}
