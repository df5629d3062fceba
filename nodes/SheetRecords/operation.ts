import type { INodeProperties } from 'n8n-workflow';
import type { Client } from '../service/client';
import type { ItemParameters } from './itemParameters';
import type { ItemResults, OperationResult } from './operationResult';

/** What an operation works on: one item, and the client with the identity that the item chose. */
export interface OperationCall {
	item: ItemParameters;
	client: Client;
}

/** What runs for an item. When it works on others with it, it yields the results of all of them. */
export type OperationRun = (call: OperationCall) => Promise<OperationResult | ItemResults>;

/** What the user sees of an operation. */
interface OperationInEditor {
	/** Its name in saved workflows. */
	value: string;
	/** Its name in the list of operations. */
	name: string;
	/** Verb and resource, for the nodes panel. */
	action: string;
	description: string;
	parameters: INodeProperties[];
}

/** An operation that runs once for each item, in their order. */
export interface ItemOperation extends OperationInEditor {
	run: OperationRun;
}

/**
 * An operation that looks at all items before the first one runs: `begin` is called once with the
 * parameters of all of them, and yields what runs for each item.
 */
export interface JointOperation extends OperationInEditor {
	begin: (items: readonly ItemParameters[]) => OperationRun;
}

/** Everything of one operation: what the user sees, then what happens. */
export type Operation = ItemOperation | JointOperation;

/** A resource and its operations; the description and `execute` are both made from it. */
export interface Resource {
	value: string;
	name: string;
	description: string;
	defaultOperation: Operation;
	operations: Operation[];
}
