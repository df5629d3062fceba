import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { customers } from '../service';
import { onOrder, recordId, sheet } from './recordTestbed';
import { packageName, packageTypes } from './runner';

/** Parameters of a read with one request per item. Items that read the same record would share a request. */
export const readOwnOrder = () => readOrder({ recordId: recordId('={{ $itemIndex + 1 }}') });

/** Parameters of a read with one request: `GET` of the first order. */
export function readOrder(overrides: INodeParameters = {}): INodeParameters {
	return { ...onOrder('get', 1), ...overrides };
}

/** Parameters of a write with one request: `POST` of a customer. Field IDs avoid a look-up of names. */
export function createCustomer(name = 'New', overrides: INodeParameters = {}): INodeParameters {
	const { customerNumber, name: nameField } = customers.fields;
	return {
		operation: 'create',
		sheet: sheet(customers),
		inputMode: 'json',
		recordJson: JSON.stringify({ [customerNumber]: 'C-9999', [nameField]: name }),
		...overrides,
	};
}

export const session: INodeParameters = { authentication: 'session' };

interface Choice {
	name: string;
	value: string;
	description: string;
}

/** Returns all operations of the node, with the names that users see. */
export async function offeredOperations(): Promise<Array<{ resource: Choice; operation: Choice }>> {
	const types = await packageTypes();
	const { properties } = types.getByNameAndVersion(`${packageName}.sheetRecords`).description;
	const resources = properties.filter(({ name }) => name === 'resource').flatMap(choicesOf);
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap((property) => {
			const resourcesOfProperty = property.displayOptions?.show?.resource ?? [];
			return resources
				.filter(({ value }) => resourcesOfProperty.includes(value))
				.flatMap((resource) => choicesOf(property).map((operation) => ({ resource, operation })));
		});
}

/**
 * Returns the operations, such as `record.get`, for which something is not done yet, each with what to do. The steps are those of
 * `.github/HOW_TO.md`.
 */
export async function operationsToDo(
	isDone: (operation: string, resource: string) => boolean,
	whatToDo: string,
): Promise<string[]> {
	const offered = await offeredOperations();
	return offered
		.filter(({ resource, operation }) => {
			return !isDone(`${resource.value}.${operation.value}`, resource.value);
		})
		.map(({ resource, operation }) => `${resource.value}.${operation.value}: ${whatToDo}`);
}

function choicesOf({ options = [] }: INodeProperties): Choice[] {
	return options.flatMap((option) => {
		if (!('value' in option)) return [];
		const { name, value, description = '' } = option;
		return [{ name, value: String(value), description }];
	});
}

/** Returns the options that the node offers for an operation. */
export async function optionsOf(resource: string, operation: string): Promise<INodeProperties[]> {
	const types = await packageTypes();
	const { properties } = types.getByNameAndVersion(`${packageName}.sheetRecords`).description;
	return properties
		.filter(({ type, displayOptions: { show } = {} }: INodeProperties) => {
			const isOfOperation = show?.operation?.includes(operation) === true;
			return type === 'collection' && isOfOperation && show?.resource?.includes(resource) === true;
		})
		.flatMap(({ options = [] }) => options.flatMap((option) => ('type' in option ? option : [])));
}
