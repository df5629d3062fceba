import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { fieldKeysChoices } from '../shared/recordOutput';
import { choiceOf, optionChoice, optionFlag } from '../shared/settings';
import { isObject } from '../wire/objects';
import { InputError } from '../wire/inputError';
import { webhookEvents } from '../wire/webhookDelivery';
import type { WebhookEvent } from '../wire/webhookDelivery';

/** What the user set on the node, apart from credential, sheet and registration. */
export interface TriggerSettings {
	/** The events that start the workflow. */
	events: WebhookEvent[];
	verification: 'require' | 'ifPresent' | 'off';
	/** The key that was pasted; undefined when the service's own is to be fetched, or none is needed. */
	publicKeyPem?: string;
	/** Read the records of a delivery of ids. */
	fetchRecord: boolean;
	/** Names for the ids of fields. */
	byName: boolean;
	simplify: boolean;
	skipRepeats: boolean;
	skipUnchanged: boolean;
}

/**
 * The settings of the node, all of them: what is wrong in one is to be told on activation, not when a
 * delivery comes.
 *
 * @throws InputError when an expression yields what a setting cannot be
 */
export function readSettings(context: IHookFunctions | IWebhookFunctions): TriggerSettings {
	const chosen: unknown = context.getNodeParameter('options');
	const options = isObject(chosen) ? chosen : {};
	const verification = choiceOf(context.getNodeParameter('verification'), 'Verification', [
		'require',
		'ifPresent',
		'off',
	]);
	return {
		events: readEvents(context),
		verification,
		...(verification === 'off' ? {} : readPastedKey(context)),
		fetchRecord: optionFlag(options, 'fetchRecord', 'Fetch Record') ?? false,
		byName: optionChoice(options, 'fieldKeys', 'Field Keys', fieldKeysChoices) === 'name',
		simplify: optionFlag(options, 'simplify', 'Simplify') ?? true,
		skipRepeats: optionFlag(options, 'skipRepeats', 'Skip Repeats') ?? false,
		skipUnchanged: optionFlag(options, 'skipUnchanged', 'Skip Unchanged') ?? false,
	};
}

/** Whether the node enters its address in the sheet by itself. */
export function isAutomatic(context: IHookFunctions): boolean {
	const registration = context.getNodeParameter('registration');
	return choiceOf(registration, 'Registration', ['manual', 'automatic']) === 'automatic';
}

function readEvents(context: IHookFunctions | IWebhookFunctions): WebhookEvent[] {
	const chosen: unknown = context.getNodeParameter('events');
	const events = Array.isArray(chosen)
		? chosen.map((event) => choiceOf(event, 'Trigger On', webhookEvents))
		: [];
	if (events.length > 0) return events;
	throw new InputError(
		"Choose at least one event in 'Trigger On'",
		'Without one, no delivery would start the workflow.',
	);
}

function readPastedKey(context: IHookFunctions | IWebhookFunctions): { publicKeyPem?: string } {
	const source = context.getNodeParameter('publicKeySource');
	if (choiceOf(source, 'Public Key From', ['service', 'pem']) === 'service') return {};
	return { publicKeyPem: String(context.getNodeParameter('publicKeyPem')) };
}
