import type { IDataObject, IWebhookResponseData } from 'n8n-workflow';
import { maxBlockMilliseconds, runCooperatively } from '../api/http/eventLoop';
import { asSentence } from '../api/values/text';
import type { Steps } from '../api/json/jsonReading';
import { textMembers } from '../api/json/objects';
import { sheetPath } from '../api/values/sheetAddress';
import type { Delivery } from '../api/webhooks/delivery';
import { holdsFieldIds } from '../api/sheet/fieldNames';
import { itemsWithFiles, withWarnings } from '../shared/output/recordFiles';
import { nodeKeyOf } from '../shared/trigger';
import { fieldStates, lostFieldsText } from '../shared/watchedFields';
import { answer, isTestRun, warnOnce } from './answer';
import { changedRecordItems, fetchRecords } from './changedRecords';
import type { ChangedRecord, TriggerCall } from './changedRecords';
import { comparisonOf, forgetRecords, noComparison, RecentDeliveries } from './recentDeliveries';
import { changeFilterOrAll, withoutDeletedFields } from './changeFilter';
import { RecordFilter } from './recordFilter';

/**
 * Answers an accepted delivery and starts the workflow with the changes that the user chose. The order of the steps matters:
 * answer, drop repeats, fetch, filter, compare, make items, store. Requests that fail after the answer are reported in the items.
 */
export async function acceptDelivery(
	call: TriggerCall,
	delivery: Delivery,
	verified: boolean,
): Promise<IWebhookResponseData> {
	const { context, settings } = call;
	const isChosen = delivery.event === undefined || settings.events.includes(delivery.event);
	// Answer before any look-up: the service may not wait, and it is not known to deliver again.
	const response = answer(context, 200, isChosen ? 'Accepted' : 'Not one of the chosen events');
	const staticData = context.getWorkflowStaticData('node');
	const { where, watched, trouble } = await changeFilterOrAll(call, staticData);
	forgetOtherSheet(call, staticData, watched);
	const recent = recentDeliveries(call, staticData, watched);
	if (await recent.inTurn(recent.noteDelivery(delivery, Date.now(), isChosen))) return response;
	const delivered = await withoutDeletedFields(call, where, isChosen ? delivery.records : []);
	const filterBefore = new RecordFilter(delivered.where);
	const records = await currentRecords(call, delivery, filterBefore, isChosen);
	// A delivery of IDs shows its fields only with the fetched records.
	const current = await withoutDeletedFields(call, delivered.where, isChosen ? records : []);
	const filter = new RecordFilter(current.where);
	const changes = await recent.inTurn(filteredChanges(records, recent, filter));
	const items = isChosen ? await changedRecordItems(call, changes, verified) : [];
	recent.store();
	if (items.length === 0) return response;
	const troubles = [trouble, delivered.trouble, current.trouble];
	const warnings = [...troubles, takeWarning(staticData), recent.nextWarning()];
	const texts = warnings.filter((text) => text !== undefined);
	return { ...response, workflowData: [await withFiles(call, items, texts)] };
}

/**
 * Forgets names and deliveries that are stored of another sheet: its fields and records may have the IDs of this one, above all in
 * another account. Stores which sheet it is if anything is stored of it.
 */
function forgetOtherSheet(
	{ context, client: { connection }, sheet, settings }: TriggerCall,
	staticData: IDataObject,
	watched: readonly string[],
): void {
	const source = `${connection.baseUrl}${sheetPath(connection.account, sheet)}`;
	const { source: before } = staticData;
	const isStoring = settings.naming === 'FNAME' || comparisonOf(settings, watched) !== undefined;
	if (before === source || !isStoring) return;
	staticData.source = source;
	// Older versions did not store it.
	if (before === undefined) return;
	delete staticData.names;
	forgetRecords(nodeKeyOf(context), staticData);
}

/** Returns the warning that `changeFilter` stored for the next item, and removes it. */
function takeWarning(staticData: IDataObject): string | undefined {
	const { warning } = staticData;
	if (typeof warning !== 'string') return undefined;
	delete staticData.warning;
	return warning;
}

/** Returns the last deliveries. A test run does not use them, because the user in the editor must see each delivery. */
function recentDeliveries(
	{ context, settings }: TriggerCall,
	staticData: IDataObject,
	watched: readonly string[],
): RecentDeliveries {
	const compared = comparisonOf(settings, watched);
	const nodeKey = compared && !isTestRun(context) ? nodeKeyOf(context) : undefined;
	return new RecentDeliveries(nodeKey, staticData, compared ?? noComparison);
}

/** Returns the records as delivered; with Fetch Record, with their current content, or without content if not `isChosen`. */
async function currentRecords(
	call: TriggerCall,
	{ event, records }: Delivery,
	filter: RecordFilter,
	isChosen: boolean,
): Promise<ChangedRecord[]> {
	if (!call.settings.fetchRecord) return records;
	// An event that is not selected costs no request. Delivered content is dropped, because only fetched content is compared.
	if (!isChosen) return records.map((record) => ({ ...record, content: undefined }));
	// Apply the filters to the delivered content of a deleted record, because it cannot be fetched any more.
	const candidates =
		event === 'DELETE'
			? await runCooperatively(matchingRecords(records, filter), maxBlockMilliseconds)
			: records;
	return await fetchRecords(call, { event, records: candidates });
}

/** Returns the records that match the filters. */
function* matchingRecords<Changed extends ChangedRecord>(
	records: readonly Changed[],
	filter: RecordFilter,
): Steps<Changed[]> {
	const matching: Changed[] = [];
	for (const record of records) {
		if (filter.match(record).isMatch) matching.push(record);
		yield;
	}
	return matching;
}

/**
 * Returns the records that match the filters, without updates that change no watched field or, with Skip Unchanged, no content.
 * Remembers the content of all records, but the watched fields only of matching records.
 */
function* filteredChanges(
	records: readonly ChangedRecord[],
	recent: RecentDeliveries,
	filter: RecordFilter,
): Steps<ChangedRecord[]> {
	const changes: ChangedRecord[] = [];
	for (const record of records) {
		yield;
		const isUnchanged = recent.noteContent(record);
		const match = filter.match(record);
		if (!match.isMatch) continue;
		const fields = recent.noteWatched(record);
		if (isUnchanged || fields?.changed.length === 0) continue;
		const { content } = record;
		const warnings = content ? filter.warnings(content, match) : [];
		const lost = fields ? lostFieldsWarnings(record, recent.watched) : [];
		changes.push({ ...record, fields, warnings: [...warnings, ...lost] });
	}
	return changes;
}

/** Returns the warning for a record with fields, but none of the watched ones, if its delivery does not list the changed fields. */
function lostFieldsWarnings(
	{ content, changedFields }: ChangedRecord,
	watched: readonly string[],
): string[] {
	if (!content || changedFields || !holdsFieldIds(content)) return [];
	return fieldStates(content, watched) ? [] : [asSentence(lostFieldsText(watched))];
}

/** Returns the items with their files, and with the warnings in the first one. */
async function withFiles(call: TriggerCall, items: IDataObject[], warnings: readonly string[]) {
	const { context, sheet, settings } = call;
	for (const warning of warnings) warnOnce(context, warning);
	const warned = withWarnings(items, warnings);
	const itemNames = textMembers(context.getWorkflowStaticData('node').names);
	const options = { ...settings, sheet, itemNames };
	return await itemsWithFiles(call, options, warned, settings.output ?? 'event');
}
