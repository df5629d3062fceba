import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { credentialTypeOf } from '../editor/authentication';
import { sheetOf } from '../editor/sheet';
import { Client } from '../service/client';
import { discoverFields } from '../service/discovery';
import type { Field } from '../wire/fields';
import { isObject } from '../wire/objects';
import type { SheetAddress } from '../wire/sheetAddress';
import { parseDelivery } from '../wire/webhookDelivery';
import type { Delivery } from '../wire/webhookDelivery';
import { changedRecordItem, FieldNames } from './changedRecordItem';
import { deliveredRecords, recordsOfIds } from './changedRecords';
import type { ChangedRecord } from './changedRecords';
import { chosenEvents } from './chosenEvents';
import { judgeDelivery } from './judgeDelivery';
import { readBody } from './readBody';
import type { Refusal } from './readBody';
import { SeenRecords } from './seenRecords';
import type { SeenRecord } from './seenRecords';

/**
 * Takes one webhook request: refuses it, drops it, or turns it into one item for each changed record.
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
	const judgement = await judgeDelivery(context, receiver.client, receiver.sheet, delivery);
	if ('status' in judgement) return answered(context, judgement.status, judgement.reason);
	return await takeDelivery(context, receiver, delivery, judgement.verified);
}

/** The client and the sheet of the node. */
interface Receiver {
	client: Client;
	sheet: SheetAddress;
}

/** What is wrong in the node's settings is told on activation; here, anybody may be asking. */
async function receiverOf(context: IWebhookFunctions): Promise<Receiver | Refusal> {
	const type = credentialTypeOf(context.getNodeParameter('authentication'));
	try {
		const client = await Client.connect(context, type);
		return { client, sheet: sheetOf(context.getNodeParameter('sheet'), client.connection) };
	} catch {
		return { status: 503, reason: "The node's credential or sheet is not set up" };
	}
}

async function takeDelivery(
	context: IWebhookFunctions,
	{ client, sheet }: Receiver,
	delivery: Delivery,
	verified: boolean,
): Promise<IWebhookResponseData> {
	if (delivery.kind === 'content' && !chosenEvents(context).includes(delivery.event)) {
		unseen(context, deliveredRecords(delivery));
		return answered(context, 200, 'Not one of the chosen events');
	}
	// No service is known to deliver again, nor how long it waits: answer before anything is looked up.
	const response = answered(context, 200, 'Accepted');
	const changed = await changedRecords(context, client, sheet, delivery);
	const fresh = unseen(context, changed);
	if (fresh.length === 0) return response;
	const common = {
		account: client.connection.account,
		sheet,
		verified,
		simplify: option(context, 'simplify') !== false,
		names: new FieldNames(
			delivery.kind === 'content' ? await fieldsToName(context, client, sheet) : [],
		),
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
	context: IWebhookFunctions,
	client: Client,
	sheet: SheetAddress,
	delivery: Delivery,
): Promise<ChangedRecord[]> {
	if (delivery.kind === 'content') return deliveredRecords(delivery);
	const byName = option(context, 'fieldKeys') === 'name';
	const fetch = option(context, 'fetchRecord') === true ? { client, sheet, byName } : undefined;
	return await recordsOfIds(delivery, fetch);
}

/** Without the names, the ids stay: a delivery that is not taken is lost. */
async function fieldsToName(
	context: IWebhookFunctions,
	client: Client,
	sheet: SheetAddress,
): Promise<readonly Field[]> {
	if (option(context, 'fieldKeys') !== 'name') return [];
	const list = await discoverFields(client, sheet).catch(() => undefined);
	return list?.fields ?? [];
}

/** The records that are not to be dropped as repeats or as unchanged; all of them are remembered. */
function unseen(context: IWebhookFunctions, changed: ChangedRecord[]): ChangedRecord[] {
	const skipRepeats = option(context, 'skipRepeats') === true;
	const skipUnchanged = option(context, 'skipUnchanged') === true;
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

function option(context: IWebhookFunctions, name: string): unknown {
	const options: unknown = context.getNodeParameter('options');
	return isObject(options) ? options[name] : undefined;
}
