import type { INodeProperties } from 'n8n-workflow';
import { getOrInsert } from '../../api/json/objects';
import { nodeError } from '../../shared/nodeError';
import { parseParameters, propertiesOf, type Parameters } from '../../shared/parameters/parameter';
import type { Item, ItemContext } from './itemContext';
import type { ItemOutcome } from './operationResult';

/** Texts of an operation in the editor. */
export interface OperationTexts {
	/** Name in saved workflows. */
	value: string;
	/** Name in the list of operations. */
	name: string;
	/** Verb and resource, for the nodes panel. */
	action: string;
	description: string;
}

/** Definition of an operation. */
interface BatchDefinition<Values, Group> extends OperationTexts {
	parameters: Parameters<Values, ItemContext>;
	/** Adds the item to its batch, and returns the batch. Called for every item before the first `run` gets its batch. */
	group: (item: Item, values: Values) => Group | Promise<Group>;
	run: (item: Item, values: Values, group: () => Promise<Group>) => Promise<ItemOutcome>;
}

/** An operation with its properties in the editor. */
export interface Operation extends OperationTexts {
	properties: INodeProperties[];
	/** Called once with all items before the first one runs. Returns the function that runs one item. */
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
	definition: Omit<BatchDefinition<Values, undefined>, 'group'>,
): Operation {
	return batchOperation({ ...definition, group: () => undefined });
}

/** Returns an operation that groups all items into batches before the first item gets its batch. */
export function batchOperation<Values, Group>({
	parameters,
	group,
	run,
	...texts
}: BatchDefinition<Values, Group>): Operation {
	return {
		...texts,
		properties: propertiesOf(parameters),
		prepare(items) {
			const parsed = new Map<ItemContext, Promise<Values>>();
			const parse = async (item: ItemContext) =>
				await getOrInsert(parsed, item, async () => {
					return await parseParameters(parameters, await item.connected());
				});
			const groupOf = groupItems(items, async (item) => await group(item, await parse(item)));
			return async (item) => {
				const values = await parse(item);
				const running = run(item, values, async () => await groupOf(item));
				return await running.finally(() => parsed.delete(item));
			};
		},
	};
}

/**
 * Returns a function that returns the batch of an item, after `groupOf` was called for all items in order. If `groupOf` throws
 * for an item, that item fails when it runs. Without Continue On Fail, the run fails before anything is written.
 */
export function groupItems<Group>(
	items: readonly ItemContext[],
	groupOf: (item: ItemContext) => Promise<Group>,
): (item: ItemContext) => Promise<Group> {
	const groups = new Map<ItemContext, Promise<Group>>();
	const group = async (item: ItemContext) =>
		await getOrInsert(groups, item, async () => await groupOf(item));
	const prepare = async () => {
		for (const item of items) {
			const { context, index } = item;
			await group(item).catch((error: unknown) => {
				if (!context.continueOnFail()) throw nodeError(context.getNode(), error, index);
			});
		}
	};
	let prepared: Promise<void> | undefined;
	return async (item) => {
		await (prepared ??= prepare());
		return await group(item);
	};
}
