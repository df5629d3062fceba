import type { IDataObject } from 'n8n-workflow';
import type { JsonObject } from '../api/json/orderedJson';
import { rawRecord, simplifiedRecord } from '../api/read/record';
import { mostReads, readRecords, type ReadOutcome } from '../api/read/recordsByIds';
import { FieldNames, holdsFieldIds } from '../api/schema/fieldNames';
import { Schema } from '../api/schema/schema';
import { wholeNumberText } from '../api/values/sheetAddress';
import type { DeliveredRecord, Delivery, WebhookEvent } from '../api/webhooks/delivery';
import { changeItem } from '../ui/trigger';
import { warn } from './answer';
import type { Receiver } from './receiver';

/** A record of a delivery, as it was delivered or fetched. */
export interface ChangedRecord extends DeliveredRecord {
	deleted?: boolean;
	/** Why the record could not be read. */
	unreadable?: string;
}

/**
 * Reads the records of a delivery as the sheet holds them now, in the order of the delivery, whose content counts
 * for nothing. A record that cannot be read is among them: a delivery comes once.
 */
export async function fetchRecords(
	{ context, client, sheet, settings }: Receiver,
	{ event, records }: Delivery,
): Promise<ChangedRecord[]> {
	const delivered = records.flatMap(({ recordId = [] }) => recordId);
	const recordIds = new Set(delivered.map((id) => wholeNumberText(id) ?? id));
	const naming = settings.byName ? 'FNAME' : 'EID';
	const readings = [...(await readRecords(client, sheet, recordIds, naming))];
	const leftOut = readings.filter(([, { kind }]) => event && kind === 'unread').length;
	if (leftOut > 0) {
		const reason = `Records of a delivery were left out: it causes at most ${mostReads} requests`;
		warn(context, reason, `${reason}, and ${leftOut} records were not among those`);
	}
	return readings
		.filter(([, { kind }]) => !event || isConfirmed(event, kind))
		.map(([recordId, reading]) => ({ recordId, ...outcome(reading, event) }));
}

/** A record that is there was not deleted, one that is gone was. */
function isConfirmed(event: WebhookEvent, kind: ReadOutcome['kind']): boolean {
	if (kind === 'unread') return false;
	return kind === 'unreadable' || (kind === 'gone') === (event === 'DELETE');
}

/** The event of a record that cannot be read is not confirmed. */
function outcome(reading: ReadOutcome, event?: WebhookEvent): ChangedRecord {
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

/** Makes the items of changed records. Field ids of records that were not fetched by name become names. */
export async function changedRecordItems(
	{ client, sheet, settings }: Receiver,
	changed: readonly ChangedRecord[],
	verified: boolean,
): Promise<IDataObject[]> {
	const { byName, fetchRecord, simplify } = settings;
	const holdsIds = changed.some(({ content }) => content && holdsFieldIds(content));
	const isUnnamed = byName && !fetchRecord && holdsIds;
	const names = isUnnamed ? await new Schema(client, sheet).names() : new FieldNames([]);
	return changed.map(({ recordId, event, content, deleted, unreadable }) => {
		const record = content && recordJson(recordId, names.named(content), simplify);
		const change = { event, recordId, verified, record, deleted };
		const item = changeItem(change, client.connection.account, sheet);
		return unreadable === undefined ? item : { ...item, unreadable };
	});
}

/** The record as it was sent, or simplified; without `_recordId` when its id is unknown. */
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
