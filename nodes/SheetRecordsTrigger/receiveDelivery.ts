import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { authenticationParameter } from '../ui/authentication';
import { sheetParameter } from '../ui/sheet';
import { Client } from '../api/http/client';
import { learnFieldNames } from '../api/schema/requestFieldNames';
import { mostReads } from '../api/read/recordsByIds';
import { FieldNames, holdsFieldIds } from '../api/schema/fieldNames';
import type { SheetAddress } from '../api/values/sheetAddress';
import { parseDelivery, type Delivery } from '../api/webhooks/webhookDelivery';
import {
	changedRecordItem,
	deliveredRecords,
	fetchedRecords,
	type ChangedRecord,
} from './changedRecords';
import { judgeDelivery } from './verifyDelivery';
import { nodeKeyOf } from './nodeMemory';
import { readBody } from './readBody';
import { answer, isTestRun, refuse, warn, type Refusal } from './refusal';
import { SeenRecords, type SeenRecord } from './seenRecords';
import { readSettings, settingsOf, type TriggerSettings } from './triggerParameters';

/**
 * Takes one webhook request: refuses it, drops it, or turns it into one item for each changed record
 * (specification, "Events").
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const body = await readBody(context);
	if ('status' in body) return refuse(context, body);
	const delivery = parseDelivery(body.text);
	if (delivery.kind === 'malformed') {
		return refuse(context, { status: 400, reason: delivery.reason });
	}
	const receiver = await receiverOf(context);
	if ('status' in receiver) return refuse(context, receiver);
	const { client, sheet, settings } = receiver;
	const judgement = await judgeDelivery(settings, client, sheet, delivery);
	if ('status' in judgement) return refuse(context, judgement);
	return await takeDelivery(context, receiver, delivery, judgement.verified);
}

interface Receiver {
	client: Client;
	sheet: SheetAddress;
	settings: TriggerSettings;
}

/** What is wrong in the node's settings is told on activation; here, anybody may be asking. */
async function receiverOf(context: IWebhookFunctions): Promise<Receiver | Refusal> {
	try {
		const { item } = settingsOf(context);
		const client = await Client.connect(context, authenticationParameter.read({ item }));
		const sheet = sheetParameter.read({ item, client });
		return { client, sheet, settings: readSettings(context) };
	} catch (cause) {
		const reason = "The node's credential, sheet or settings are not set up";
		return { status: 503, reason, cause };
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
		passOver(context, settings, deliveredRecords(delivery));
		return answer(context, 200, 'Not one of the chosen events');
	}
	// No service is known to deliver again, nor how long it waits: answer before anything is looked up.
	const response = answer(context, 200, 'Accepted');
	const changed = await changedRecords(context, receiver, delivery);
	const seen = seenRecordsOf(context, settings);
	const fresh = seen ? rememberAndKeepNew(seen, settings, changed) : changed;
	const isById = delivery.kind === 'content' && !settings.fetchRecord;
	const isUnnamed = isById && settings.byName && fresh.some(holdsFields);
	const common = {
		account: client.connection.account,
		sheet,
		verified,
		simplify: settings.simplify,
		names: isUnnamed ? await learnFieldNames(client, sheet) : new FieldNames([]),
	};
	seen?.store();
	if (fresh.length === 0) return response;
	const items = fresh.map((record): IDataObject => changedRecordItem(record, common));
	return { ...response, workflowData: [items.map((json) => ({ json }))] };
}

async function changedRecords(
	context: IWebhookFunctions,
	{ client, sheet, settings: { fetchRecord, byName } }: Receiver,
	delivery: Delivery,
): Promise<ChangedRecord[]> {
	if (!fetchRecord) return deliveredRecords(delivery);
	const { changed, leftOut } = await fetchedRecords(delivery, { client, sheet, byName });
	if (leftOut > 0) {
		const reason = `Records of a delivery were left out: it causes at most ${mostReads} requests`;
		warn(context, reason, `${reason}, and ${leftOut} records were not among those`);
	}
	return changed;
}

function holdsFields({ content }: ChangedRecord): boolean {
	return content !== undefined && holdsFieldIds(content);
}

/** Undefined when nothing is to be dropped; somebody who waits in the editor is to see each delivery. */
function seenRecordsOf(
	context: IWebhookFunctions,
	{ skipRepeats, skipUnchanged }: TriggerSettings,
): SeenRecords | undefined {
	if (isTestRun(context) || (!skipRepeats && !skipUnchanged)) return undefined;
	return new SeenRecords(nodeKeyOf(context), context.getWorkflowStaticData('node'));
}

/** Remembers what an event that was not chosen says; unless nothing is taken at its word. */
function passOver(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	delivered: ChangedRecord[],
): void {
	const seen = seenRecordsOf(context, settings);
	for (const record of delivered) {
		const compared = comparableRecord(record);
		if (!compared) continue;
		if (settings.fetchRecord) seen?.forget(compared.recordId);
		else seen?.remember(compared);
	}
	seen?.store();
}

/** The records that are not to be dropped as repeats or as unchanged; all of them are remembered. */
function rememberAndKeepNew(
	seen: SeenRecords,
	{ skipRepeats, skipUnchanged }: TriggerSettings,
	changed: ChangedRecord[],
): ChangedRecord[] {
	const comparable = changed.flatMap((record) => comparableRecord(record) ?? []);
	const isRepeat = skipRepeats && comparable.length === changed.length && seen.isRepeat(comparable);
	return changed.filter((record) => {
		const compared = comparableRecord(record);
		if (!compared) return true;
		const isUnchanged = skipUnchanged && seen.isUnchanged(compared);
		seen.remember(compared);
		return !isRepeat && !isUnchanged;
	});
}

/** A record read for a delivery of ids counts as updated: a new one has not been seen before. */
function comparableRecord(record: ChangedRecord): SeenRecord | undefined {
	const { recordId, event, content, deleted } = record;
	if (recordId === undefined) return undefined;
	if (deleted) return { recordId, event: 'DELETE', content: new Map() };
	return content && { recordId, event: event ?? 'UPDATE', content };
}
