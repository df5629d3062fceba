import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { Refusal, type Delivery } from '../api/webhooks/delivery';
import { servicePublicKeys } from '../api/webhooks/publicKey';
import { verifyDelivery } from '../api/webhooks/verifyDelivery';
import { matchesConditions } from '../api/webhooks/localFilter';
import { ServiceError } from '../api/http/serviceError';
import { InputError } from '../api/values/inputError';
import { nodeError } from '../shared/nodeError';
import { itemsWithFiles, withWarnings } from '../shared/output/recordFiles';
import { logWarning, nodeKeyOf } from '../shared/trigger';
import { changedRecordItems, fetchRecords } from './changedRecords';
import type { ChangedRecord, Receiver } from './changedRecords';
import { RecentDeliveries } from './recentDeliveries';
import { readSetUp } from './triggerParameters';
import { wantedChanges, type WantedChanges } from './wantedChanges';

/** Takes one webhook request: refuses it, drops it, or makes one item of each changed record (specification, "Events"). */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await take(context).catch((thrown: unknown) => {
		if (thrown instanceof Refusal) return refuse(context, thrown);
		throw thrown;
	});
}

async function take(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const rawBody = await readRawBody(context);
	const setUp = await readSetUp(context).catch((cause: unknown) => {
		// What is wrong is said on activation: here, anybody may be asking.
		throw new Refusal(503, "The node's credential, sheet or settings are not set up", { cause });
	});
	const { client, sheet, settings } = setUp;
	const { delivery, verified } = await verifyDelivery(rawBody, {
		sheet,
		sleep: client.host.sleep,
		account: client.connection.account,
		verification: settings.verification,
		keys: settings.publicKey ? [settings.publicKey] : servicePublicKeys(client),
	});
	return await emit({ context, ...setUp }, delivery, verified);
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

/** Makes items of what is wanted. Of an event that was not chosen it only notes what records hold, where they are not fetched. */
async function emit(
	receiver: Receiver,
	{ event, records }: Delivery,
	verified: boolean,
): Promise<IWebhookResponseData> {
	const { context, sheet, settings } = receiver;
	const { events, fetchRecord, output = 'event', skipRepeats, skipUnchanged } = settings;
	const isChosen = event === undefined || events.includes(event);
	// No service is known to deliver again, nor how long it waits: answer before anything is looked up.
	const response = answer(context, 200, isChosen ? 'Accepted' : 'Not one of the chosen events');
	const staticData = context.getWorkflowStaticData('node');
	const { where, watched, trouble } = await wantedOrAll(receiver, staticData);
	const isMatch = ({ content }: ChangedRecord) => !content || matchesConditions(content, where);
	// Somebody who waits in the editor is to see each delivery.
	const isCompared = !isTestRun(context) && (skipRepeats || skipUnchanged || watched.length > 0);
	const nodeKey = isCompared ? nodeKeyOf(context) : undefined;
	const recent = new RecentDeliveries(nodeKey, staticData, watched);
	const isRepeat = recent.noteDelivery({ event, records }, Date.now());
	if (isChosen && isRepeat && skipRepeats) return response;
	let changed: ChangedRecord[] = records;
	if (fetchRecord) {
		// What is gone cannot be compared with the filters any more when it was looked for.
		const due = records.filter((record) => event !== 'DELETE' || isMatch(record));
		changed = isChosen
			? await fetchRecords(receiver, { event, records: due })
			: records.map((record) => ({ ...record, content: undefined }));
	}
	const fresh = changed.flatMap((record): ChangedRecord[] => {
		const isSkipped = recent.noteContent(record) && skipUnchanged;
		if (!isMatch(record)) return [];
		const fields = recent.noteWatched(record);
		return isSkipped || fields?.changed.length === 0 ? [] : [{ ...record, fields }];
	});
	const items = isChosen ? await changedRecordItems(receiver, fresh, verified) : [];
	recent.store();
	if (items.length === 0) return response;
	const warnings = [trouble, recent.nextWarning()].filter((text) => text !== undefined);
	for (const warning of warnings) warn(context, warning);
	const said = withWarnings(items, warnings);
	const withFiles = await itemsWithFiles(receiver, sheet, settings, said, output);
	return { ...response, workflowData: [withFiles] };
}

/** Returns which changes are wanted; all when that cannot be found out, since a delivery comes once. */
async function wantedOrAll(receiver: Receiver, staticData: IDataObject): Promise<WantedChanges> {
	return await wantedChanges(receiver, staticData).catch((thrown: unknown) => {
		if (!(thrown instanceof InputError || thrown instanceof ServiceError)) throw thrown;
		const trouble = `Filters and watched fields were not applied, so this may be a change that is not wanted: ${thrown.message}.`;
		return { where: [], watched: [], trouble };
	});
}

/** Answers the request. n8n would lose what is written into static data, and store a failed execution for each refused request. */
function answer(context: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

/** Answers with the refusal, and says it to the node's owner: in n8n's log, or in a test run by an error of the node. */
function refuse(context: IWebhookFunctions, { status, message, cause }: Refusal) {
	const response = answer(context, status, message);
	if (isTestRun(context)) {
		if (cause !== undefined) throw nodeError(context.getNode(), cause, 0);
		throw new NodeOperationError(context.getNode(), `A delivery was refused: ${message}`, {
			description: `The sender was answered with ${status}. Execute the node again to wait for the next delivery.`,
			itemIndex: 0,
		});
	}
	warn(context, `A delivery was refused with ${status}: ${message}`);
	return response;
}

/** Returns whether somebody waits for a delivery in the editor. */
function isTestRun(context: IWebhookFunctions): boolean {
	return context.getMode() === 'manual';
}

/** Writes a warning into n8n's log, at most one a minute of each kind and node: anybody may send to the address. */
function warn(context: IWebhookFunctions, message: string): void {
	logWarning(context, `Sheet Records Trigger: ${message}`, message);
}
