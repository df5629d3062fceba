import { setLock } from '../../../service/locks';
import { numberOrText } from '../../../wire/record';
import type { OperationRun } from '../../operation';
import { readRecordId } from '../../parameters/recordId';

/** What locking and unlocking do for each item. */
export function lockOperation(action: 'lock' | 'unlock'): OperationRun {
	return async ({ item, client }) => {
		const sheet = item.sheet(client.connection);
		const recordId = readRecordId(item, client.connection, sheet);
		await setLock(client, sheet, recordId, action);
		return { _recordId: numberOrText(recordId), locked: action === 'lock' };
	};
}
