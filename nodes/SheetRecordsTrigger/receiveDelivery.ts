import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { credentialTypeOf } from '../editor/authentication';
import { sheetOf } from '../editor/sheet';
import { Client } from '../service/client';
import { discoverFields } from '../service/discovery';
import type { Field } from '../wire/fields';
import type { SheetAddress } from '../wire/sheetAddress';
import { parseDelivery } from '../wire/webhookDelivery';
import type { Delivery } from '../wire/webhookDelivery';
import { changedRecordItem, FieldNames } from './changedRecordItem';
import { deliveredRecords, recordsOfIds } from './changedRecords';
import type { ChangedRecord } from './changedRecords';
import { judgeDelivery } from './judgeDelivery';
import { readBody } from './readBody';
import type { Refusal } from './refusal';
import { SeenRecords } from './seenRecords';
import type { SeenRecord } from './seenRecords';
import { readSettings } from './triggerSettings';
import type { TriggerSettings } from './triggerSettings';

/**
 * Takes one webhook request: refuses it, drops it, or turns it into one item for each changed record
 * (specification, "Events").
 *
 * The node answers by itself. n8n would otherwise lose what is written into static data, and store a
 * failed execution for each refused request.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const body = await readBody(context);
	if ('status' in body) return answered(context, body.status, body.reason);
	const delivery = parseDelivery(body.text);
	if (delivery.kind === 'malformed') return answered(context, 400, delivery.reason);
	const receiver = await receiverOf(context);
	if ('status' in receiver) return answered(context, receiver.status, receiver.reason);
	const { client, sheet, settings } = receiver;
	const judgement = await judgeDelivery(settings, client, sheet, delivery);
	if ('status' in judgement) return answered(context, judgement.status, judgement.reason);
	return await takeDelivery(context, receiver, delivery, judgement.verified);
}

/** The client, the sheet and the settings of the node. */
interface Receiver {
	client: Client;
	sheet: SheetAddress;
	settings: TriggerSettings;
}

/** What is wrong in the node's settings is told on activation; here, anybody may be asking. */
async function receiverOf(context: IWebhookFunctions): Promise<Receiver | Refusal> {
	try {
		const type = credentialTypeOf(context.getNodeParameter('authentication'));
		const client = await Client.connect(context, type);
		const sheet = sheetOf(context.getNodeParameter('sheet'), client.connection);
		return { client, sheet, settings: readSettings(context) };
	} catch {
		return { status: 503, reason: "The node's credential, sheet or settings are not set up" };
	}
}

async function takeDelivery(
	context: IWebhookFunctions,
	receiver: Receiver,
	delivery: Delivery,
	verified: boolean,
): Promise<IWebhookResponseData> {
	const { client, sheet, settings } = receiver;
	if (delivery.kind === 'content' && !settings.events.includes(delivery.event)) {
		unseen(context, settings, deliveredRecords(delivery));
		return answered(context, 200, 'Not one of the chosen events');
	}
	// No service is known to deliver again, nor how long it waits: answer before anything is looked up.
	const response = answered(context, 200, 'Accepted');
	const changed = await changedRecords(receiver, delivery);
	const fresh = unseen(context, settings, changed);
	if (fresh.length === 0) return response;
	const common = {
		account: client.connection.account,
		sheet,
		verified,
		simplify: settings.simplify,
		names: new FieldNames(delivery.kind === 'content' ? await fieldsToName(receiver) : []),
	};
	const items = fresh.map((record): IDataObject => changedRecordItem(record, common));
	return { ...response, workflowData: [items.map((json) => ({ json }))] };
}

function answered(
	context: IWebhookFunctions,
	status: number,
	message: string,
): IWebhookResponseData {
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

async function changedRecords(
	{ client, sheet, settings: { fetchRecord, byName } }: Receiver,
	delivery: Delivery,
): Promise<ChangedRecord[]> {
	if (delivery.kind === 'content') return deliveredRecords(delivery);
	return await recordsOfIds(delivery, fetchRecord ? { client, sheet, byName } : undefined);
}

/** Without the names, the ids stay: a delivery that is not taken is lost. */
async function fieldsToName({ client, sheet, settings }: Receiver): Promise<readonly Field[]> {
	if (!settings.byName) return [];
	const list = await discoverFields(client, sheet).catch(() => undefined);
	return list?.fields ?? [];
}

/** The records that are not to be dropped as repeats or as unchanged; all of them are remembered. */
function unseen(
	context: IWebhookFunctions,
	{ skipRepeats, skipUnchanged }: TriggerSettings,
	changed: ChangedRecord[],
): ChangedRecord[] {
	if (!skipRepeats && !skipUnchanged) return changed;
	const seen = new SeenRecords(context.getWorkflowStaticData('node'));
	const comparable = changed.flatMap((record) => comparableRecord(record) ?? []);
	const isRepeat = skipRepeats && comparable.length === changed.length && seen.isRepeat(comparable);
	const fresh = changed.filter((record) => {
		const compared = comparableRecord(record);
		if (!compared) return true;
		const isUnchanged = skipUnchanged && seen.isUnchanged(compared);
		seen.remember(compared);
		return !isRepeat && !isUnchanged;
	});
	seen.store();
	return fresh;
}

/** A record read for a delivery of ids counts as updated: a new one has not been seen before. */
function comparableRecord(record: ChangedRecord): SeenRecord | undefined {
	const { recordId, event, content, deleted } = record;
	if (recordId === undefined) return undefined;
	if (deleted) return { recordId, event: 'DELETE', content: new Map() };
	return content && { recordId, event: event ?? 'UPDATE', content };
}
