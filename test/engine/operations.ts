import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { customers } from '../service';
import { onOrder, recordId, sheet } from './recordTestbed';
import { packageName, packageTypes } from './runner';

/** One request of each item that asks: items that ask for the same record would share it. */
export const readOwnOrder = () => readOrder({ recordId: recordId('={{ $itemIndex + 1 }}') });

/** One request that asks: `GET` of the first order. */
export function readOrder(more: INodeParameters = {}): INodeParameters {
	return { ...onOrder('get', 1), ...more };
}

/** One request that changes something: `POST` of a customer, with field ids, so that nothing is looked up. */
export function createCustomer(name = 'New', more: INodeParameters = {}): INodeParameters {
	const { customerNumber, name: nameField } = customers.fields;
	return {
		operation: 'create',
		sheet: sheet(customers),
		inputMode: 'json',
		recordJson: JSON.stringify({ [customerNumber]: 'C-9999', [nameField]: name }),
		...more,
	};
}

export const session: INodeParameters = { authentication: 'session' };

interface Choice {
	name: string;
	value: string;
}

/** Everything that the node offers, with the names that users see. */
export async function offeredOperations(): Promise<Array<{ resource: Choice; operation: Choice }>> {
	const types = await packageTypes();
	const { properties } = types.getByNameAndVersion(`${packageName}.sheetRecords`).description;
	const resources = properties.filter(({ name }) => name === 'resource').flatMap(choicesOf);
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap((property) => {
			const shown = property.displayOptions?.show?.resource ?? [];
			return resources
				.filter(({ value }) => shown.includes(value))
				.flatMap((resource) => choicesOf(property).map((operation) => ({ resource, operation })));
		});
}

function choicesOf({ options = [] }: INodeProperties): Choice[] {
	return options.flatMap((option) =>
		'value' in option ? [{ name: option.name, value: String(option.value) }] : [],
	);
}
