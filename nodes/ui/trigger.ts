import type { IDataObject, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { choiceOf, choiceOption, type Parameter, type ParameterSource } from './parameter';
import { processCache } from '../api/http/processState';
import { numberOrText } from '../api/read/record';
import { InputError } from '../api/values/inputError';
import type { SheetAddress } from '../api/values/sheetAddress';
import { webhookEvents, type WebhookEvent } from '../api/webhooks/delivery';

type TriggerContext = Pick<IWebhookFunctions, 'logger' | 'getNode' | 'getWorkflow'>;

/** The warnings of the last minute, by node and kind. */
const warnings = processCache<true>('warnings');

/** Returns which node of which workflow it is. */
export function nodeKeyOf(context: Pick<TriggerContext, 'getNode' | 'getWorkflow'>): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}

/** Writes a warning of a trigger into n8n's log; of the same kind, one a minute and node. */
export function logWarning(context: TriggerContext, message: string, kind?: string): void {
	const key = `${nodeKeyOf(context)}/${kind}`;
	if (kind !== undefined && warnings.get(key)) return;
	if (kind !== undefined) warnings.set(key, true);
	const { id: workflowId, name: workflowName } = context.getWorkflow();
	const { name: nodeName } = context.getNode();
	context.logger.warn(message, { workflowId, workflowName, nodeName });
}

/** The changes that start the workflow. Parsing throws InputError when none is chosen; `none` says what that would lead to. */
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

/** The form of the items. */
export const outputOption = choiceOption({
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Event', value: 'event', description: 'What happened, with the record inside' },
		{
			name: 'Record',
			value: 'record',
			description: 'The record as Get Many returns it, with _event and _verified',
		},
	],
	default: 'event',
	description:
		"Whether items are events or records, which map into other nodes by themselves. Expressions on fields survive a rename with the option 'Field Keys' set to Field IDs.",
});

/** What happened to a record, as far as it is known. */
interface Change {
	event?: WebhookEvent | null;
	recordId?: string;
	/** Whether it surely comes from the service. */
	verified: boolean;
	record?: IDataObject;
	deleted?: boolean;
	/** Where the record was read, where that may differ. */
	source?: 'service' | 'delivery';
}

/** Returns the item of a changed record, the same for both triggers. */
export function changeItem(
	{ event = null, recordId, verified, record, deleted, source }: Change,
	account: string,
	sheet: SheetAddress,
	output: 'event' | 'record' = 'event',
): IDataObject {
	const id = recordId === undefined ? null : numberOrText(recordId);
	const from = source && { _source: source };
	if (output === 'record') {
		const own = record ?? { _recordId: id, ...(deleted && { _deleted: true }) };
		return { ...own, _event: event, _verified: verified, ...from };
	}
	return {
		event,
		recordId: id,
		account,
		path: sheet.folders.join('/'),
		sheetIndex: sheet.sheetIndex,
		verified,
		record: record ?? null,
		...(deleted && { deleted }),
		...from,
	};
}
