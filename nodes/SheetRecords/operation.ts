import type { INodeProperties } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { lookUpParameters, optionsCollection, shownOf } from '../ui/parameter';
import type { AnyParameters, LookedUpParameter, Parameter, Parameters } from '../ui/parameter';
import type { ItemParameters } from './itemParameters';
import type { ItemResults, OperationResult } from './operationResult';
import { getOrInsert } from '../api/json/objects';

/** What parameters are read from: an item, and the client with the identity that the item chose. */
export interface ParameterCall {
	item: ItemParameters;
	client: Client;
}

/** A parameter that is read from the item, and from nothing else but the account's addresses. */
export type ItemParameter<Value> = Parameter<Value, ParameterCall>;

/** A parameter that is looked up with the service, or in n8n's store. */
export type LookedUp<Value> = LookedUpParameter<Value, ParameterCall>;

/** The collection of options, with the values of all of them. */
export function itemOptions<Values>(
	listed: Parameters<Values, ParameterCall>,
): ItemParameter<Values> {
	return optionsCollection<Values, ParameterCall>(listed);
}

/** An item to an operation, which gets its parameters as values. */
export type Item = Pick<
	ItemParameters,
	| 'authentication'
	| 'context'
	| 'goWithoutFile'
	| 'index'
	| 'keepIds'
	| 'leaveUntyped'
	| 'readRecords'
	| 'taskEnded'
	| 'warn'
>;

/** What an operation works on: one item, and the client with the identity that the item chose. */
export interface OperationCall {
	item: Item;
	client: Client;
}

type Run<Call> = (call: Call) => Promise<OperationResult | ItemResults>;

/** What runs for an item. When it works on others with it, it yields the results of all of them. */
export type OperationRun = Run<ParameterCall>;

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

/** The client with the identity that an item chose. */
export type ClientOf = (item: ItemParameters) => Promise<Client>;

/** Everything of one operation: what the user sees, then what happens. */
export interface Operation extends OperationTexts {
	parameters: INodeProperties[];
	/** Called once with all items before the first of them runs; yields what runs for each. */
	begin: (items: readonly ItemParameters[], clientOf: ClientOf) => OperationRun;
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
	parameters: AnyParameters<Values, ParameterCall>;
	run: Run<OperationCall & Values>;
}): Operation {
	return {
		...texts,
		parameters: shownOf(parameters),
		begin: () => async (call) =>
			await run({ ...(await lookUpParameters(parameters, call)), ...call }),
	};
}

/** What an item set, read once however often it is asked for. */
export type ReadItem<Values> = (item: Item) => Promise<Values>;

/**
 * An operation that keeps something over the items, or looks at all of them before the first one runs:
 * `begin` is called once, and yields what runs for each item.
 */
export function jointOperation<Values>({
	parameters,
	begin,
	...texts
}: OperationTexts & {
	parameters: AnyParameters<Values, ParameterCall>;
	begin: (items: readonly Item[], read: ReadItem<Values>) => Run<OperationCall & Values>;
}): Operation {
	return {
		...texts,
		parameters: shownOf(parameters),
		begin(items, clientOf) {
			const known = new Map<Item, Promise<Values>>();
			const sources = new Map<Item, ItemParameters>(items.map((item) => [item, item]));
			const readNow = async (item: Item) => {
				const source = sources.get(item);
				if (!source) throw new Error(`Item ${item.index} is none of the run`);
				return await lookUpParameters(parameters, { item: source, client: await clientOf(source) });
			};
			const read = async (item: Item) => {
				return await getOrInsert(known, item, () => readNow(item));
			};
			const run = begin(items, read);
			return async ({ item, client }) => {
				const values = await read(item);
				return await run({ ...values, item, client }).finally(() => known.delete(item));
			};
		},
	};
}
