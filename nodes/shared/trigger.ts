import type { IDataObject, IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { connect } from './connect';
import { authenticationParameter } from './editor/nodeDescription';
import { fieldNamesOf, type OutputOptions } from './parameters/options';
import {
	choiceOption,
	nameList,
	parameter,
	type ParameterSource,
	type SheetContext,
} from './parameters/parameter';
import { fieldsPickList } from './editor/pickList';
import { keysOf } from './output/returnedFields';
import { choiceOf } from './parameters/settings';
import { fieldsOfSheet, sheetParameter } from './parameters/sheet';
import { processCache } from '../api/http/processState';
import { getOrInsert, isObject } from '../api/json/objects';
import type { JsonObject } from '../api/json/orderedJson';
import { numberOrText, type PlainObject } from '../api/read/record';
import type { FieldChanges } from './watchedFields';
import type { FieldIndex } from '../api/sheet/fieldIndex';
import { systemFields } from '../api/sheet/fields';
import type { SheetFields } from '../api/sheet/sheetFields';
import { InputError, inParameter } from '../api/values/inputError';
import type { SheetAddress } from '../api/values/sheetAddress';
import { isSubtableKey, subtableKey, subtableOf } from '../api/values/subtableKeys';
import { webhookEvents, type WebhookEvent } from '../api/webhooks/delivery';

type TriggerContext = IHookFunctions | IPollFunctions | IWebhookFunctions;

/**
 * Returns the source for parameters of a trigger that need no credential. Each parameter is evaluated once, because its
 * expression may have another result the next time.
 */
export function parametersOf(context: TriggerContext): ParameterSource {
	const values = new Map<string, unknown>();
	// n8n throws for a hidden parameter if there is no fallback value.
	const evaluate = (name: string) => context.getNodeParameter(name, null) ?? undefined;
	return { value: (name) => getOrInsert(values, name, () => evaluate(name)) };
}

/** The source for all parameters of a trigger, and its sheet. */
export interface ConnectedTrigger extends SheetContext {
	readonly sheet: SheetAddress;
}

/** Connects a trigger. Throws InputError if the credential or the sheet is wrong. */
export async function connectTrigger(
	context: TriggerContext,
	signal?: AbortSignal,
): Promise<ConnectedTrigger> {
	const parameters = parametersOf(context);
	const client = await connect(context, authenticationParameter.parse(parameters));
	const call: SheetContext = {
		...parameters,
		client: signal ? client.endingWith(signal) : client,
		timeZone: (offsetHours) =>
			offsetHours === undefined ? { zone: context.getTimezone() } : { offsetHours },
	};
	return { ...call, sheet: sheetParameter.parse(call) };
}

/** The warnings of the last minute, by node and kind. */
const warnings = processCache<true>('warnings');

/**
 * Returns a key that identifies the node and its workflow. It has the name of the node, as n8n's static data do: nodes of old or
 * imported workflows may share an ID or have none.
 */
export function nodeKeyOf(context: TriggerContext): string {
	return `${context.getWorkflow().id}/${context.getNode().name}`;
}

/** Writes a warning of a trigger to n8n's log: at most once per minute for each node and kind, or always without a kind. */
export function logWarning(context: TriggerContext, message: string, kind?: string): void {
	const key = `${nodeKeyOf(context)}/${kind}`;
	if (kind !== undefined && warnings.get(key)) return;
	if (kind !== undefined) warnings.set(key, true);
	const { id: workflowId, name: workflowName } = context.getWorkflow();
	const { name: nodeName } = context.getNode();
	context.logger.warn(message, { workflowId, workflowName, nodeName });
}

/**
 * The events that start the workflow, from a list or from a text with commas. Parsing throws InputError if no event is selected or
 * if one is unknown.
 */
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
			const events = nameList(value, label);
			if (events.length > 0) return events.map((event) => choiceOf(event, label, webhookEvents));
			const advice = 'Without an event, nothing starts the workflow.';
			throw new InputError(`Choose at least one event in '${label}'`, advice);
		},
	);
}

const watchedFieldsProperty = fieldsPickList(
	'watchFields',
	'Watch Field Names or IDs',
	'Fields that must change for an update to start the workflow. Leave empty to start with any change. Items then contain the changed fields and their previous values.',
);

/** Names and IDs of the watched fields. If the list is empty, any change counts. */
export const watchedFields = parameter(
	{ ...watchedFieldsProperty, displayOptions: { show: { events: ['UPDATE'] } } },
	fieldNamesOf,
);

