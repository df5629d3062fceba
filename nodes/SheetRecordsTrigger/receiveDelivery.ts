import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { Refusal, type Delivery } from '../api/webhooks/delivery';
import { servicePublicKeys } from '../api/webhooks/publicKey';
import { verifyDelivery } from '../api/webhooks/verifyDelivery';
import { matchesConditions } from '../api/webhooks/localFilter';
import { ServiceError } from '../api/http/serviceError';
import { fieldChanges, type FieldChanges } from '../api/read/watchedFields';
import { InputError } from '../api/values/inputError';
import { itemsWithFiles, withWarnings } from '../ui/recordFiles';
import { nodeKeyOf } from '../ui/trigger';
import { answer, isTestRun, refuse, warn } from './answer';
import { changedRecordItems, fetchRecords, type ChangedRecord } from './changedRecords';
import { connectReceiver, type Receiver } from './receiver';
import { RecentDeliveries } from './recentDeliveries';
import { wantedChanges, type WantedChanges } from './wantedChanges';

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
	return await emit(receiver, delivery, verified);
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

/**
 * Makes items of what is wanted. Of an event that was not chosen only what it says of a record is noted, where records
 * are not fetched.
 */
async function emit(
	receiver: Receiver,
	{ event, records }: Delivery,
	verified: boolean,
): Promise<IWebhookResponseData> {
	const { context, settings } = receiver;
	const { events, fetchRecord, skipRepeats, skipUnchanged } = settings;
	const isChosen = event === undefined || events.includes(event);
	// No service is known to deliver again, nor how long it waits: answer before anything is looked up.
	const response = answer(context, 200, isChosen ? 'Accepted' : 'Not one of the chosen events');
	const wanted = await wantedOrAll(receiver);
	const recent = recentDeliveries(receiver, wanted.watched);
	const isRepeat = recent?.noteDelivery({ event, records }, Date.now());
	if (isChosen && isRepeat && skipRepeats) return response;
	let changed: ChangedRecord[] = records;
	if (fetchRecord) {
		// What is gone cannot be compared with the filters any more when it was looked for.
		const due = records.filter((record) => event !== 'DELETE' || isMatch(record, wanted));
		changed = isChosen
			? await fetchRecords(receiver, { event, records: due })
			: records.map((record) => ({ ...record, content: undefined }));
	}
	const fresh = changed.flatMap((record): ChangedRecord[] => {
		const isSkipped = recent?.noteContent(record) === true && skipUnchanged;
		if (!isMatch(record, wanted)) return [];
		const fields = changedFields(record, wanted, recent);
		return isSkipped || fields?.changed.length === 0 ? [] : [{ ...record, fields }];
	});
	const items = isChosen ? await changedRecordItems(receiver, fresh, verified) : [];
	recent?.store();
	if (items.length === 0) return response;
	const warnings = [wanted.trouble, recent?.nextWarning()].filter((text) => text !== undefined);
	for (const warning of warnings) warn(context, warning);
	const said = withWarnings(items, warnings);
	const { byName, downloadFiles, output = 'event' } = settings;
	const files = { downloadFiles, naming: byName ? 'FNAME' : 'EID' } as const;
	const withFiles = await itemsWithFiles(receiver, receiver.sheet, files, said, output);
	return { ...response, workflowData: [withFiles] };
}

/** Returns which changes are wanted; all when that cannot be found out, since a delivery comes once. */
async function wantedOrAll(receiver: Receiver): Promise<WantedChanges & { trouble?: string }> {
	const staticData = receiver.context.getWorkflowStaticData('node');
	return await wantedChanges(receiver, staticData).catch((thrown: unknown) => {
		if (!(thrown instanceof InputError || thrown instanceof ServiceError)) throw thrown;
		const trouble = `Filters and watched fields were not applied, so this may be a change that is not wanted: ${thrown.message}.`;
		return { where: [], watched: [], trouble };
	});
}

/** Whether a record matches the filters, as far as its content is known. */
function isMatch({ content }: ChangedRecord, { where }: WantedChanges): boolean {
	return content === undefined || matchesConditions(content, where);
}

/** Returns which watched fields an update changed; undefined for what counts whatever they hold. */
function changedFields(
	record: ChangedRecord,
	{ watched }: WantedChanges,
	recent: RecentDeliveries | undefined,
): FieldChanges | undefined {
	if (watched.length === 0) return undefined;
	const { content, event = 'UPDATE', changedFields: reported } = record;
	const unknown = () => fieldChanges(watched, undefined, undefined, reported);
	const changes = recent?.noteWatched(record) ?? unknown();
	return content && event === 'UPDATE' ? changes : undefined;
}

/** Returns nothing when nothing is to be dropped; somebody who waits in the editor is to see each delivery. */
function recentDeliveries(
	{ context, settings: { skipRepeats, skipUnchanged } }: Receiver,
	watched: readonly string[],
): RecentDeliveries | undefined {
	const isNeeded = skipRepeats || skipUnchanged || watched.length > 0;
	if (isTestRun(context) || !isNeeded) return undefined;
	return new RecentDeliveries(nodeKeyOf(context), context.getWorkflowStaticData('node'), watched);
}
