import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { maxBlockMilliseconds, runCooperatively, yieldWhenBlocked } from '../api/http/eventLoop';
import { processCache } from '../api/http/processState';
import type { Steps } from '../api/json/jsonReading';
import { getOrInsert, textMembers } from '../api/json/objects';
import type { JsonObject } from '../api/json/orderedJson';
import { membersOf, RecordItems, type PlainObject } from '../api/read/record';
import { fetchDeliveredRecords, type ReadOutcome } from '../api/read/deliveredRecords';
import type { FieldChanges } from '../shared/watchedFields';
import { hasNames, unnamedSentence, withFieldNames } from '../api/sheet/fieldNames';
import type { KnownNames } from '../api/sheet/fieldNames';
import { SheetFields } from '../api/sheet/sheetFields';
import { wholeNumberText } from '../api/values/sheetAddress';
import { deliveryKeys, type DeliveredRecord, type Delivery } from '../api/webhooks/delivery';
import { withWarnings } from '../shared/output/recordFiles';
import { changeItem, nodeKeyOf, changesJson } from '../shared/trigger';
import type { TriggerSetup } from './triggerParameters';

/** A trigger node that receives a delivery, with its settings. */
export interface TriggerCall extends TriggerSetup {
	context: IWebhookFunctions;
}

/** Maximum number of deliveries to a node whose records are being fetched. Each of them stays in memory until it is finished. */
const maxRunningReads = 100;
const runningReads = processCache<{ count: number }>('fetchedDeliveries');

/** A record of a delivery, as delivered or as fetched. */
export interface ChangedRecord extends DeliveredRecord {
	deleted?: boolean;
	isFetched?: boolean;
	/** Set if the record could not be fetched: the reason. Its content is the delivered content then. */
	unreadable?: string;
	/** Changes of an update, if fields are watched. */
	fields?: FieldChanges;
	warnings?: readonly string[];
}

/**
 * Fetches the current content of the records of a delivery. A record that cannot be read keeps its delivered content, because a
 * delivery is only sent once. Drops duplicates and records without an ID. Drops a record of a deletion that still exists, and a
 * record of any other known event that does not exist. If the event is unknown, a missing record is returned as `deleted`.
 */
export async function fetchRecords(
	call: TriggerCall,
	{ event, records }: Pick<Delivery, 'event' | 'records'>,
): Promise<ChangedRecord[]> {
	const delivered = new Map<string, DeliveredRecord>();
	for (const record of records) {
		const { recordId = '' } = record;
		if (recordId !== '') delivered.set(wholeNumberText(recordId) ?? recordId, record);
	}
	const outcomes = await fetchUnlessBusy(call, [...delivered.keys()], event === 'DELETE');
	const reason = `Not read: ${maxRunningReads} other deliveries are being read`;
	return [...delivered].flatMap(([recordId, record]): ChangedRecord[] => {
		const outcome = outcomes.get(recordId) ?? { kind: 'unreadable', reason };
		if (outcome.kind === 'unreadable') {
			return [{ ...record, recordId, unreadable: outcome.reason }];
		}
		const isGone = outcome.kind === 'gone';
		if (event !== undefined && isGone !== (event === 'DELETE')) return [];
		const { changedFields } = record;
		const content = isGone ? { deleted: true } : { content: outcome.content, changedFields };
		return [{ recordId, event, isFetched: true, ...content }];
	});
}

/** Fetches the records. Returns an empty map if too many deliveries to this node are in progress. */
async function fetchUnlessBusy(
	{ context, client, sheet }: TriggerCall,
	recordIds: readonly string[],
	isDeletion: boolean,
): Promise<ReadonlyMap<string, ReadOutcome>> {
	const running = getOrInsert(runningReads, nodeKeyOf(context), () => ({ count: 0 }));
	if (running.count >= maxRunningReads) return new Map();
	running.count += 1;
	try {
		return await fetchDeliveredRecords(client, sheet, recordIds, isDeletion);
	} finally {
		running.count -= 1;
	}
}

/** Returns the items of changed records, with field names in place of IDs if the user wants names. */
export async function changedRecordItems(
	call: TriggerCall,
	changed: readonly ChangedRecord[],
	verified: boolean,
): Promise<IDataObject[]> {
	const names = await fieldNames(call, changed);
	// One converter for all records, because it remembers the keys of the last ones.
	const converter = new RecordItems(call.settings.simplify ?? true);
	const items: IDataObject[] = [];
	const yieldIfBlocked = yieldWhenBlocked(maxBlockMilliseconds);
	for (const record of changed) {
		items.push(await recordItem(call, record, { names, converter, verified }));
		await yieldIfBlocked();
	}
	return items;
}

/**
 * Returns the known names of the fields in the records, and stores them for the next start of n8n. Waits at most two seconds for
 * names, and never throws (see `namesAtOnce`). Returns no names if the output uses IDs.
 */
async function fieldNames(
	{ client, context, sheet, settings }: TriggerCall,
	changed: readonly ChangedRecord[],
): Promise<KnownNames> {
	const areNamed = async (known: KnownNames) =>
		await runCooperatively(areAllNamed(changed, known), maxBlockMilliseconds);
	if (settings.naming !== 'FNAME' || (await areNamed({}))) return {};
	const staticData = context.getWorkflowStaticData('node');
	const stored = textMembers(staticData.names);
	const names = await new SheetFields(client, sheet).namesAtOnce(stored, areNamed);
	const isChanged = Object.entries(names).some(([key, name]) => stored[key] !== name);
	if (isChanged) staticData.names = { ...names };
	return names;
}

/** Returns whether all fields of the records have a known name, or no ID as key. */
function* areAllNamed(changed: readonly ChangedRecord[], known: KnownNames): Steps<boolean> {
	for (const { content } of changed) {
		if (content && !hasNames(content, known)) return false;
		yield;
	}
	return true;
}

/** Common settings of the items of a delivery. */
interface ItemSettings {
	names: KnownNames;
	converter: RecordItems;
	verified: boolean;
}

/** Returns the item of a record, with its warnings joined in `_warning`. */
async function recordItem(
	{ client, sheet, settings }: TriggerCall,
	{ isFetched, content, fields, warnings = [], ...record }: ChangedRecord,
	{ names, converter, verified }: ItemSettings,
): Promise<IDataObject> {
	const { naming, fetchRecord, output, simplify = true } = settings;
	const source = isFetched ? ('service' as const) : ('delivery' as const);
	const unnamed = new Set<string>();
	const named = (members: JsonObject) =>
		contentJson(record.recordId, withFieldNames(members, names, unnamed), converter);
	const change = {
		...record,
		verified,
		record: content && named(simplify ? withoutDeliveryKeys(content) : content),
		fields: fields && (await changesJson(fields, named)),
		...(fetchRecord && { source }),
	};
	const item = changeItem(change, client.connection.account, sheet, output);
	const areNamesMissing = naming === 'FNAME' && unnamed.size > 0;
	const missing = areNamesMissing ? [unnamedSentence(unnamed)] : [];
	const [warned = item] = withWarnings([item], [...warnings, ...missing]);
	return warned;
}

/** Returns a delivered record without the keys that only deliveries have. */
function withoutDeliveryKeys(content: JsonObject): JsonObject {
	return new Map([...content].filter(([key]) => !deliveryKeys.includes(key)));
}

/** Returns the record as sent, or simplified. Omits `_recordId` if the ID is unknown. */
function contentJson(
	id: string | undefined,
	content: JsonObject,
	converter: RecordItems,
): PlainObject {
	const json = converter.item(id ?? '', membersOf(content));
	if (id === undefined) delete json._recordId;
	return json;
}
