import type { INodeProperties } from 'n8n-workflow';
import { getOrInsert } from '../../api/json/objects';
import { nodeError } from '../../shared/nodeError';
import { parseParameters, propertiesOf, type Parameters } from '../../shared/parameters/parameter';
import type { Item, ItemContext } from './itemContext';
import type { ItemOutcome } from './operationResult';

/** What the editor shows of an operation. */
export interface OperationTexts {
	/** Name in saved workflows. */
	value: string;
	/** Name in the list of operations. */
	name: string;
	/** Verb and resource, for the nodes panel. */
	action: string;
	description: string;
	/** Set if the operation sends a write request for each item, so that the editor tells how long many items take. */
	writesEachItem?: true;
}

/** Definition of an operation. */
interface BatchDefinition<Values, Batch> extends OperationTexts {
	parameters: Parameters<Values, ItemContext>;
	/** Adds the item to its batch, and returns the batch. Called for every item as soon as a `run` asks for its batch. */
	addToBatch: (item: Item, values: Values) => Batch | Promise<Batch>;
	run: (item: Item, values: Values, getBatch: () => Promise<Batch>) => Promise<ItemOutcome>;
}

/** An operation with its properties in the editor. */
export interface Operation extends OperationTexts {
	properties: INodeProperties[];
	/**
	 * Called once, before the first item runs, with all items that an earlier attempt of Retry On Fail has not settled. Returns
	 * the function that runs one item.
	 */
	prepare: (items: readonly ItemContext[]) => (item: ItemContext) => Promise<ItemOutcome>;
}

/** A resource and its operations. The description of the node is generated from it. */
export interface Resource {
	value: string;
	name: string;
	description: string;
	defaultOperation: Operation;
	operations: Operation[];
}

/** Returns an operation that runs each item by itself. */
export function operation<Values>(
	definition: Omit<BatchDefinition<Values, undefined>, 'addToBatch'>,
): Operation {
	return batchOperation({ ...definition, addToBatch: () => undefined });
}

/** Returns an operation that adds all items to their batches when the first item asks for its batch. */
export function batchOperation<Values, Batch>({
	parameters,
	addToBatch,
	run,
	...texts
}: BatchDefinition<Values, Batch>): Operation {
	return {
		...texts,
		properties: propertiesOf(parameters),
		prepare(items) {
			const parsed = new Map<ItemContext, Promise<Values>>();
			const parse = async (item: ItemContext) =>
				await getOrInsert(parsed, item, async () => {
					return await parseParameters(parameters, await item.connected());
				});
			const batchOf = assignBatches(
				items,
				async (item) => await addToBatch(item, await parse(item)),
			);
			return async (item) => {
				const values = await parse(item);
				const running = run(item, values, async () => await batchOf(item));
				return await running.finally(() => parsed.delete(item));
			};
		},
	};
}

/**
 * Returns a function that returns the batch of an item. Its first call calls `addToBatch` for all items in order. With Continue
 * On Fail, an item for which it throws fails when it runs. Without it, the first error ends the run before anything is written.
 */
export function assignBatches<Batch>(
	items: readonly ItemContext[],
	addToBatch: (item: ItemContext) => Promise<Batch>,
): (item: ItemContext) => Promise<Batch> {
	const batches = new Map<ItemContext, Promise<Batch>>();
	const batchOf = async (item: ItemContext) =>
		await getOrInsert(batches, item, async () => await addToBatch(item));
	const prepare = async () => {
		for (const item of items) {
			const { context, index, run } = item;
			await run.beforeItem();
			await batchOf(item).catch((error: unknown) => {
				if (!context.continueOnFail()) throw nodeError(context.getNode(), error, index);
			});
		}
	};
	let prepared: Promise<void> | undefined;
	return async (item) => {
		await (prepared ??= prepare());
		return await batchOf(item);
	};
}
