import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../api/values/inputError';
import { shownFor } from '../../shared/parameters/parameter';
import type { Operation, Resource } from '../run/operation';
import { actionButton } from './actionButton';
import { comment } from './comment';
import { document } from './document';
import { file } from './file';
import { lock } from './lock';
import { massOperation } from './massOperation';
import { record } from './record';
import { sheet } from './sheet';
import { subtableRow } from './subtableRow';
import { task } from './task';

/**
 * The resources of the node: the most used one, then the others by name. n8n lists actions in this order. To add an
 * operation, add it to its resource.
 */
const resources: readonly Resource[] = [
	record,
	actionButton,
	comment,
	document,
	file,
	lock,
	massOperation,
	sheet,
	subtableRow,
	task,
];

/** Value of 'Custom API Call', which n8n itself adds to the lists of resources and operations. */
const customApiCall = '__CUSTOM_API_CALL__';

/** Returns an operation of a resource. Throws InputError if it does not exist, for example in a workflow of a newer version. */
export function findOperation(resource: string, operation: string): Operation {
	if (resource === customApiCall || operation === customApiCall) {
		throw new InputError(
			"Use n8n's HTTP Request node for a custom API call",
			"Set its 'Authentication' to 'Predefined Credential Type' and choose 'Sheet Records API' or 'Sheet Records Session API'. It then sends this node's credential.",
		);
	}
	const found = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (found) return found;
	throw new InputError(
		`This version of the node has no operation '${operation}' for the resource '${resource}'`,
		'Choose an operation from the list, or update the package.',
	);
}

/**
 * Returns the choice of the resource and then, for each resource, the choice of its operation and the parameters of its
 * operations.
 */
export function operationProperties(): INodeProperties[] {
	const resourceChoice: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value, description }) => ({ name, value, description })),
		default: 'record',
	};
	return [resourceChoice, ...resources.flatMap(resourceProperties)];
}

/** Returns the operations that send a write request for each item, such as `record.create`. */
export function operationsThatWriteEachItem(): string[] {
	return resources.flatMap((resource) =>
		resource.operations
			.filter(({ writesEachItem }) => writesEachItem)
			.map(({ value }) => `${resource.value}.${value}`),
	);
}

/** Returns the expression for the subtitle of a node, such as `Get Many: record`. */
export function subtitle(): string {
	const titles = resources.flatMap(({ value, name, operations }) =>
		operations.map((operation) => [
			`${value}.${operation.value}`,
			`${operation.name}: ${name.toLowerCase()}`,
		]),
	);
	const key = '$parameter["resource"] + "." + $parameter["operation"]';
	return `={{ (${JSON.stringify(Object.fromEntries(titles))})[${key}] }}`;
}

function resourceProperties({ value, operations, defaultOperation }: Resource): INodeProperties[] {
	// A variable, because the lint of n8n does not recognize a member as a default.
	const preselected = defaultOperation.value;
	const operationChoice: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: operations.map(({ name, value, action, description }) => {
			return { name, value, action, description };
		}),
		default: preselected,
	};
	const parameters = operations.flatMap((operation) =>
		shownFor({ resource: [value], operation: [operation.value] }, operation.properties),
	);
	return [operationChoice, ...parameters];
}
