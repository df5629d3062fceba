import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { mostReads, readRecords, type RecordReading } from '../api/read/recordsByIds';
import { changeItem } from '../ui/changeItem';
import type { FieldNames } from '../api/schema/fieldNames';
import type { JsonObject } from '../api/json/orderedJson';
import { rawRecord, simplifiedRecord } from '../api/read/record';
import { wholeNumberText, type SheetAddress } from '../api/values/sheetAddress';
import { deliveredRecordId, type Delivery, type WebhookEvent } from '../api/webhooks/delivery';

/** A record that a delivery speaks of. */
export interface ChangedRecord {
	recordId?: string;
	/** Deliveries of ids do not tell the event. */
	event?: WebhookEvent;
	content?: JsonObject;
	deleted?: boolean;
	/** Why the record could not be read. */
	unreadable?: string;
}

/** The records of a delivery as it tells them, in its order (specification, "Events"). */
export function deliveredRecords(delivery: Delivery): ChangedRecord[] {
	if (delivery.kind === 'content') {
		const { event, records } = delivery;
		return records.map((content) => ({ recordId: deliveredRecordId(content), event, content }));
	}
	return [...new Set(delivery.recordIds)].map((recordId) => ({ recordId }));
}

/**
 * The records of a delivery as the sheet holds them now, in the order of the delivery, whose content counts for
 * nothing, and how many of them were left out since there were too many to read.
 */
export async function fetchedRecords(
	delivery: Delivery,
	{ client, sheet, byName }: { client: Client; sheet: SheetAddress; byName: boolean },
): Promise<{ changed: ChangedRecord[]; leftOut: number }> {
	const delivered = deliveredRecords(delivery).flatMap(({ recordId = [] }) => recordId);
	const recordIds = new Set(delivered.map((id) => wholeNumberText(id) ?? id));
	const readings = await readRecords(client, sheet, recordIds, byName ? 'FNAME' : 'EID');
	const event = delivery.kind === 'content' ? delivery.event : undefined;
	const borneOut = [...readings].filter(([, reading]) => !event || isBorneOut(event, reading));
	return {
		changed: borneOut.map(([recordId, reading]) => ({ recordId, ...outcome(reading, event) })),
		leftOut: event ? [...readings.values()].filter(({ kind }) => kind === 'unread').length : 0,
	};
}

/**
 * Whether the sheet does not belie the event: a record that is there was not deleted, one that is gone was.
 * A delivery comes once, so a record that cannot be read is told of, too.
 */
function isBorneOut(event: WebhookEvent, { kind }: RecordReading): boolean {
	if (kind === 'unread') return false;
	return kind === 'unreadable' || (kind === 'gone') === (event === 'DELETE');
}

/** The event of a record that cannot be read is not confirmed. */
function outcome(reading: RecordReading, event?: WebhookEvent): Omit<ChangedRecord, 'recordId'> {
	switch (reading.kind) {
		case 'content':
			return { event, content: reading.content };
		case 'gone':
			return { event, deleted: true };
		case 'unreadable':
			return { unreadable: reading.reason };
		case 'unread':
			return { unreadable: `Not read: a delivery causes at most ${mostReads} requests` };
	}
}

/** What items of one delivery have in common. */
export interface DeliveryContext {
	account: string;
	sheet: SheetAddress;
	verified: boolean;
	simplify: boolean;
	/** The names that replace the ids of fields; none to keep the ids. */
	names: FieldNames;
}

/** The item of a changed record. */
export function changedRecordItem(
	{ recordId, event, content, deleted, unreadable }: ChangedRecord,
	{ account, sheet, verified, simplify, names }: DeliveryContext,
): IDataObject {
	const named = content && names.named(content);
	const record = named && recordJson(recordId, named, simplify);
	const item = changeItem({ event, recordId, verified, record, deleted }, account, sheet);
	return unreadable === undefined ? item : { ...item, unreadable };
}

/** The record as it was sent, or simplified; without `_recordId` when the service did not tell the id. */
function recordJson(
	recordId: string | undefined,
	content: JsonObject,
	simplify: boolean,
): IDataObject {
	const record = { id: recordId ?? '', content };
	const json = simplify ? simplifiedRecord(record) : rawRecord(record);
	if (recordId === undefined) delete json._recordId;
	return json;
}
