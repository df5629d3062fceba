import type { INodeProperties } from 'n8n-workflow';
import { getOrInsert } from '../api/json/objects';
import { nodeError } from '../ui/nodeError';
import { parseParameters, propertiesOf, type Parameters } from '../ui/parameter';
import type { Item, ItemContext } from './itemContext';
import type { ItemResults, OperationResult, Postponed } from './operationResult';

/** Works on one item with the values of its parameters. When it works on others with it, it returns the results of all of them. */
export type RunItem<Values> = (
	item: Item,
	values: Values,
) => Promise<OperationResult | ItemResults | Postponed>;

/** What the user sees of an operation beside its parameters. */
export interface OperationTexts {
	/** Its name in saved workflows. */
	value: string;
	/** Its name in the list of operations. */
	name: string;
	/** Verb and resource, for the nodes panel. */
	action: string;
	description: string;
}

/** An operation that runs once for each item, in their order. It gets the parameters that it lists as values. */
interface ItemOperation<Values> extends OperationTexts {
	parameters: Parameters<Values, ItemContext>;
	run: RunItem<Values>;
}

/** An operation that keeps something over the items, or looks at all of them before the first one runs. */
interface BatchOperation<Values> extends OperationTexts {
	parameters: Parameters<Values, ItemContext>;
	/** Called once; returns what runs for each item. */
	prepare: (group: GroupItems<Values>) => RunItem<Values>;
}

/** Prepares what items do together, as `groupItems` does, with the values of their parameters. */
export type GroupItems<Values> = <Group>(
	groupOf: (item: Item, values: Values) => Group,
) => (item: Item, values: Values) => Promise<Group>;

/** Everything of one operation: what the user sees, then what happens. */
export interface Operation extends OperationTexts {
	properties: INodeProperties[];
	/** Called once with all items before the first of them runs; returns what runs for each. */
	prepare: (
		items: readonly ItemContext[],
	) => (item: ItemContext) => Promise<OperationResult | ItemResults | Postponed>;
}

/** A resource and its operations; the description and `execute` are both made from it. */
export interface Resource {
	value: string;
	name: string;
	description: string;
	defaultOperation: Operation;
	operations: Operation[];
}

export function operation<Values>({ run, ...others }: ItemOperation<Values>): Operation {
	return batchOperation({ ...others, prepare: () => run });
}

export function batchOperation<Values>({
	parameters,
	prepare,
	...texts
}: BatchOperation<Values>): Operation {
	return {
		...texts,
		properties: propertiesOf(parameters),
		prepare(items) {
			const parsed = new Map<ItemContext, Promise<Values>>();
			const parse = async (item: ItemContext) =>
				await getOrInsert(parsed, item, async () => {
					return await parseParameters(parameters, await item.connected());
				});
			const run = prepare((groupOf) => groupItems(items, parse, groupOf));
			return async (item) => {
				const values = await parse(item);
				return await run(item, values).finally(() => parsed.delete(item));
			};
		},
	};
}

/**
 * Puts items into groups before the first of them runs, in their order. An item that cannot be parsed fails in its own
 * turn or, where it ends the run, before anything is done.
 *
 * @param groupOf adds an item to its group and returns the group
 * @returns what returns the group of an item
 */
export function groupItems<Given extends Item, Source extends Given, Wanted, Group>(
	items: readonly Source[],
	parse: (item: Source) => Promise<Wanted>,
	groupOf: (item: Given, wanted: Wanted) => Group,
): (item: Given, wanted: Wanted) => Promise<Group> {
	let prepared: Promise<Map<Item, { group: Group }>> | undefined;
	async function prepare(): Promise<Map<Item, { group: Group }>> {
		const groups = new Map<Item, { group: Group }>();
		for (const item of items) {
			try {
				groups.set(item, { group: groupOf(item, await parse(item)) });
			} catch (error) {
				const { context, index } = item;
				if (!context.continueOnFail()) throw nodeError(context.getNode(), error, index);
			}
		}
		return groups;
	}
	return async (item, wanted) => {
		const groups = await (prepared ??= prepare());
		const own = groups.get(item);
		return own ? own.group : groupOf(item, wanted);
	};
}
