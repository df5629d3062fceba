import { setLock } from '../../api/actions';
import { numberOrText } from '../../api/read/record';
import { notice } from '../../shared/parameters/parameter';
import { operation, type OperationTexts, type Resource } from '../run/operation';
import { recordParameter } from '../parameters/record';

const lockNotice = notice(
	'lockNotice',
	"Workflows can still change a locked record, unless the option 'Check Lock' is on",
);

/** Returns an operation whose output is `_recordId` and `locked`. Only locking has the notice. */
function lockOperation(value: 'lock' | 'unlock', texts: Omit<OperationTexts, 'value'>) {
	const locked = value === 'lock';
	return operation({
		...texts,
		value,
		writesEachItem: true,
		parameters: { record: recordParameter, ...(locked ? { notice: lockNotice } : {}) },
		async run({ client }, { record }) {
			const words = await setLock(client, record, value);
			const warned = words === '' ? {} : { _warning: words };
			return { _recordId: numberOrText(record.recordId), locked, ...warned };
		},
	});
}

const lockRecord = lockOperation('lock', {
	name: 'Lock',
	action: 'Lock a record',
	description:
		'Lock a record so that users cannot edit it. For many records, use Mass Operation: Lock or Unlock.',
});

const unlockRecord = lockOperation('unlock', {
	name: 'Unlock',
	action: 'Unlock a record',
	description:
		'Allow a locked record to be edited again. For many records, use Mass Operation: Lock or Unlock.',
});

export const lock: Resource = {
	value: 'lock',
	name: 'Lock',
	description: 'Lock that prevents users from editing a record',
	defaultOperation: lockRecord,
	operations: [lockRecord, unlockRecord],
};
