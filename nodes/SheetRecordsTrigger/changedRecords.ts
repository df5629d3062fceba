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
import type { DeliveredRecord, Delivery } from '../api/webhooks/delivery';
import { changeItem, nodeKeyOf, shownChanges } from '../shared/trigger';
import type { SetUp } from './triggerParameters';

/** A node that receives a delivery. */
export interface Receiver extends SetUp {
	context: IWebhookFunctions;
}

/** So many deliveries to a node are read at the same time: each holds its records until then. */
const mostFetched = 100;

const fetching = processCache<{ count: number }>('fetchedDeliveries');

/** A record of a delivery, as it was delivered or fetched. */
export interface ChangedRecord extends DeliveredRecord {
	deleted?: boolean;
	isFetched?: boolean;
	/** Why the record could not be read: then it is as it was delivered. */
	unreadable?: string;
	/** Of an update, with watched fields. */
	fields?: FieldChanges;
}

/** Reads the records of a delivery as the sheet holds them now. What cannot be read is as it was delivered: a delivery comes once. */
export async function fetchRecords(
	{ context, client, sheet }: Receiver,
	{ event, records }: Pick<Delivery, 'event' | 'records'>,
): Promise<ChangedRecord[]> {
	const delivered = new Map<string, DeliveredRecord>();
	for (const record of records) {
		const { recordId = '' } = record;
		if (recordId !== '') delivered.set(wholeNumberText(recordId) ?? recordId, record);
	}
	const ids = [...delivered.keys()];
	const running = getOrInsert(fetching, nodeKeyOf(context), () => ({ count: 0 }));
	let outcomes: ReadonlyMap<string, ReadOutcome> = new Map();
	if (running.count < mostFetched) {
		running.count += 1;
		const reading = readRecords(client, sheet, ids, event === 'DELETE');
		outcomes = await reading.finally(() => (running.count -= 1));
	}
	const reason = `Not read: ${mostFetched} other deliveries are being read`;
	return ids.flatMap((recordId): ChangedRecord[] => {
		const outcome = outcomes.get(recordId) ?? { kind: 'unreadable', reason };
		if (outcome.kind === 'unreadable') {
			return [{ ...delivered.get(recordId), recordId, unreadable: outcome.reason }];
		}
		const isGone = outcome.kind === 'gone';
		// What is there was not deleted, and what is gone was.
		if (event !== undefined && isGone !== (event === 'DELETE')) return [];
		const { changedFields } = delivered.get(recordId) ?? {};
		const content = isGone ? { deleted: true } : { content: outcome.content, changedFields };
		return [{ recordId, event, isFetched: true, ...content }];
	});
}

/** Makes the items of changed records, with names for field ids. */
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
	for (const { isFetched, unreadable, content, fields, ...record } of changed) {
		const source = isFetched ? ('service' as const) : ('delivery' as const);
		const unnamed = new Set<string>();
		const shown = (own: JsonObject) =>
			recordJson(record.recordId, withFieldNames(own, names, unnamed), simplify);
		const change = {
			...record,
			verified,
			record: content && shown(simplify ? withoutChangedFields(content) : content),
			fields: fields && (await shownChanges(fields, shown)),
			...(fetchRecord && { source }),
		};
		items.push({
			...changeItem(change, client.connection.account, sheet, output),
			...(unreadable !== undefined && { unreadable }),
			...(byName && unnamed.size > 0 && { _warning: unnamedSentence(unnamed) }),
		});
	}
	return items;
}

/** A delivery may list changed fields inside of a record. */
function withoutChangedFields(content: JsonObject): JsonObject {
	return new Map([...content].filter(([key]) => key !== 'changedFields'));
}

/** The record as it was sent, or simplified; without `_recordId` when its id is unknown. */
function recordJson(id: string | undefined, content: JsonObject, simplify: boolean): PlainObject {
	const json = new RecordItems(simplify).item(id ?? '', membersOf(content));
	if (id === undefined) delete json._recordId;
	return json;
}