/**
 * Returns the keys of the watched fields in reads; undefined if any change counts. Throws InputError for a field of a subtable
 * or an unknown field, if the service lists the fields.
 */
export async function watchedKeys(
	item: SheetContext,
	events: readonly WebhookEvent[],
	naming: OutputOptions['naming'],
): Promise<string[] | undefined> {
	const names = events.includes('UPDATE') ? watchedFields.parse(item) : [];
	const sheetFields = fieldsOfSheet(item);
	const { displayName } = watchedFieldsProperty;
	const inList = async <Result>(lookUp: () => Promise<Result>) =>
		await inParameter(displayName, lookUp);
	if (names.length > 0) {
		const index = await sheetFields.load();
		for (const name of index.isEmpty ? [] : await sheetFields.fieldKeys(names)) {
			await inList(async () => await requireWatchable(name, sheetFields, index));
		}
	}
	const keys = await inList(async () => await keysOf(names, naming, sheetFields));
	return keys && [...keys];
}

/** Throws InputError for a field that cannot be watched: a field of a subtable, the ID of a subtable, a system field or an unknown one. */
async function requireWatchable(
	name: string,
	sheetFields: SheetFields,
	index: FieldIndex,
): Promise<void> {
	if (isSubtableKey(name)) return await sheetFields.requireSubtable(subtableOf(name) ?? name);
	const found = await sheetFields.field(name, true);
	const { fieldId } = found;
	const ofRows = index.subtables.find((subtable) => subtable.subtableId === fieldId);
	const { subtableId } = index.byId(fieldId) ?? ofRows ?? {};
	if (subtableId === undefined && !systemFields.includes(found)) return;
	throw new InputError(
		`'${name}' in 'Watch Field Names or IDs' is not a field of the record itself`,
		subtableId && `Watch '${subtableKey(subtableId)}' instead: then any change of its rows counts.`,
	);
}

/** The format of the items. */
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

/** A change of a record. Unknown parts are omitted. */
interface Change {
	event?: WebhookEvent | null;
	recordId?: string;
	/** Whether the change certainly comes from the service. */
	verified: boolean;
	record?: IDataObject;
	deleted?: boolean;
	/** Origin of the record's content. Set if the trigger fetches records. If a fetch fails, the content is of the delivery. */
	source?: 'service' | 'delivery';
	/** Reason why the record could not be fetched. */
	unreadable?: string;
	/** Set for updates if fields are watched. */
	fields?: Awaited<ReturnType<typeof changesJson>>;
}

/** Returns the item of a changed record, in the format of both triggers. */
export function changeItem(
	{ event = null, recordId, verified, record, deleted, source, unreadable, fields }: Change,
	account: string,
	sheet: SheetAddress,
	output: 'event' | 'record' = 'event',
): IDataObject {
	const id = recordId === undefined ? null : numberOrText(recordId);
	const from = source && { _source: source };
	const reasonAs = (key: string) => (unreadable === undefined ? {} : { [key]: unreadable });
	if (output === 'record') {
		const content = record ?? { _recordId: id, ...(deleted && { _deleted: true }) };
		const _changes = fields && { _changedFields: fields.changedFields, _previous: fields.previous };
		return {
			...content,
			_event: event,
			_verified: verified,
			..._changes,
			...from,
			...reasonAs('_unreadable'),
		};
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
		...reasonAs('unreadable'),
	};
}

/**
 * Returns the record in the data of an item: the member `record` of an event of a trigger, otherwise the data itself. An item may
 * have no data, because n8n does not check the items of other nodes.
 */
export function recordIn(json: unknown): Record<string, unknown> {
	if (!isObject(json)) return {};
	const isEvent = ['event', 'recordId', 'sheetIndex', 'verified'].every((key) => key in json);
	return isEvent && isObject(json.record) ? json.record : json;
}

/** Returns the changed fields and their previous values, formatted by `toOutput`. */
export async function changesJson(
	{ changed, previous }: FieldChanges,
	toOutput: (content: JsonObject) => PlainObject | Promise<PlainObject>,
) {
	const fieldsOf = async (content: JsonObject) => {
		const json = await toOutput(content);
		for (const key of ['_recordId', '_timeZone', '_warning']) delete json[key];
		return json;
	};
	const names = await fieldsOf(new Map(changed.map((key) => [key, ''])));
	return { changedFields: Object.keys(names), previous: await fieldsOf(previous) };
}
