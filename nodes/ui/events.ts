import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../api/values/inputError';
import { webhookEvents, type WebhookEvent } from '../api/webhooks/delivery';
import type { Parameter, ParameterSource } from './parameter';
import { choiceOf } from './settings';

/**
 * Returns the parameter for the changes that start the workflow. Its value throws InputError when none is chosen.
 *
 * @param none what no choice would lead to
 */
export function eventsParameter(
	defaults: readonly WebhookEvent[],
	description: string,
	none: string,
): Parameter<WebhookEvent[], ParameterSource> {
	const property: INodeProperties = {
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{ name: 'Record Created', value: 'CREATE' },
			{ name: 'Record Deleted', value: 'DELETE' },
			{ name: 'Record Updated', value: 'UPDATE' },
		],
		default: [...defaults],
		description,
	};
	return {
		properties: [property],
		parse(item) {
			const value = item.value(property.name);
			const wanted = Array.isArray(value)
				? value.map((event) => choiceOf(event, property.displayName, webhookEvents))
				: [];
			if (wanted.length > 0) return wanted;
			throw new InputError(`Choose at least one event in '${property.displayName}'`, none);
		},
	};
}
