import type { INodeProperties } from 'n8n-workflow';

import { packageName, packageTypes } from './runner';

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
