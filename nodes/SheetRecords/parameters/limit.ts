import type { INodeProperties } from 'n8n-workflow';
import { flagParameter, type Parameter } from '../../ui/parameter';
import { InputError } from '../../api/values/inputError';

const returnAll = flagParameter({
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	displayOptions: { show: { returnAll: [false] } },
	default: 50,
	description: 'Max number of results to return',
};

/** How many results the item wants: Infinity for all. */
export const limitParameter: Parameter<number> = {
	properties: [...returnAll.properties, limit],
	parse(item) {
		if (returnAll.parse(item)) return Infinity;
		const number = Number(item.value(limit.name));
		if (Number.isSafeInteger(number) && number >= 1) return number;
		throw new InputError(
			"'Limit' must be a whole number of at least 1",
			'Change the number, or check its expression.',
		);
	},
};
