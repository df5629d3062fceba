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

/** All resources. n8n lists actions in the order of their resources, so the one that is needed most comes first. */
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

/** Returns the operation of a resource. Throws InputError when there is none, as in a workflow of a newer version. */
export function findOperation(resource: string, operation: string): Operation {
	const found = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (found) return found;
	throw new InputError(
		`This version of the node has no operation '${operation}' for the resource '${resource}'`,
		'Choose an operation from the list, or update the package.',
	);
}

/** The choice of resource and operation, followed by the parameters of each operation. */
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

/** The subtitle of a node, such as `Get Many: record`, as an expression. */
export function subtitle(): string {
	const titles = resources.flatMap(({ value, name, operations }) =>
		operations.map((one) => [`${value}.${one.value}`, `${one.name}: ${name.toLowerCase()}`]),
	);
	const key = '$parameter["resource"] + "." + $parameter["operation"]';
	return `={{ (${JSON.stringify(Object.fromEntries(titles))})[${key}] }}`;
}

function resourceProperties({ value, operations, defaultOperation }: Resource): INodeProperties[] {
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
	const parameters = operations.flatMap((one) =>
		shownFor({ resource: [value], operation: [one.value] }, one.properties),
	);
	return [operationChoice, ...parameters];
}
