import type { RecordAddress } from '../wire/sheetAddress';
import type { Client } from './client';
import { recordRequest } from './sheet';

/** Locks or unlocks a record (specification, endpoint 11). Throws ServiceError for every answer but `SUCCESS`. */
export async function setLock(
	client: Client,
	record: RecordAddress,
	action: 'lock' | 'unlock',
): Promise<void> {
	await client.write({ ...recordRequest(client, record, [[action]]), method: 'POST' });
}
