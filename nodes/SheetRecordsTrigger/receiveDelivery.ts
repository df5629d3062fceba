import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { Refusal, type Delivery } from '../api/webhooks/delivery';
import { servicePublicKeys } from '../api/webhooks/publicKey';
import { verifyDelivery } from '../api/webhooks/verifyDelivery';
import { nodeKeyOf } from '../ui/trigger';
import { answer, isTestRun, refuse, warn } from './answer';
import { changedRecordItems, fetchRecords } from './changedRecords';
import { connectReceiver, type Receiver } from './receiver';
import { RecentDeliveries } from './recentDeliveries';

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
		sleep: client.host.sleep,
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

/** Drops a delivery of an event that was not chosen. What it says of a record counts where records are not fetched. */
function passOver(receiver: Receiver, delivery: Delivery): IWebhookResponseData {
	const recent = recentDeliveries(receiver);
	recent?.noteDelivery(delivery, Date.now());
	for (const { content, ...record } of delivery.records) {
		recent?.noteContent(receiver.settings.fetchRecord ? record : { ...record, content });
	}
	recent?.store();
	return answer(receiver.context, 200, 'Not one of the chosen events');
}

async function emit(
	receiver: Receiver,
	delivery: Delivery,
	verified: boolean,
): Promise<IWebhookResponseData> {
	const { context, settings } = receiver;
	// No service is known to deliver again, nor how long it waits: answer before anything is looked up.
	const response = answer(context, 200, 'Accepted');
	const recent = recentDeliveries(receiver);
	const isRepeat = recent?.noteDelivery(delivery, Date.now());
	if (isRepeat && settings.skipRepeats) return response;
	const { fetchRecord, skipUnchanged } = settings;
	const changed = fetchRecord ? await fetchRecords(receiver, delivery) : delivery.records;
	const fresh = changed.filter((record) => recent?.noteContent(record) !== true || !skipUnchanged);
	const items = await changedRecordItems(receiver, fresh, verified);
	const warning = recent?.nextWarning();
	recent?.store();
	if (items.length === 0) return response;
	if (warning !== undefined) warn(context, warning);
	const json = items.map((item) => (warning === undefined ? item : withWarning(item, warning)));
	return { ...response, workflowData: [json.map((item) => ({ json: item }))] };
}

function withWarning<T extends { _warning?: unknown }>(item: T, warning: string): T {
	return { ...item, _warning: item._warning ? `${String(item._warning)} ${warning}` : warning };
}

/** Returns nothing when nothing is to be dropped; somebody who waits in the editor is to see each delivery. */
function recentDeliveries({ context, settings }: Receiver): RecentDeliveries | undefined {
	if (isTestRun(context) || (!settings.skipRepeats && !settings.skipUnchanged)) return undefined;
	return new RecentDeliveries(nodeKeyOf(context), context.getWorkflowStaticData('node'));
}
