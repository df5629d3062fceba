import type { INodeProperties } from 'n8n-workflow';
import { parseAnyParameters, propertiesOf, type AnyParameters } from '../ui/parameter';
import { groupItems } from './groupItems';
import type { Item, ItemContext } from './itemContext';
import type { ItemResults, OperationResult } from './operationResult';
import { getOrInsert } from '../api/json/objects';

/** Works on one item with the values of its parameters. When it works on others with it, it returns the results of all of them. */
export type RunItem<Values> = (
	item: Item,
	values: Values,
) => Promise<OperationResult | ItemResults>;

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

/** Everything of one operation: what the user sees, then what happens. */
export interface Operation extends OperationTexts {
	properties: INodeProperties[];
	/** Called once with all items before the first of them runs; returns what runs for each. */
	prepare: (
		items: readonly ItemContext[],
	) => (item: ItemContext) => Promise<OperationResult | ItemResults>;
}

/** A resource and its operations; the description and `execute` are both made from it. */
export interface Resource {
	value: string;
	name: string;
	description: string;
	defaultOperation: Operation;
	operations: Operation[];
}

/** An operation that runs once for each item, in their order. It gets the parameters that it lists as values. */
export function operation<Values>({
	parameters,
	run,
	...texts
}: OperationTexts & {
	parameters: AnyParameters<Values, ItemContext>;
	run: RunItem<Values>;
}): Operation {
	return {
		...texts,
		properties: propertiesOf(parameters),
		prepare: () => async (item) => await run(item, await parseAnyParameters(parameters, item)),
	};
}

/** Prepares what items do together, as `groupItems` does, with the values of their parameters. */
export type GroupItems<Values> = <Group>(
	groupOf: (item: Item, values: Values) => Group,
) => (item: Item, values: Values) => Promise<Group>;

/**
 * An operation that keeps something over the items, or looks at all of them before the first one runs:
 * `prepare` is called once, and returns what runs for each item.
 */
export function batchOperation<Values>({
	parameters,
	prepare,
	...texts
}: OperationTexts & {
	parameters: AnyParameters<Values, ItemContext>;
	prepare: (group: GroupItems<Values>) => RunItem<Values>;
}): Operation {
	return {
		...texts,
		properties: propertiesOf(parameters),
		prepare(items) {
			const parsed = new Map<ItemContext, Promise<Values>>();
			const parse = async (item: ItemContext) =>
				await getOrInsert(parsed, item, async () => {
					return await parseAnyParameters(parameters, await item.connected());
				});
			const run = prepare((groupOf) => groupItems(items, parse, groupOf));
			return async (item) => {
				const values = await parse(item);
				return await run(item, values).finally(() => parsed.delete(item));
			};
		},
	};
}
