import type { Client } from '../service/client';
import { getRecord } from '../service/records';
import { apiVersion } from '../wire/apiVersion';
import type { JsonObject } from '../wire/orderedJson';
import type { QueryParameter } from '../wire/query';
import { ServiceError } from '../wire/serviceError';
import type { SheetAddress } from '../wire/sheetAddress';
import { deliveredRecordId } from '../wire/webhookDelivery';
import type { ContentDelivery, IdDelivery, WebhookEvent } from '../wire/webhookDelivery';

/** A record that a delivery speaks of. */
export interface ChangedRecord {
	recordId?: string;
	/** Deliveries of ids do not tell the event. */
	event?: WebhookEvent;
	content?: JsonObject;
	/** The record was gone when it was read. */
	deleted?: boolean;
	/** Why the record could not be read. */
	unreadable?: string;
}

/** The records of a delivery with content, in its order (specification, "Events"). */
export function deliveredRecords({ event, records }: ContentDelivery): ChangedRecord[] {
	return records.map((content) => ({ recordId: deliveredRecordId(content), event, content }));
}

/**
 * The records of a delivery of ids (specification, "Events"), read one after another at the pace of the
 * account when asked for. One that cannot be read is told with the reason.
 */
export async function recordsOfIds(
	{ recordIds }: IdDelivery,
	fetch: { client: Client; sheet: SheetAddress; byName: boolean } | undefined,
): Promise<ChangedRecord[]> {
	const changed: ChangedRecord[] = [];
	for (const recordId of new Set(recordIds)) {
		changed.push(fetch ? await fetched(recordId, fetch) : { recordId });
	}
	return changed;
}

/** A delivery comes once: a record that cannot be read is still told, with the reason. */
async function fetched(
	recordId: string,
	{ client, sheet, byName }: { client: Client; sheet: SheetAddress; byName: boolean },
): Promise<ChangedRecord> {
	const parameters: QueryParameter[] = [
		['naming', byName ? 'FNAME' : 'EID'],
		['version', apiVersion],
	];
	return await getRecord(client, sheet, recordId, parameters).then(
		(record) => (record ? { recordId, content: record.content } : { recordId, deleted: true }),
		(error: unknown) => {
			if (error instanceof ServiceError) return { recordId, unreadable: error.message };
			throw error;
		},
	);
}
