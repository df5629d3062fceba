import type { RecordAddress } from '../values/sheetAddress';
import type { Client } from '../http/client';
import { recordRequest } from '../http/sheetRequest';

/** Locks or unlocks a record (specification, endpoint 11). Throws ServiceError for every answer but `SUCCESS`. */
export async function setLock(
	client: Client,
	record: RecordAddress,
	action: 'lock' | 'unlock',
): Promise<void> {
	await client.write({ ...recordRequest(client, record, [[action]]), method: 'POST' });
}
