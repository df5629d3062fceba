import type { IDataObject, IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { connect } from './connect';
import { authenticationParameter } from './editor/nodeDescription';
import { fieldNamesOf, type OutputOptions } from './parameters/options';
import {
	choiceOption,
	parameter,
	type ParameterSource,
	type SheetContext,
} from './parameters/parameter';
import { fieldsPickList } from './editor/pickList';
import { keysOf } from './output/recordOutput';
import { choiceOf } from './parameters/settings';
import { schemaOf, sheetParameter } from './parameters/sheet';
import { processCache } from '../api/http/processState';
import { isObject } from '../api/json/objects';
import type { JsonObject } from '../api/json/orderedJson';
import { numberOrText, type PlainObject } from '../api/read/record';
import type { FieldChanges } from './watchedFields';
import { systemFields } from '../api/schema/fields';
import { InputError } from '../api/values/inputError';
import type { SheetAddress } from '../api/values/sheetAddress';
import { isSubtableKey, subtableKey, subtableOf } from '../api/values/subtableKeys';
import { webhookEvents, type WebhookEvent } from '../api/webhooks/delivery';

type TriggerContext = IHookFunctions | IPollFunctions | IWebhookFunctions;

/** What the parameters of a trigger are read from that need no credential. */
export function parametersOf(context: TriggerContext): ParameterSource {
	// n8n throws for a parameter that is not shown unless it is given something to return.
	return { value: (name) => context.getNodeParameter(name, null) ?? undefined };
}

/** Connects a trigger: returns its sheet, and what all parameters are read from. Throws InputError for what is wrong. */
export async function connectTrigger(context: TriggerContext, signal?: AbortSignal) {
	const parameters = parametersOf(context);
	const client = await connect(context, authenticationParameter.parse(parameters));
	const call: SheetContext = {
		...parameters,
		client: signal ? client.endingWith(signal) : client,
		clock: (offsetHours) =>
			offsetHours === undefined ? { zone: context.getTimezone() } : { offsetHours },
	};
	return { ...call, sheet: sheetParameter.parse(call) };
}

/** The warnings of the last minute, by node and kind. */
const warnings = processCache<true>('warnings');

/** Returns which node of which workflow it is. */
export function nodeKeyOf(context: TriggerContext): string {
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

/** The changes that start the workflow. Parsing throws InputError when none is chosen. */
export function eventsParameter(defaults: readonly WebhookEvent[], description: string) {
	return parameter(
		{
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
		},
		(value, label) => {
			const events: unknown[] = Array.isArray(value) ? value : [];
			if (events.length > 0) return events.map((event) => choiceOf(event, label, webhookEvents));
			const advice = 'Without an event, nothing starts the workflow.';
			throw new InputError(`Choose at least one event in '${label}'`, advice);
		},
	);
}

/** The fields one of which has to change: names and ids; none when any change counts. */
export const watchedFields = parameter(
	{
		...fieldsPickList(
			'watchFields',
			'Watch Field Names or IDs',
			'Fields that must change for an update to start the workflow. Leave empty to start with any change. Items then contain the changed fields and their previous values.',
		),
		displayOptions: { show: { events: ['UPDATE'] } },
	},
	fieldNamesOf,
);

/**
 * Returns the keys of the watched fields in reads; undefined when any change counts. Throws InputError for a field that
 * no record has, where the fields are known: it would always change, or never.
 */
export async function watchedKeys(
	item: SheetContext,
	events: readonly WebhookEvent[],
	naming: OutputOptions['naming'],
): Promise<string[] | undefined> {
	const names = events.includes('UPDATE') ? watchedFields.parse(item) : [];
	const schema = schemaOf(item);
	const keys = await keysOf(names, naming, schema);
	const fields = keys ? await schema.fields() : [];
	for (const name of fields.length > 0 ? await schema.fieldKeys(names) : []) {
		if (isSubtableKey(name)) {
			await schema.requireSubtable(subtableOf(name) ?? name);
			continue;
		}
		const found = await schema.field(name, true);
		const { subtableId } = fields.find(({ fieldId }) => fieldId === found.fieldId) ?? {};
		if (subtableId === undefined && !systemFields.includes(found)) continue;
		throw new InputError(
			`'${name}' in 'Watch Field Names or IDs' is not a field of the record itself`,
			subtableId &&
				`Watch '${subtableKey(subtableId)}' instead: then any change of its rows counts.`,
		);
	}
	return keys && [...keys];
}

/** The form of the items. */
export const outputOption = choiceOption({
	displayName: 'Output',
	name: 'output',
	choices: {
		event: ['Event', 'What happened, with the record inside'],
		record: ['Record', 'The record as Get Many returns it, plus _event and _verified'],
	},
	default: 'event',
	description:
		'Whether each item is an event with the record inside, or the record itself. Records can be mapped automatically into other nodes.',
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
	/** Of an update, with watched fields. */
	fields?: Awaited<ReturnType<typeof shownChanges>>;
}

/** Returns the item of a changed record, the same for both triggers. */
export function changeItem(
	{ event = null, recordId, verified, record, deleted, source, fields }: Change,
	account: string,
	sheet: SheetAddress,
	output: 'event' | 'record' = 'event',
): IDataObject {
	const id = recordId === undefined ? null : numberOrText(recordId);
	const from = source && { _source: source };
	if (output === 'record') {
		const own = record ?? { _recordId: id, ...(deleted && { _deleted: true }) };
		const _changes = fields && { _changedFields: fields.changedFields, _previous: fields.previous };
		return { ...own, _event: event, _verified: verified, ..._changes, ...from };
	}
	return {
		event,
		recordId: id,
		account,
		path: sheet.folders.join('/'),
		sheetIndex: sheet.sheetIndex,
		verified,
		record: record ?? null,
		...fields,
		...(deleted && { deleted }),
		...from,
	};
}

/** Returns the record in the data of an item: of one that `changeItem` made, the record inside it. */
export function recordIn(json: IDataObject): Record<string, unknown> {
	const isEvent = ['event', 'recordId', 'sheetIndex', 'verified'].every((key) => key in json);
	return isEvent && isObject(json.record) ? json.record : json;
}

/** Returns which fields changed, and what they held, with the keys and values that `shown` makes of those of a record. */
export async function shownChanges(
	{ changed, previous }: FieldChanges,
	shown: (content: JsonObject) => PlainObject | Promise<PlainObject>,
) {
	const fieldsOf = async (content: JsonObject) => {
		const json = await shown(content);
		for (const key of ['_recordId', '_timeZone', '_warning']) delete json[key];
		return json;
	};
	const names = await fieldsOf(new Map(changed.map((key) => [key, ''])));
	return { changedFields: Object.keys(names), previous: await fieldsOf(previous) };
}
