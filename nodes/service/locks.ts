import type { SheetAddress } from '../wire/sheetAddress';
import type { Client } from './client';
import { recordRequest } from './sheet';

/**
 * Locks or unlocks a record (specification, endpoint 11).
 *
 * @throws ServiceError for every answer but `SUCCESS`
 */
export async function setLock(
	client: Client,
	sheet: SheetAddress,
	recordId: string,
	action: 'lock' | 'unlock',
): Promise<void> {
	await client.write({ ...recordRequest(client, sheet, recordId, [[action]]), method: 'POST' });
}
