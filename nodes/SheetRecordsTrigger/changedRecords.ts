import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { processCache } from '../api/http/processState';
import { getOrInsert, textMembers } from '../api/json/objects';
import type { JsonObject } from '../api/json/orderedJson';
import { membersOf, RecordItems, type PlainObject } from '../api/read/record';
import { readRecords, type ReadOutcome } from '../api/read/recordLoader';
import type { FieldChanges } from '../shared/watchedFields';
import { hasNames, holdsFieldIds, unnamedSentence, withFieldNames } from '../api/schema/fieldNames';
import { Schema } from '../api/schema/schema';
import { wholeNumberText } from '../api/values/sheetAddress';
import { deliveryKeys, type DeliveredRecord, type Delivery } from '../api/webhooks/delivery';
import { withWarnings } from '../shared/output/recordFiles';
import { changeItem, nodeKeyOf, shownChanges } from '../shared/trigger';
import type { SetUp } from './triggerParameters';

/** A trigger node that receives a delivery, with its settings. */
export interface Receiver extends SetUp {
	context: IWebhookFunctions;
}

/** Maximum number of deliveries to a node whose records are being read. Each of them stays in memory until it is read. */
const maxRunningReads = 100;
const runningReads = processCache<{ count: number }>('fetchedDeliveries');

/** Number of items that are made before the process may do other work. */
const itemsPerStep = 1_000;

/** A record of a delivery, as delivered or as fetched. */
export interface ChangedRecord extends DeliveredRecord {
	deleted?: boolean;
	isFetched?: boolean;
	/** Why the record could not be read. Its content is then the delivered one. */
	unreadable?: string;
	/** Changes of an update, if fields are watched. */
	fields?: FieldChanges;
	warnings?: readonly string[];
}

/**
 * Returns the records of a delivery as the sheet holds them now. A record that cannot be read is returned as delivered, since
 * a delivery comes only once. Drops what contradicts the event: deletions of records that exist, and other events of records
 * that do not.
 */
export async function fetchRecords(
	receiver: Receiver,
	{ event, records }: Pick<Delivery, 'event' | 'records'>,
): Promise<ChangedRecord[]> {
	const delivered = new Map<string, DeliveredRecord>();
	for (const record of records) {
		const { recordId = '' } = record;
		if (recordId !== '') delivered.set(wholeNumberText(recordId) ?? recordId, record);
	}
	const outcomes = await readUnlessBusy(receiver, [...delivered.keys()], event === 'DELETE');
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

/** Reads the records, or returns none of them if too many deliveries to this node are being read. */
async function readUnlessBusy(
	{ context, client, sheet }: Receiver,
	recordIds: readonly string[],
	isDeletion: boolean,
): Promise<ReadonlyMap<string, ReadOutcome>> {
	const running = getOrInsert(runningReads, nodeKeyOf(context), () => ({ count: 0 }));
	if (running.count >= maxRunningReads) return new Map();
	running.count += 1;
	try {
		return await readRecords(client, sheet, recordIds, isDeletion);
	} finally {
		running.count -= 1;
	}
}

/** Returns the items of changed records, with field names in place of IDs if the user wants names. */
export async function changedRecordItems(
	{ client, context, sheet, settings }: Receiver,
	changed: readonly ChangedRecord[],
	verified: boolean,
): Promise<IDataObject[]> {
	const { naming, fetchRecord, output, simplify = true } = settings;
	const staticData = context.getWorkflowStaticData('node');
	const byName = naming === 'FNAME';
	let names: Readonly<Record<string, string>> = {};
	if (byName && changed.some(({ content }) => content && holdsFieldIds(content))) {
		const kept = textMembers(staticData.names);
		names = await new Schema(client, sheet).namesAtOnce(kept, (known) =>
			changed.every(({ content }) => !content || hasNames(content, known)),
		);
		const isOther = Object.entries(names).some(([place, name]) => kept[place] !== name);
		if (isOther) staticData.names = { ...names };
	}
	const items: IDataObject[] = [];
	for (const { isFetched, unreadable, content, fields, warnings = [], ...record } of changed) {
		const source = isFetched ? ('service' as const) : ('delivery' as const);
		const unnamed = new Set<string>();
		const shown = (members: JsonObject) =>
			recordJson(record.recordId, withFieldNames(members, names, unnamed), simplify);
		const change = {
			...record,
			verified,
			record: content && shown(simplify ? withoutDeliveryKeys(content) : content),
			fields: fields && (await shownChanges(fields, shown)),
			...(fetchRecord && { source }),
		};
		const item = changeItem(change, client.connection.account, sheet, output);
		if (unreadable !== undefined) item.unreadable = unreadable;
		const namesMissing = byName && unnamed.size > 0 ? [unnamedSentence(unnamed)] : [];
		items.push(...withWarnings([item], [...warnings, ...namesMissing]));
		if (items.length % itemsPerStep === 0) await client.host.sleep(0);
	}
	return items;
}

/** Returns a delivered record without the keys that a read record does not have. */
function withoutDeliveryKeys(content: JsonObject): JsonObject {
	return new Map([...content].filter(([key]) => !deliveryKeys.includes(key)));
}

/** Returns the record as it was sent, or simplified. Omits `_recordId` if the ID is unknown. */
function recordJson(id: string | undefined, content: JsonObject, simplify: boolean): PlainObject {
	const json = new RecordItems(simplify).item(id ?? '', membersOf(content));
	if (id === undefined) delete json._recordId;
	return json;
}
