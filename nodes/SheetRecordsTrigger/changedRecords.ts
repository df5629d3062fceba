import type { IDataObject } from 'n8n-workflow';
import { processCache } from '../api/http/processState';
import { getOrInsert, isObject } from '../api/json/objects';
import type { JsonObject } from '../api/json/orderedJson';
import { rawRecord, simplifiedRecord } from '../api/read/record';
import type { PlainObject, RecordShape } from '../api/read/record';
import { readRecords, type ReadOutcome } from '../api/read/recordsByIds';
import { FieldNames, holdsFieldIds, ItemKeys, unnamedSentence } from '../api/schema/fieldNames';
import { Schema } from '../api/schema/schema';
import { wholeNumberText } from '../api/values/sheetAddress';
import type { DeliveredRecord, Delivery } from '../api/webhooks/delivery';
import { changeItem, nodeKeyOf } from '../ui/trigger';
import type { Receiver } from './receiver';

/** So many deliveries to a node are read at the same time: each holds its records until then. */
const mostFetched = 100;

const fetching = processCache<{ count: number }>('fetchedDeliveries');

/** A record of a delivery, as it was delivered or fetched. */
export interface ChangedRecord extends DeliveredRecord {
	deleted?: boolean;
	isFetched?: boolean;
	/** Why the record could not be read: then it is as it was delivered. */
	unreadable?: string;
}

/**
 * Reads the records of a delivery as the sheet holds them now, in the order of the delivery. What is there was not
 * deleted, what is gone was. What cannot be read is as it was delivered: a delivery comes once.
 */
export async function fetchRecords(
	{ context, client, sheet, settings }: Receiver,
	{ event, records }: Delivery,
): Promise<ChangedRecord[]> {
	const delivered = new Map<string, DeliveredRecord>();
	for (const record of records) {
		const { recordId = '' } = record;
		if (recordId !== '') delivered.set(wholeNumberText(recordId) ?? recordId, record);
	}
	const ids = [...delivered.keys()];
	const running = getOrInsert(fetching, nodeKeyOf(context), () => ({ count: 0 }));
	const naming = settings.byName ? 'FNAME' : 'EID';
	let outcomes: ReadonlyMap<string, ReadOutcome> = new Map();
	if (running.count < mostFetched) {
		running.count += 1;
		const reading = readRecords(client, sheet, ids, naming, event === 'DELETE');
		outcomes = await reading.finally(() => (running.count -= 1));
	}
	const reason = `Not read: ${mostFetched} other deliveries are being read`;
	return ids.flatMap((recordId): ChangedRecord[] => {
		const outcome = outcomes.get(recordId) ?? { kind: 'unreadable', reason };
		if (outcome.kind === 'unreadable') {
			return [{ ...delivered.get(recordId), recordId, unreadable: outcome.reason }];
		}
		const isGone = outcome.kind === 'gone';
		if (event !== undefined && isGone !== (event === 'DELETE')) return [];
		const content = isGone ? { deleted: true } : { content: outcome.content };
		return [{ recordId, event, isFetched: true, ...content }];
	});
}

/** Makes the items of changed records. Field ids of records that were not fetched by name become names. */
export async function changedRecordItems(
	{ client, context, sheet, settings }: Receiver,
	changed: readonly ChangedRecord[],
	verified: boolean,
): Promise<IDataObject[]> {
	const { byName, fetchRecord, output, simplify } = settings;
	const schema = new Schema(client, sheet);
	const isUnnamed = ({ content, isFetched }: ChangedRecord) =>
		byName && !isFetched && content !== undefined && holdsFieldIds(content);
	const staticData = context.getWorkflowStaticData('node');
	let names = new FieldNames({});
	if (changed.some(isUnnamed)) {
		const kept = textsIn(staticData.names);
		names = await schema.names(kept);
		const isOther = Object.entries(names.known).some(([place, name]) => kept[place] !== name);
		if (isOther) staticData.names = { ...names.known };
	}
	const keys = new ItemKeys();
	const items = await keys.named(
		changed.map(({ recordId, content = new Map(), isFetched }) =>
			recordJson(recordId, names.named(content), simplify, byName && isFetched ? keys : {}),
		),
		async () => await schema.keyedFields(),
	);
	return changed.map((changedRecord, index) => {
		const { recordId, event, content, deleted, isFetched, unreadable } = changedRecord;
		const source = isFetched ? ('service' as const) : ('delivery' as const);
		const record = content && items[index];
		const change = { event, recordId, verified, record, deleted, ...(fetchRecord && { source }) };
		const unnamed = content && isUnnamed(changedRecord) ? names.unnamedIn(content) : [];
		return {
			...changeItem(change, client.connection.account, sheet, output),
			...(unreadable !== undefined && { unreadable }),
			...(unnamed.length > 0 && { _warning: unnamedSentence(unnamed) }),
		};
	});
}

/** What static data hold is checked: another version may have stored it. */
function textsIn(stored: unknown): Record<string, string> {
	const isText = (entry: [string, unknown]): entry is [string, string] =>
		typeof entry[1] === 'string';
	return isObject(stored) ? Object.fromEntries(Object.entries(stored).filter(isText)) : {};
}

/** The record as it was sent, or simplified; without `_recordId` when its id is unknown. */
function recordJson(
	recordId: string | undefined,
	content: JsonObject,
	simplify: boolean,
	shape: RecordShape,
): PlainObject {
	const record = { id: recordId ?? '', content };
	const json = simplify ? simplifiedRecord(record, shape) : rawRecord(record);
	if (recordId === undefined) delete json._recordId;
	return json;
}
