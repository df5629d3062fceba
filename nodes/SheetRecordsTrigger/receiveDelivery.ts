import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { Client } from '../api/http/client';
import { mostReads } from '../api/read/recordsByIds';
import { FieldNames, holdsFieldIds } from '../api/schema/fieldNames';
import { learnFieldNames } from '../api/schema/requestFieldNames';
import type { SheetAddress } from '../api/values/sheetAddress';
import { Refusal, type Delivery } from '../api/webhooks/delivery';
import { servicePublicKeys } from '../api/webhooks/publicKey';
import { verifyDelivery } from '../api/webhooks/verifyDelivery';
import { authenticationParameter } from '../ui/authentication';
import { nodeKeyOf } from '../ui/logWarning';
import { sheetParameter } from '../ui/sheet';
import { answer, isTestRun, refuse, warn } from './answer';
import {
	changedRecordItem,
	deliveredRecords,
	fetchedRecords,
	type ChangedRecord,
} from './changedRecords';
import { RecentDeliveries } from './recentDeliveries';
import { readSettings, settingsOf, type TriggerSettings } from './triggerParameters';

interface Receiver {
	context: IWebhookFunctions;
	client: Client;
	sheet: SheetAddress;
	settings: TriggerSettings;
}

/**
 * Takes one webhook request: refuses it, drops it, or makes one item of each changed record
 * (specification, "Events").
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await take(context).catch((thrown: unknown) => {
		if (thrown instanceof Refusal) return refuse(context, thrown);
		throw thrown;
	});
}

async function take(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const rawBody = await readRawBody(context);
	const receiver = await connectReceiver(context);
	const { client, sheet, settings } = receiver;
	const { delivery, verified } = await verifyDelivery(rawBody, {
		sheet,
		account: client.connection.account,
		verification: settings.verification,
		keys: settings.publicKey ? [settings.publicKey] : servicePublicKeys(client),
	});
	const isChosen = delivery.kind === 'ids' || settings.events.includes(delivery.event);
	return isChosen ? await emit(receiver, delivery, verified) : passOver(receiver, delivery);
}

/** Reads the body as it was sent: n8n has read that of known content types, and keeps nothing of a form with files. */
async function readRawBody(context: IWebhookFunctions): Promise<Uint8Array> {
	const request = context.getRequestObject();
	const isForm = /^multipart\//i.test(String(request.headers['content-type'] ?? ''));
	if (request.rawBody === undefined && !isForm) {
		await request.readRawBody().catch(() => undefined);
	}
	if (request.rawBody === undefined) throw new Refusal(400, 'The body cannot be read');
	return request.rawBody;
}

/** What is wrong in the node's settings is said on activation; here, anybody may be asking. */
async function connectReceiver(context: IWebhookFunctions): Promise<Receiver> {
	const { item } = settingsOf(context);
	const connect = async () => {
		const client = await Client.connect(context, authenticationParameter.read({ item }));
		const sheet = sheetParameter.read({ item, client });
		return { context, client, sheet, settings: readSettings(context) };
	};
	return await connect().catch((cause: unknown) => {
		const reason = "The node's credential, sheet or settings are not set up";
		throw new Refusal(503, reason, { cause });
	});
}

/** Drops a delivery of an event that was not chosen. What it says of a record counts where records are not fetched. */
function passOver(receiver: Receiver, delivery: Delivery): IWebhookResponseData {
	const recent = recentDeliveries(receiver);
	for (const record of deliveredRecords(delivery)) {
		if (receiver.settings.fetchRecord) recent?.forget(record);
		else recent?.remember(record);
	}
	recent?.store();
	return answer(receiver.context, 200, 'Not one of the chosen events');
}

async function emit(
	receiver: Receiver,
	delivery: Delivery,
	verified: boolean,
): Promise<IWebhookResponseData> {
	const { context, client, sheet, settings } = receiver;
	const recent = recentDeliveries(receiver);
	// No service is known to deliver again, nor how long it waits: answer before anything is looked up.
	const response = answer(context, 200, 'Accepted');
	const changed = await changedRecords(receiver, delivery);
	const fresh = recent?.filterNew(changed, settings) ?? changed;
	const { account } = client.connection;
	const names = await fieldNames(receiver, fresh);
	const common = { account, sheet, verified, simplify: settings.simplify, names };
	recent?.store();
	if (fresh.length === 0) return response;
	const items = fresh.map((record) => ({ json: changedRecordItem(record, common) }));
	return { ...response, workflowData: [items] };
}

/** Returns nothing when nothing is to be dropped; somebody who waits in the editor is to see each delivery. */
function recentDeliveries({ context, settings }: Receiver): RecentDeliveries | undefined {
	if (isTestRun(context) || (!settings.skipRepeats && !settings.skipUnchanged)) return undefined;
	return new RecentDeliveries(nodeKeyOf(context), context.getWorkflowStaticData('node'));
}

async function changedRecords(
	{ context, client, sheet, settings: { fetchRecord, byName } }: Receiver,
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

/** Returns the names that replace the ids of fields: of delivered records only, as others are read by name. */
async function fieldNames(
	{ client, sheet, settings: { byName, fetchRecord } }: Receiver,
	changed: ChangedRecord[],
): Promise<FieldNames> {
	const holdsIds = changed.some(({ content }) => content && holdsFieldIds(content));
	const isUnnamed = byName && !fetchRecord && holdsIds;
	return isUnnamed ? await learnFieldNames(client, sheet) : new FieldNames([]);
}
