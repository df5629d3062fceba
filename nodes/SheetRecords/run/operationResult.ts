import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** Result of an operation for one item. The run links it to the item. */
export type OperationResult = IDataObject | IDataObject[] | OutputItems;

/** Output items with files or with their own `pairedItem`, such as the common results of several items. */
export class OutputItems {
	constructor(readonly items: readonly INodeExecutionData[]) {}
}

/** Results and errors of a batch, by item index. Each is returned when its item runs. */
export type ItemResults = Map<number, OperationResult | Error>;

/** Returned instead of a result if the item can only be decided after all other items. */
export class Deferred {
	/** @param finish is called after all other items, and returns the result */
	constructor(readonly finish: () => Promise<Deferred | OperationResult>) {}
}

export type ItemOutcome = OperationResult | ItemResults | Deferred;

/** Returns the output of an item, linked to it. */
export function linkedItems(result: OperationResult, index: number): INodeExecutionData[] {
	const pairedItem = { item: index };
	if (result instanceof OutputItems) return result.items.map((item) => ({ pairedItem, ...item }));
	return [result].flat().map((json) => ({ json, pairedItem }));
}
