import { setLock } from '../../../service/locks';
import { numberOrText } from '../../../wire/record';
import type { OperationRun } from '../../operation';
import { readRecordAddress } from '../../parameters/recordId';

/** What locking and unlocking do for each item. */
export function lockOperation(action: 'lock' | 'unlock'): OperationRun {
	return async ({ item, client }) => {
		const record = readRecordAddress(item, client.connection);
		await setLock(client, record, action);
		return { _recordId: numberOrText(record.recordId), locked: action === 'lock' };
	};
}
